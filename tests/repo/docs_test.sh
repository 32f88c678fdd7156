#!/usr/bin/env bash
# The files that README.md and HACKING.md name or link to are there.
# SPDX-License-Identifier: MIT
set -uo pipefail

status=0
for document in README.md HACKING.md; do
  while read -r path; do
    [[ -e $path ]] || { echo "$document names $path, which is not there"; status=1; }
  done < <(grep -oE '`(src|tests|corpus|man|cmake|scripts|bench)/[[:alnum:]_./-]*`' "$document" | tr -d '`'
           grep -oE '\]\([[:alnum:]_./-]+\)' "$document" | tr -d ']()')
done
exit $status
