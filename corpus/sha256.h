// SHA-256, which names the blobs of a store.db.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace cgrep::corpus {

/// The digest as 32 raw bytes.
std::string sha256(std::string_view bytes);

/// Lower-case hexadecimal digits of the bytes.
std::string to_hex(std::string_view bytes);

}  // namespace cgrep::corpus
