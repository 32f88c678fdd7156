#include "extract/message_delivery.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "extract/clean.h"
#include "extract/delivery.h"
#include "extract/tools.h"
#include "extract/utf8.h"
#include "hash.h"

namespace cgrep {

namespace {

// Positions leave room between messages for what other accounts add, and before the first of them
// for what was there before the model's memory begins.
constexpr std::uint64_t kFirst = std::uint64_t{1} << 40;
constexpr std::uint64_t kGap = std::uint64_t{1} << 20;

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// White space differs between accounts.
std::string folded(std::string_view text) {
  std::string out;
  for (const char c : trimmed(text)) {
    if (!is_space(c))
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

std::uint64_t hash_of(const Document& document) {
  const auto& told = document.alike.empty() ? document.text : document.alike;
  return hash64(folded(told), static_cast<std::uint64_t>(document.role) + 1);
}

// Some ids are two, a line each.
std::string call_key(Role role, std::string_view call) {
  call = call.substr(0, call.find('\n'));
  return call.empty() ? std::string() : fmt::format("{} {}", name_of(role), call);
}

// How long the `     1|` is that a line begins with.
std::size_t line_number_size(std::string_view line) {
  const auto digits = line.find_first_not_of(" \t");
  if (digits == line.npos) return 0;
  const auto bar = line.find_first_not_of("0123456789", digits);
  return bar != line.npos && bar > digits && line[bar] == '|' ? bar + 1 : 0;
}

}  // namespace

std::string without_line_numbers(std::string_view text) {
  // A message instead of the file's lines has none, whatever lines of it may look like.
  if (line_number_size(text.substr(0, text.find('\n'))) == 0) return std::string(fitting(text));
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const auto line = text.substr(begin, end - begin);
    append_fitting(out, line.substr(line_number_size(line)));
    begin = end;
  }
  return out;
}

MessageDelivery::MessageDelivery(std::string_view store, std::string conversation,
                                 std::string key_prefix, Sink& sink)
    : store_(store),
      conversation_(std::move(conversation)),
      key_prefix_(std::move(key_prefix)),
      sink_(sink) {}

void MessageDelivery::next_account(Begins begins) {
  ++account_;
  counts_.clear();
  inherited_.reset();
  turn_time_.reset();
  before_ = begins == Begins::before;
  if (begins <= Begins::first) anchor_ = 0;
  if (begins == Begins::last)
    for (const auto position : used_) anchor_ = std::max(anchor_, position);
}

void MessageDelivery::begin_message(std::string_view blob) {
  blob_ = blob;
  times_ = ++begun_[blob_];
  part_ = -1;
  message_time_.reset();
  if (account_ == 0) anchor_ = kFirst + kGap * messages_++;
}

std::string MessageDelivery::key() const {
  auto key = fmt::format("{}{}/{}", key_prefix_, blob_, std::max(part_, 0));
  // The same words are the same blob: said twice, it is twice in its list.
  if (times_ > 1) key += fmt::format("#{}", times_);
  return key;
}

std::uint64_t MessageDelivery::free_position() {
  while (!used_.insert(++anchor_).second) continue;
  return anchor_;
}

const MessageDelivery::Place* MessageDelivery::told(std::uint64_t hash, const std::string& call) {
  const auto count = ++counts_[hash];
  const auto called = call.empty() ? calls_.end() : calls_.find(call);
  if (called != calls_.end() && called->second.account != account_) return &called->second;
  const auto known = places_.find(hash);
  if (known == places_.end() || known->second.size() < count) return nullptr;
  const Place& place = known->second[count - 1];
  // Two ids are two calls, though they may look alike.
  return place.called && !call.empty() ? nullptr : &place;
}

void MessageDelivery::add(Document document, std::string_view call) {
  if (document.role != Role::tool_call && trimmed(document.text).empty()) return;
  const auto hash = hash_of(document);
  const auto id = call_key(document.role, call);
  if (const Place* place = told(hash, id)) {
    if (!before_ || place->account > 0) anchor_ = place->position;
    if (place->time) inherited_ = place->time;
    return;
  }
  document.store = store_;
  document.conversation = conversation_;
  document.identity.key = key();
  document.position = free_position();
  const auto own = message_time_ ? message_time_ : turn_time_;
  document.time = own ? Time{*own, TimeOrigin::native} : inherited_;
  const Place place{document.position, document.time, account_, !id.empty()};
  places_[hash].push_back(place);
  if (!id.empty()) calls_.try_emplace(id, place);
  deliver(std::move(document), sink_);
}

void MessageDelivery::user(std::string_view raw, bool simulated) {
  auto cleaned = clean_user(raw);
  if (cleaned.time) inherited_ = Time{*cleaned.time, TimeOrigin::tag};
  if (!day_) day_ = cleaned.day;
  if (!cleaned.workspace.empty() && (account_ == 0 || workspace_.empty()))
    workspace_ = cleaned.workspace;
  add({.role = cleaned.injected ? Role::system : Role::user,
       .text = std::move(cleaned.text),
       .files = std::move(cleaned.images),
       .delegated = simulated && !cleaned.injected});
}

void MessageDelivery::reply(Role role, std::string_view raw) {
  add({.role = role, .text = clean_reply(raw)});
}

void MessageDelivery::plain(Role role, std::string_view text) {
  add({.role = role, .text = std::string(fitting(trimmed(text)))});
}

void MessageDelivery::tool_call(std::string_view name, Arguments arguments, std::string_view call) {
  if (!call.empty()) tools_[std::string(call)] = name;
  Document document{.role = Role::tool_call, .tool = std::string(name)};
  document.alike = alike_call(name, arguments);
  document.text = std::move(arguments.text);
  document.files = std::move(arguments.files);
  add(std::move(document), call);
}

void MessageDelivery::tool_result(std::string_view name, std::string_view text,
                                  std::string_view call) {
  if (is_redacted(text)) return;
  const auto called = tools_.find(std::string(call));
  if (name.empty() && called != tools_.end()) name = called->second;
  const bool read = normalised_tool(name) == "Read";
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  add({.role = Role::tool_result,
       .text = read ? without_line_numbers(text) : std::string(fitting(text)),
       .tool = std::string(name)},
      call);
}

void MessageDelivery::attachment(Role role, std::string_view path) {
  add({.role = role, .text = std::string(path), .files = {std::string(path)}});
}

void MessageDelivery::model(std::string_view name) {
  const bool named = !name.empty() && name != "default" && name != "auto";
  if (named && (account_ == 0 || model_.empty())) model_ = name;
}

void MessageDelivery::request(std::string_view id) {
  if (!id.empty()) requests_.emplace(id);
}

void MessageDelivery::problem(std::string_view what) {
  sink_.problem({.what = std::string(what), .example = key_prefix_ + blob_});
}

void MessageDelivery::claims() const {
  const Claims claims(conversation_, sink_);
  claims.add_path(rung::project::workspace_line, workspace_);
  claims.add_model(rung::model::message, model_);
  if (day_) claims.add(Fact::created, rung::any::hint, fmt::to_string(*day_));
}

}  // namespace cgrep
