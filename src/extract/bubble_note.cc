#include "extract/bubble_note.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "extract/delivery.h"
#include "hash.h"

namespace cgrep {

namespace {

constexpr std::string_view kForm = "bubbles-3 ";
constexpr std::uint32_t kOrphan = 1u << 31u;
constexpr std::size_t kShapeBytes = 8;

void put(std::string& text, std::string_view value) {
  fmt::format_to(std::back_inserter(text), "{}:{}", value.size(), value);
}

void put(std::string& text, std::uint64_t number) {
  put(text, fmt::to_string(number));
}

/// Takes off what put() put there.
class Taker {
 public:
  explicit Taker(std::string_view text) : text_(text) {}

  std::string_view next() {
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), size);
    const auto digits = static_cast<std::size_t>(end - text_.data());
    if (error != std::errc{} || digits >= text_.size() || size > text_.size() - digits - 1) {
      failed_ = true;
      return {};
    }
    const auto value = text_.substr(digits + 1, size);
    text_.remove_prefix(digits + 1 + size);
    return value;
  }

  template <typename Number = std::uint64_t>
  Number number() {
    const auto digits = next();
    Number number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc{} || end != digits.data() + digits.size()) failed_ = true;
    return number;
  }

  bool failed() const { return failed_; }

 private:
  std::string_view text_;
  bool failed_ = false;
};

void put_bytes(std::string& text, std::uint32_t number) {
  for (unsigned shift = 0; shift < 32; shift += 8) text += static_cast<char>(number >> shift);
}

std::uint32_t bytes_at(std::string_view text, std::size_t at) {
  std::uint32_t number = 0;
  for (unsigned i = 0; i < 4; ++i)
    number |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + i])) << (8 * i);
  return number;
}

std::string packed(const std::vector<BubbleShape>& shapes) {
  std::string text;
  text.reserve(shapes.size() * kShapeBytes);
  for (const auto& shape : shapes) {
    put_bytes(text, shape.key);
    put_bytes(text, shape.value | (shape.orphan ? kOrphan : 0));
  }
  return text;
}

std::vector<BubbleShape> unpacked(std::string_view text) {
  std::vector<BubbleShape> shapes(text.size() / kShapeBytes);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    shapes[i].key = bytes_at(text, i * kShapeBytes);
    const auto rest = bytes_at(text, i * kShapeBytes + 4);
    shapes[i].value = rest & ~kOrphan;
    shapes[i].orphan = (rest & kOrphan) != 0;
  }
  return shapes;
}

}  // namespace

BubbleShape::BubbleShape(std::string_view bubble_key, std::string_view bytes, bool is_orphan)
    : key(hash_of_key(bubble_key)),
      value(static_cast<std::uint32_t>(hash64(bytes)) & ~kOrphan),
      orphan(is_orphan) {}

std::uint32_t BubbleShape::hash_of_key(std::string_view key) {
  return static_cast<std::uint32_t>(hash64(key));
}

void Told::Word::set(const std::string& value) {
  if (value.empty()) return;
  text = value;
  hash = hash64(value) | 1;
}

// What nobody says any more has to be withdrawn; what is said by others than before is claimed only
// if it was just read.
bool Told::Word::follows(const Word& before) const {
  if (hash == 0) return before.hash == 0;
  return !text.empty() || hash == before.hash;
}

void Told::add(const BubbleFacts& facts) {
  if (facts.model != "default") model_.set(facts.model);
  if (project_.hash == 0) project_.set(facts.project);
  if (uri_.hash == 0) uri_.set(facts.workspace_uri);
  if (line_.hash == 0) line_.set(facts.workspace_line);
  tokens_ += facts.tokens;
  for (const auto& child : facts.children) children_[hash64(child)] = child;
}

void Told::claim(const std::string& conversation, Sink& sink) const {
  const Claims claims(conversation, sink);
  claims.add_model(rung::model::message, model_.text);
  claims.add_path(rung::project::bubble, project_.text);
  claims.add_path(rung::project::bubble_uri, uri_.text);
  claims.add_path(rung::project::workspace_line, line_.text);
  if (tokens_ > 0) claims.add(Fact::tokens, rung::any::hint, fmt::to_string(tokens_));
  claims.add(Fact::surface, rung::any::only, "ide");
  std::set<std::string_view> children;  // in an order that a reader of them expects
  for (const auto& [hash, child] : children_)
    if (!child.empty()) children.insert(child);
  for (const auto child : children)
    Claims(std::string(child), sink).add(Fact::parent, rung::any::hint, conversation);
}

bool Told::follows(const Told& before) const {
  return model_.follows(before.model_) && project_.follows(before.project_) &&
         uri_.follows(before.uri_) && line_.follows(before.line_) &&
         (before.tokens_ == 0 || tokens_ > 0) &&
         std::all_of(before.children_.begin(), before.children_.end(),
                     [&](const auto& child) { return children_.contains(child.first); });
}

std::string BubbleNote::text() const {
  const auto put_told = [](std::string& to, const Told& by) {
    for (const auto* word : {&by.model_, &by.project_, &by.uri_, &by.line_}) put(to, word->hash);
    put(to, static_cast<std::uint64_t>(by.tokens_));
    put(to, by.children_.size());
    for (const auto& child : by.children_) put(to, child.first);
  };
  std::string text(kForm);
  for (const bool flag : {composer, in_order, trouble, delegated}) text += flag ? '1' : '0';
  put(text, settled);
  put(text, order);
  put(text, time ? fmt::to_string(*time) : std::string());
  put_told(text, settled_told);
  put_told(text, told);
  put(text, packed(shapes));
  return text;
}

std::optional<BubbleNote> BubbleNote::parse(std::string_view text) {
  constexpr std::size_t kFlags = 4;
  if (!text.starts_with(kForm) || text.size() < kForm.size() + kFlags) return std::nullopt;
  const auto flags = text.substr(kForm.size(), kFlags);
  BubbleNote note{.composer = flags[0] == '1',
                  .in_order = flags[1] == '1',
                  .trouble = flags[2] == '1',
                  .delegated = flags[3] == '1'};
  Taker taker(text.substr(kForm.size() + kFlags));
  const auto take_told = [&](Told& into) {
    for (auto* word : {&into.model_, &into.project_, &into.uri_, &into.line_})
      word->hash = taker.number();
    into.tokens_ = taker.number<std::int64_t>();
    for (auto count = taker.number(); count > 0 && !taker.failed(); --count)
      into.children_.try_emplace(taker.number());
  };
  note.settled = static_cast<std::size_t>(taker.number());
  note.order = taker.number();
  if (const auto time = taker.next(); !time.empty())
    note.time = std::strtoll(std::string(time).c_str(), nullptr, 10);
  take_told(note.settled_told);
  take_told(note.told);
  note.shapes = unpacked(taker.next());
  if (taker.failed()) return std::nullopt;
  return note;
}

const BubbleShape* BubbleNote::find(std::string_view key) const {
  const auto wanted = BubbleShape::hash_of_key(key);
  const auto found = std::lower_bound(
      shapes.begin(), shapes.end(), wanted,
      [](const BubbleShape& shape, std::uint32_t hash) { return shape.key < hash; });
  return found != shapes.end() && found->key == wanted ? &*found : nullptr;
}

}  // namespace cgrep
