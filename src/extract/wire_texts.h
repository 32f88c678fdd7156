// Texts in protobuf messages of which nobody knows the schema.
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

namespace cgrep {

/// All texts in the message and the messages in it, in order. No ids, no binary data; not more
/// than a document can hold.
std::vector<std::string_view> wire_texts(std::string_view message);

/// Whether somebody may have written it: no id, path, number or encoded data.
bool is_prose(std::string_view text);

}  // namespace cgrep
