#!/usr/bin/env bash
# Every header has #pragma once and says its licence in one line.
# SPDX-License-Identifier: MIT
set -uo pipefail

mapfile -t headers < <(find src tests corpus bench fuzz -name '*.h' 2>/dev/null)
without_once=$(grep -L '^#pragma once$' "${headers[@]}")
without_licence=$(grep -L '^// SPDX-License-Identifier: MIT$' "${headers[@]}")
[[ -z $without_once ]] || printf 'without #pragma once:\n%s\n' "$without_once"
[[ -z $without_licence ]] || printf 'without SPDX-License-Identifier:\n%s\n' "$without_licence"
[[ -z $without_once$without_licence ]]
