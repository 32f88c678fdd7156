// SHA-256, for what must not be guessed back from what is kept of it.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace cgrep {

/// The 32 bytes of it.
std::string sha256(std::string_view bytes);

}  // namespace cgrep
