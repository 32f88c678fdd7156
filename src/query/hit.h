// Hit: a document that answers the question, with all that a printer needs of it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document.h"
#include "index/history.h"

namespace cgrep {

/// Bytes of a line.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  friend bool operator==(const Span&, const Span&) = default;
};

/// One line of a document's text that has matches; `text` points into Hit::text.
struct MatchLine {
  std::uint32_t number = 0;   // from 1
  std::string_view text{};    // without its line end
  std::vector<Span> spans{};  // empty: shown because the document matched by filters alone
};

struct Hit {
  const Conversation* conversation = nullptr;  // valid during the visit only
  std::int64_t row = 0;
  std::uint32_t number = 0;  // the document's, in its conversation
  Role role = Role::user;
  std::optional<Time> time{};
  std::string tool{};
  std::vector<std::string> files{};
  std::vector<std::string_view> stores{};  // names of those that hold it, best first
  std::string source{};                    // path of the source it was read from
  std::string text{};
  std::vector<MatchLine> lines{};  // where they are only counted: empty ones
  double score = 0;
  bool gone = false;
  bool delegated = false;
  bool orphan = false;
  bool truncated = false;
  bool repeated = false;
  bool beside = false;  // it does not match; it stands near one that does
  bool apart = false;   // documents between it and the one before are left out

  /// `3f2a9c1e:17`
  std::string address() const { return conversation->address + ':' + std::to_string(number); }
};

}  // namespace cgrep
