// Searcher: answers a Query from one snapshot of the index.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "address.h"
#include "query/exact.h"
#include "query/filters.h"
#include "query/hit.h"
#include "query/query.h"

namespace cgrep {

class History;

enum class Sort : std::uint8_t { relevance, newest, oldest };

struct Request {
  Query query{};
  std::optional<ExactQuery> exact{};  // instead of the query
  Filters filters{};
  Sort sort = Sort::relevance;
  std::size_t limit = 0;  // conversations; 0: all
  std::string here{};     // the current project, for ranking; may be empty
};

struct Outcome {
  std::size_t conversations = 0;  // delivered
  std::size_t documents = 0;
  std::size_t lines = 0;
  std::size_t more_conversations = 0;  // not delivered because of the limit
  bool more_is_exact = true;
  std::size_t undated = 0;  // left out because --since/--until needs a time and they have none
  bool scanned = false;     // words/ was not usable: the texts were read instead
};

/// Hits of one conversation come one after the other; best conversation first, and in it the best
/// document first (by time when sorted by time). Returning false stops.
using HitVisitor = std::function<bool(const Hit&)>;

/// Reads one snapshot; cheap to make. Not for several threads.
class Searcher {
 public:
  explicit Searcher(History& history);
  ~Searcher();
  Searcher(const Searcher&) = delete;
  Searcher& operator=(const Searcher&) = delete;

  Outcome search(const Request& request, const HitVisitor& visit);

  /// The query as Xapian gets it; for --explain.
  std::string explain(const Request& request);

  /// The conversation that the address names. Throws Error: none (with the nearest), or several
  /// (with all of them).
  Conversation find_conversation(const Address& address);

  /// Documents of the address in reading order, without match lines.
  void read(const Address& address, const HitVisitor& visit);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cgrep
