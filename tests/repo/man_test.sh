#!/usr/bin/env bash
# man_test.sh FOLDER: mandoc has nothing to say about the generated pages.
# SPDX-License-Identifier: MIT
command -v mandoc >/dev/null || { echo "mandoc is not installed"; exit 77; }
exec mandoc -Tlint -Wwarning "$1"/man?/*
