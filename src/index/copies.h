// Copies: which source has which document. Nearly all documents are in one source, once: such a
// copy is part of the document's row. As soon as there is a second one, or another dates the
// document, it gets a row of its own, and keeps it (the tables are described in history.cc).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "extract/sqlite.h"

namespace cgrep {

/// What makes a document the same when its source is read again.
struct CopyKey {
  std::int64_t identity = 0;           // no two in a source have the same
  std::optional<std::uint32_t> nth{};  // when it is known by its text
};

CopyKey copy_by_key(std::string_view key);

/// The n-th with this hash of its conversation in its source.
CopyKey copy_by_text(std::int64_t conversation, std::int64_t hash, std::uint32_t nth);

/// The copy that is part of the document's row, if there is one, gets a row of its own.
void part_copy(Database& database, std::int64_t document);

}  // namespace cgrep
