#!/usr/bin/env bash
# Every header has #pragma once and says its licence in one line; no type is defined in two of them,
# which the linker would not notice.
# SPDX-License-Identifier: MIT
set -uo pipefail

mapfile -t headers < <(find src tests corpus bench fuzz -name '*.h' 2>/dev/null)
without_once=$(grep -L '^#pragma once$' "${headers[@]}")
without_licence=$(grep -L '^// SPDX-License-Identifier: MIT$' "${headers[@]}")
[[ -z $without_once ]] || printf 'without #pragma once:\n%s\n' "$without_once"
[[ -z $without_licence ]] || printf 'without SPDX-License-Identifier:\n%s\n' "$without_licence"
twice=$(find src -name '*.h' -exec grep -hoE '^(struct|class|enum class) [A-Za-z]+( : [^{]*)? \{' {} + |
  sed -E 's/^(struct|class|enum class) ([A-Za-z]+).*/\2/' | sort | uniq -d)
[[ -z $twice ]] || printf 'defined in two headers:\n%s\n' "$twice"
[[ -z $without_once$without_licence$twice ]]
