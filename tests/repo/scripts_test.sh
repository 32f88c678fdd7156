#!/usr/bin/env bash
# Every shell script parses, can be run, and passes shellcheck where that is installed.
# SPDX-License-Identifier: MIT
set -uo pipefail

mapfile -t scripts < <(
  find . \( -path ./build -o -path ./.git \) -prune -o -type f -size -200k -print0 |
    xargs -0 awk 'FNR == 1 && /^#!.*(\/|env )(ba)?sh/ { print FILENAME } FNR == 1 { nextfile }')
status=0
for script in "${scripts[@]}"; do
  bash -n "$script" || status=1
  [[ -x $script ]] || { echo "$script: has #! but is not executable"; status=1; }
done
if command -v shellcheck >/dev/null; then shellcheck -S warning "${scripts[@]}" || status=1; fi
((${#scripts[@]} > 5)) || { echo "found only ${#scripts[@]} scripts"; status=1; }
exit $status
