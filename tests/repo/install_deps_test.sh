#!/usr/bin/env bash
# scripts/install-deps against pretended package managers: quick when nothing is missing, fetches the
# package lists only when it must, and fails with one clear line.
# SPDX-License-Identifier: MIT
set -uo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bin=$scratch/bin
status=0
fail() { echo "$case: $1"; sed 's/^/  | /' "$scratch/out" "$scratch/calls"; status=1; }

# fresh CASE: an empty system with the few commands that the script needs.
fresh() {
  case=$1
  rm -rf "$bin"
  mkdir "$bin"
  for command in bash env sed grep mktemp rm head; do ln -s "$(command -v $command)" "$bin"; done
  : >"$scratch/calls"
}
# pretend COMMAND BODY: puts a script there; its calls are kept.
pretend() {
  printf '#!%s\necho "%s $*" >>"%s"\n%s\n' "$BASH" "$1" "$scratch/calls" "$2" >"$bin/$1"
  chmod +x "$bin/$1"
}
run() { PATH=$bin "$BASH" scripts/install-deps "$@" >"$scratch/out" 2>&1 </dev/null; }
called() { grep -qE -- "$1" "$scratch/calls"; }
said() { grep -qE -- "$1" "$scratch/out"; }
all_installed='for package; do [[ $package == -* ]] || echo "installed $package"; done'
none_installed='echo "dpkg-query: no packages found" >&2; exit 1'
one_missing='for package; do [[ $package == -* || $package == strace ]] || echo "installed $package"
             done; exit 1'

fresh "nothing missing"
pretend dpkg-query "$all_installed"
pretend apt-get 'exit 1'
run check || fail "should be content"
called apt-get && fail "should not call apt-get"
[[ -s $scratch/out ]] && fail "should be silent"

fresh "one missing"
pretend dpkg-query "$one_missing"
pretend apt-get 'exit 0'
pretend sudo '[[ $1 != -n ]] || shift; exec "$@"'
run test || fail "should install it"
called '^apt-get .*install --no-install-recommends strace$' || fail "should install just strace"
called 'update' && fail "should not fetch the lists"
run build || fail "strace is not needed to build"

fresh "old package lists"
pretend dpkg-query "$one_missing"
pretend sudo '[[ $1 != -n ]] || shift; exec "$@"'
pretend apt-get "case \"\$*\" in *update) : >$scratch/updated ;; *) [[ -e $scratch/updated ]] ;; esac"
run test || fail "should fetch the lists and try again"
called 'apt-get .*update$' || fail "should fetch the lists"

fresh "no network"
pretend dpkg-query "$none_installed"
pretend sudo '[[ $1 != -n ]] || shift; exec "$@"'
pretend apt-get 'echo "E: Unable to fetch"; exit 100'
run build && fail "should fail"
said '^install-deps: apt-get could not install g\+\+ cmake ' || fail "should say what failed"
said '^E: Unable to fetch' || fail "should show why"

fresh "no apt-get"
pretend dpkg-query "$none_installed"
run build && fail "should fail"
said '^install-deps: no apt-get here; missing packages: g\+\+ ' || fail "should name the packages"

fresh "no dpkg"
run build || fail "should leave it to CMake"
said 'no dpkg here' || fail "should say so"

fresh "told to leave the system alone"
pretend dpkg-query "$none_installed"
CGREP_INSTALL_DEPS=no run build || fail "should be content"
called . && fail "should call nothing"

fresh "unknown profile"
run nonsense && fail "should fail"
said 'no such profile: nonsense' || fail "should say so"

if ((EUID != 0)); then
  fresh "neither root nor sudo"
  pretend dpkg-query "$none_installed"
  pretend apt-get 'exit 0'
  run build && fail "should fail"
  said 'as root, run: apt-get install g\+\+ ' || fail "should say what to run"
fi
exit $status
