// What texts often say, so that short ones take less to unpack (frames.h).
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace cgrep {

/// A dictionary of zstd, for good.
std::string_view frame_dictionary();

}  // namespace cgrep
