#!/usr/bin/env bash
# examples_test.sh CGREP CORPUS-MAKE MAN-FOLDER: every example of README.md and of the man pages runs on
# the demo history, and the session that README.md shows is what a terminal shows.
# SPDX-License-Identifier: MIT
set -uo pipefail

cgrep=$(realpath "$1") make=$(realpath "$2") pages=$(realpath "$3")
readme=$(realpath README.md) corpus=$(realpath corpus)
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" && ln -s "$cgrep" "$folder/bin/cgrep"
export PATH=$folder/bin:$PATH HOME=$folder/home XDG_DATA_HOME=$folder/data TZ=UTC LC_ALL=C.UTF-8
unset CGREP_ROOT CGREP_INDEX XDG_CONFIG_HOME NO_COLOR
"$make" "$corpus/home" "$HOME" && cgrep index --quiet && cd "$HOME" || exit 1

status=0 count=0
fail() { echo "$*"; status=1; }

# Found or not found: an example is wrong only if cgrep does not understand it.
run() {
  count=$((count + 1))
  local line=$1
  if [[ $line == *jq* ]] && ! command -v jq >/dev/null; then return; fi
  [[ $line == "cgrep forget "* ]] && line+=" --dry-run"
  bash -c "set -o pipefail; $line" >"$folder/out" 2>"$folder/err" </dev/null
  (($? <= 1)) || fail "does not run: $1" "$(cat "$folder/err")"
}

while IFS= read -r line; do run "${line%%  #*}"; done < <(
  awk '/^```sh$/ {inside=1; next} /^```/ {inside=0} inside && /^cgrep /' "$readme"
  mandoc -Tutf8 -O width=200 "$pages"/man?/* 2>/dev/null | sed -nE $'s/.\b//g; s/^ +\\$ (cgrep .*)/\\1/p')
((count >= 8)) || fail "only $count examples were found"

# The session: a command after `$ `, then what it prints on a terminal of 100 columns.
session=$(awk '/^```console$/ {inside=1; next} /^```/ {inside=0} inside && /^\$ cgrep /,/^```/' "$readme" |
  sed '/^```/,$d')
command=$(head -n 1 <<<"$session")
shown=$(script -qec "stty cols 100 rows 50; ${command#\$ } --color never" /dev/null </dev/null | tr -d '\r')
[[ $shown == "$(tail -n +2 <<<"$session")" ]] ||
  fail "README.md shows another answer to: $command" "$shown"
exit $status
