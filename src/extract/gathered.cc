#include "extract/gathered.h"

#include <utility>

namespace cgrep {

namespace {

/// Makes calls of a sink again of what they became.
class Deliver {
 public:
  explicit Deliver(Sink& sink) : sink_(sink) {}
  void operator()(Document& document) const { sink_.document(std::move(document)); }
  void operator()(Claim& claim) const { sink_.claim(std::move(claim)); }
  void operator()(Problem& problem) const { sink_.problem(std::move(problem)); }
  void operator()(Gathered::Whole& whole) const { sink_.whole(whole.conversation); }
  void operator()(Gathered::More& more) const { sink_.more(more.conversation); }
  void operator()(Gathered::Vanished& vanished) const { sink_.vanished(vanished.key); }
  void operator()(Gathered::Note& note) const { sink_.note(note.part, note.text); }
  void operator()(Gathered::ForgottenNote& note) const { sink_.forget_note(note.part); }
  void operator()(Gathered::SoFar& so_far) const { sink_.so_far(so_far.mark); }

 private:
  Sink& sink_;
};

}  // namespace

void Gathered::add(Call&& call, std::size_t more_bytes) {
  constexpr std::size_t kUsual = 64;
  if (calls_.empty()) calls_.reserve(kUsual);
  calls_.push_back(std::move(call));
  bytes_ += sizeof(Call) + more_bytes;
}

void Gathered::deliver(Sink& sink) {
  for (auto& call : calls_) std::visit(Deliver(sink), call);
}

void Gatherer::add(Gathered::Call&& call, std::size_t more_bytes) {
  gathered_.add(std::move(call), more_bytes);
  grown(gathered_.bytes());
}

void Gatherer::document(Document&& document) {
  const auto bytes = document.text.size() + document.alike.size();
  add(std::move(document), bytes);
}

void Gatherer::whole(std::string_view conversation) {
  add(Gathered::Whole{std::string(conversation)});
}

void Gatherer::more(std::string_view conversation) {
  add(Gathered::More{std::string(conversation)});
}

void Gatherer::vanished(std::string_view key) {
  add(Gathered::Vanished{std::string(key)});
}

std::optional<std::string> Gatherer::noted(std::string_view part) {
  const auto found = notes_.find(part);
  return found != notes_.end() ? std::optional(found->second) : std::nullopt;
}

void Gatherer::note(std::string_view part, std::string_view text) {
  notes_.insert_or_assign(std::string(part), text);
  add(Gathered::Note{std::string(part), std::string(text)}, text.size());
}

void Gatherer::forget_note(std::string_view part) {
  if (const auto found = notes_.find(part); found != notes_.end()) notes_.erase(found);
  add(Gathered::ForgottenNote{std::string(part)});
}

std::vector<std::string> Gatherer::noted_parts() {
  std::vector<std::string> parts;
  parts.reserve(notes_.size());
  for (const auto& [part, text] : notes_) parts.push_back(part);
  return parts;
}

void Gatherer::so_far(std::string_view mark) {
  add(Gathered::SoFar{std::string(mark)});
}

}  // namespace cgrep
