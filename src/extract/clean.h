// Takes away what Cursor wraps around texts, and keeps what the wrappers tell.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document.h"

namespace cgrep {

/// What a document can have of a text, and a byte more, so that `deliver` sees that it has to be
/// cut: the rest of a long one is not copied from place to place.
inline std::string_view fitting(std::string_view text) {
  return text.substr(0, kMaxTextBytes + 1);
}

/// Adds as much as fits.
inline void append_fitting(std::string& text, std::string_view more) {
  if (text.size() <= kMaxTextBytes) text += more.substr(0, kMaxTextBytes + 1 - text.size());
}

struct UserText {
  std::string text{};                  // what the user wrote; empty when that is nothing
  bool injected = false;               // context that Cursor added, and no word of the user
  std::optional<std::int64_t> time{};  // ms, of a <timestamp>
  std::optional<std::int64_t> day{};   // ms, noon of `Today's date:`
  std::string workspace{};             // `Workspace Path:`
  std::vector<std::string> images{};   // paths of pasted images; they are part of the text, too
};

/// What stands in the text block of a user's turn.
UserText clean_user(std::string_view raw);

/// A reply or thought without the marks of removed reasoning; empty when nothing else was there.
std::string clean_reply(std::string_view raw);

/// Whether the text says only that it was removed.
bool is_redacted(std::string_view text);

}  // namespace cgrep
