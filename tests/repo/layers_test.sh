#!/usr/bin/env bash
# scripts/check-layers is silent on a clean tree, and finds each kind of violation in a planted one.
# SPDX-License-Identifier: MIT
set -uo pipefail

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/src/{extract,index,query,cli}
status=0
fail() { echo "$1"; status=1; }

# planted FILE LINE: writes LINE into src/FILE and tells whether check-layers is content with it.
planted() {
  printf '%s\n' "$2" >"$tree/src/$1"
  scripts/check-layers "$tree" >/dev/null 2>&1
  local result=$?
  rm "$tree/src/$1"
  return $result
}
refused() { ! planted "$@" || fail "not found in $1: $2"; }
allowed() { planted "$@" || fail "wrongly refused in $1: $2"; }

refused error.h '#include "index/folder.h"'
refused extract/a.cc '#include "index/folder.h"'
refused extract/a.cc '#include "../query/query.h"'
refused index/a.h '  # include "query/query.h"'
refused query/a.cc '#include "cli/commands.h"'
refused index/a.cc '#include <simdjson.h>'
refused query/a.cc '#include <sqlite3.h>'
refused extract/a.cc '#include <zstd.h>'
refused cli/a.cc '#include <zstd.h>'
refused extract/a.cc '#include <xapian.h>'
refused cli/a.cc '#include <xapian.h>'
refused index/a.cc '#include <re2/re2.h>'
refused query/a.cc '#include <CLI/CLI.hpp>'
refused cli/a.cc '#include <CLI/CLI.hpp>'
refused cli/option_parser.h '#include <CLI/CLI.hpp>'
refused extract/a.cc '  std::cout << x;'
refused index/a.cc '  fprintf(stderr, "%d", x);'
refused query/a.cc '  if (x) std::exit(2);'
refused error.h 'inline void f() { _exit(2); }'

allowed index/a.cc '#include "extract/store.h"'
allowed index/a.cc '#include "index/words.h"'
allowed cli/a.cc '#include "query/query.h"'
allowed extract/a.cc '#include <simdjson.h>'
allowed extract/a.cc '#include <sqlite3.h>'
allowed index/a.cc '#include <sqlite3.h>'
allowed index/a.cc '#include <zstd.h>'
allowed query/a.cc '#include <xapian.h>'
allowed cli/option_parser.cc '#include <CLI/CLI.hpp>'
allowed cli/a.cc '  std::cout << x;'
allowed extract/a.cc '  // printf() would do, but exit(1) would not'
allowed extract/a.cc '  std::snprintf(buffer, size, "%d", x);'
allowed query/a.cc '  throw Error("use exit(1)");'
allowed query/a.cc '  on_exit_code(1);'
exit $status
