// What a search is asked, and what it says of its answer beside the hits.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "query/exact.h"
#include "query/filters.h"
#include "query/query.h"
#include "query/rank_weights.h"

namespace cgrep {

enum class Sort : std::uint8_t { relevance, newest, oldest };

/// How many matching lines will be shown.
struct LineLimit {
  std::size_t of_document = std::numeric_limits<std::size_t>::max();
  std::size_t of_conversation = std::numeric_limits<std::size_t>::max();
};

/// What will be shown of the answer; less is cheaper.
enum class Detail : std::uint8_t {
  lines,          // every document with its lines
  counts,         // how many lines: where it can be, one hit for a conversation stands for all
  conversations,  // one document of each, without lines
};

struct Request {
  Query query{};
  std::optional<ExactQuery> exact{};  // instead of the query
  Filters filters{};
  Sort sort = Sort::relevance;
  Detail detail = Detail::lines;
  std::size_t limit = 0;   // conversations; 0: all
  bool spread = true;      // conversations will do when no document has all the words
  std::size_t around = 0;  // documents before and after each that matches
  LineLimit shown{};       // matches beyond it have nothing around them
  bool sources = true;     // hits name a source
  std::string here{};      // the current project, for ranking; may be empty
  RankWeights weights{};
  std::optional<std::int64_t> now_ms{};  // for ranking; absent: the clock's
};

struct Outcome {
  std::size_t conversations = 0;  // delivered
  std::size_t documents = 0;
  std::size_t lines = 0;
  std::size_t more_conversations = 0;  // not delivered because of the limit
  bool more_is_exact = true;
  std::size_t undated = 0;  // left out because --since/--until needs a time and they have none
  bool spread = false;      // no document has all the words; conversations do
  bool scanned = false;     // words/ was not usable: the texts were read instead
};

}  // namespace cgrep
