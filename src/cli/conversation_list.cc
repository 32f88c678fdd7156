#include "cli/conversation_list.h"

#include <algorithm>
#include <utility>

#include "cli/display.h"

namespace cgrep {
namespace {

// Above this, all documents are counted at once.
constexpr std::size_t kFew = 100;

// By when something was last said; what has no time comes last, whatever the order.
bool comes_before(const Conversation& a, const Conversation& b, Sort order) {
  if (a.last.has_value() != b.last.has_value()) return a.last.has_value();
  if (a.last && a.last->ms != b.last->ms)
    return order == Sort::oldest ? a.last->ms < b.last->ms : a.last->ms > b.last->ms;
  return a.key < b.key;
}

}  // namespace

ConversationList::ConversationList(History& history, const Request& request)
    : history_(history),
      request_(request),
      conversations_(history),
      selection_(history, conversations_, request.filters) {}

bool ConversationList::has_pattern() const {
  return request_.exact || request_.query.kind != Query::Kind::everything;
}

void ConversationList::sort() {
  std::sort(listed_.begin(), listed_.end(),
            [&](const auto* a, const auto* b) { return comes_before(*a, *b, request_.sort); });
}

void ConversationList::find(Searcher& searcher, Outcome& outcome) {
  const auto add = [&](std::int64_t row) {
    if (const Conversation* conversation = conversations_.find(row))
      listed_.push_back(conversation);
  };
  if (has_pattern()) {
    for (Found& found : searcher.find(request_, outcome)) {
      add(found.conversation);
      found_.emplace(found.conversation, std::move(found.documents));
    }
  } else {
    for (const std::int64_t row : selection_.conversations(outcome)) add(row);
  }
  if (request_.sort != Sort::relevance || !has_pattern()) sort();
}

void ConversationList::find_without(Searcher& searcher, Outcome& outcome) {
  Outcome ignored;
  for (Found& found : searcher.find(request_, ignored))
    found_.emplace(found.conversation, std::move(found.documents));
  for (const std::int64_t row : selection_.conversations(outcome))
    if (const Conversation* conversation = conversations_.find(row);
        conversation != nullptr && !found_.contains(row))
      listed_.push_back(conversation);
  outcome.scanned = ignored.scanned;
  sort();
}

std::size_t ConversationList::limit(std::size_t most) {
  const std::size_t all = listed_.size();
  if (most > 0 && most < all) listed_.resize(most);
  if (listed_.size() > kFew && !has_pattern()) selection_.count_all();
  return all - listed_.size();
}

DocumentCounts ConversationList::counts(const Conversation& conversation) {
  if (!has_pattern()) return selection_.counts(conversation.row);
  DocumentCounts counts;
  const auto found = found_.find(conversation.row);
  if (found == found_.end()) return counts;
  for (const std::int64_t row : found->second)
    if (const auto document = history_.document(row)) counts.add(*document);
  return counts;
}

void print_address(History& history, const Conversation& conversation, const Terminal& terminal,
                   bool null_separator, Output& out) {
  const auto shown =
      painted(terminal, Paint::address,
              terminal.is_terminal ? visible(conversation.address) : conversation.address);
  out.write(terminal.links
                ? linked(terminal, source_of_conversation(history, conversation.row), shown)
                : shown);
  out.write(null_separator ? std::string_view("\0", 1) : "\n");
}

}  // namespace cgrep
