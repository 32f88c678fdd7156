// Reading order: where a document stands in its conversation, when several sources hold parts of
// it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "extract/store.h"

namespace cgrep {

class Database;

/// A position as a source gave it, as history.db keeps it: what is told of a conversation (title,
/// summary, todos) stands before what was said in it.
std::int64_t reading_position(const Store& store, std::uint64_t position);

/// Whether any of these stores, given as bits, keeps messages.
bool any_messages(std::uint32_t stores);

/// Stands among the bits of a conversation's stores: several sources have, or had, messages of it.
constexpr std::uint32_t kSeveralSources = 1u << 31;

/// Whether several of these stores keep messages, or several sources do: then they have to be put
/// in order.
bool needs_order(std::uint32_t stores);

/// Writes the documents' positions: the order of the richest store, and what only others have
/// after what precedes it there. Of one store, its sources come by their paths: which of them was
/// found first does not matter.
void order_documents(Database& database, std::int64_t conversation);

}  // namespace cgrep
