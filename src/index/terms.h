// The boolean terms of a run: what cannot change once a document is written. Words are in lower
// case, so a leading capital keeps the two apart.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "document.h"

namespace cgrep {

/// Carried by documents with a word that is too long to be a term (words.h).
inline constexpr std::string_view kOverlongTerm = "L";

inline std::string role_term(Role role) {
  return "R" + std::string(name_of(role));
}

/// `folded`: a tool's name in lower case; its raw and its normalised name have a term each. A zero
/// byte would take two in the index, and could make the term too long for it.
inline std::string tool_term(std::string_view folded) {
  return "T" + std::string(folded.substr(0, std::min<std::size_t>(folded.find('\0'), 200)));
}

inline std::string conversation_term(std::int64_t row) {
  return "C" + std::to_string(row);
}

/// Whether a term of a run is a word; else it is one of the above.
inline bool is_word_term(std::string_view term) {
  return !term.empty() && (term.front() < 'A' || term.front() > 'Z');
}

}  // namespace cgrep
