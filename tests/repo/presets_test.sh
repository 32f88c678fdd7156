#!/usr/bin/env bash
# presets_test.sh CMAKE: CMake reads CMakePresets.json and knows every workflow that we name.
# SPDX-License-Identifier: MIT
set -uo pipefail

status=0
workflows=$("$1" --workflow --list-presets) || exit 1
for preset in dev release asan tsan coverage; do
  grep -q "\"$preset\"" <<<"$workflows" || { echo "no workflow $preset"; status=1; }
done
exit $status
