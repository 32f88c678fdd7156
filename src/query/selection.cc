#include "query/selection.h"

#include "query/conditions.h"
#include "query/snapshot.h"

namespace cgrep {

namespace {

std::uint32_t bits_of(const std::vector<const Store*>& stores) {
  std::uint32_t bits = 0;
  for (const Store* store : stores) bits |= store_bit(*store);
  return bits;
}

// Filters that choose stores and nothing else are what a plain question has: the tables answer
// them without a look at every document. A filter that is not known here is never one of them.
std::optional<UsualDocuments> usual_documents(const Filters& filters) {
  Filters usual;
  usual.stores = filters.stores;
  usual.repeated = filters.repeated;
  if (filters != usual) return std::nullopt;
  return UsualDocuments{.wanted = bits_of(filters.stores.wanted),
                        .unwanted = bits_of(filters.stores.unwanted),
                        .repeated = filters.repeated};
}

}  // namespace

Selection::Selection(History& history, const Conversations& conversations, const Filters& filters)
    : history_(history),
      conversations_(conversations),
      filters_(filters),
      usual_(usual_documents(filters)) {}

void Selection::for_each_document(Outcome& outcome, const DocumentVisitor& visit) {
  Conditions conditions(history_, 0);  // filters name moments: none of them needs to know the time
  const auto asked = conditions.of_filters(filters_, false);
  history_.for_each_document([&](const StoredDocument& document) {
    Candidate candidate{.document = document, .time = document.time};
    const Conversation* conversation =
        candidate.time ? nullptr : conversations_.find(document.conversation);
    if (conversation != nullptr) candidate.time = conversation->fallback;
    if (Snapshot::hold(asked, candidate, outcome)) visit(candidate.document, candidate.time);
    return true;
  });
}

std::vector<std::int64_t> Selection::conversations(Outcome& outcome) {
  if (usual_) return conversations_with(history_, *usual_);
  for_each_document(outcome, [&](const StoredDocument& document, const std::optional<Time>&) {
    counts_[document.conversation].add(document);
  });
  std::vector<std::int64_t> rows;
  rows.reserve(counts_.size());
  for (const auto& [row, counts] : counts_) rows.push_back(row);
  return rows;
}

void Selection::count_all() {
  if (usual_ && counts_.empty()) counts_ = count_documents(history_, *usual_);
}

DocumentCounts Selection::counts(std::int64_t conversation) {
  const auto found = counts_.find(conversation);
  if (found != counts_.end()) return found->second;
  return usual_ ? count_documents(history_, *usual_, conversation) : DocumentCounts{};
}

}  // namespace cgrep
