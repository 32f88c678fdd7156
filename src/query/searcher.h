// Searcher: answers questions from one snapshot of the index.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "address.h"
#include "query/advice.h"
#include "query/hit.h"
#include "query/request.h"

namespace cgrep {

class History;

/// Hits of one conversation come one after the other; best conversation first, and in it the best
/// document first (by time when sorted by time). Returning false stops.
using HitVisitor = std::function<bool(const Hit&)>;

/// A conversation that answers, and those of its documents that do; both by their rows.
struct Found {
  std::int64_t conversation = 0;
  std::vector<std::int64_t> documents{};  // in the order of the answer
};

/// Reads one snapshot; cheap to make. Not for several threads.
class Searcher {
 public:
  explicit Searcher(History& history);
  ~Searcher();
  Searcher(const Searcher&) = delete;
  Searcher& operator=(const Searcher&) = delete;

  Outcome search(const Request& request, const HitVisitor& visit);

  /// The same answer without texts and lines, whatever the limit.
  std::vector<Found> find(const Request& request, Outcome& outcome);

  /// For a process that ends now: what it holds is not given back. Nothing may be asked of it then.
  void leave_open();

  /// What would have helped when nothing was found. `stores_named`: by --store.
  std::vector<Advice> advise(const Request& request, bool stores_named);

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
