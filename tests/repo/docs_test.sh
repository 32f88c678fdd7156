#!/usr/bin/env bash
# The files that README.md and HACKING.md name or link to are there.
# SPDX-License-Identifier: MIT
set -uo pipefail

status=0
for document in README.md HACKING.md; do
  prose=$(awk '/^```/ { code = !code; next } !code' "$document")
  while read -r path; do
    [[ -e $path ]] || { echo "$document names $path, which is not there"; status=1; }
  done < <(grep -oE '`(src|tests|corpus|man|cmake|scripts|bench)/[[:alnum:]_./-]*`' <<<"$prose" | tr -d '`'
           grep -oE '\]\([[:alnum:]_./-]+\)' <<<"$prose" | tr -d ']()')
done
exit $status
