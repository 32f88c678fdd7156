// The JSON Schema of what --json prints.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace cgrep {

/// Draft 2020-12, of one event: a line. Every member is required, no other is allowed.
std::string json_schema();

}  // namespace cgrep
