#!/usr/bin/env bash
# dependencies_test.sh CMAKE CXX: configuring without the libraries names each, with its version and
# its Debian package, all at once.
# SPDX-License-Identifier: MIT
set -uo pipefail

build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
if PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR=$build "$1" -S . -B "$build" -DCMAKE_CXX_COMPILER="$2" \
  -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON \
  -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON >"$build/out" 2>&1; then
  echo "configured without libraries"
  exit 1
fi
status=0
while read -r line; do
  tr -s ' \n' ' ' <"$build/out" | grep -qF "$line" || { echo "not said: $line"; status=1; }
done <<'EOF'
cgrep needs Xapian >= 1.4.22: apt-get install libxapian-dev
cgrep needs SQLite >= 3.40: apt-get install libsqlite3-dev
cgrep needs simdjson >= 3.0: apt-get install libsimdjson-dev
cgrep needs RE2 >= 2020-11-01 (libre2.so.9): apt-get install libre2-dev
cgrep needs zstd >= 1.5: apt-get install libzstd-dev
cgrep needs fmt >= 9: apt-get install libfmt-dev
cgrep needs CLI11 >= 2.1: apt-get install libcli11-dev
cgrep needs GoogleTest >= 1.12 for its tests: apt-get install libgtest-dev
EOF
((status == 0)) || cat "$build/out"
exit $status
