// Decides who says what when: lengths, languages, tools, subagents, needles.

#include "bench/history.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace cgrep::bench {
namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

// Message lengths like those of real histories: median 300, p90 2,000, p99 9,100 characters. Tool
// calls are shorter than the prose, which the median here makes up for.
constexpr double kMedianBytes = 320;
constexpr double kSpread = 1.47;
constexpr double kMaxBytes = 200'000;

// The history ends here and began two years before.
constexpr sys_seconds kEnd{std::chrono::sys_days(std::chrono::year(2026) / 7 / 1)};
constexpr seconds kSpan = std::chrono::hours(24 * 730);

// A conversation holds a needle with this probability, new or planted before.
constexpr double kNeedleChance = 0.2;

std::string uuid(Random& random) {
  const std::uint64_t a = random.next();
  const std::uint64_t b = random.next();
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", a >> 32, a >> 16 & 0xffff, a & 0xfff,
                     0x8000 | (b >> 48 & 0x3fff), b & 0xffffffffffff);
}

// One message in so many has a word with HistoryMaker::kInside in it.
constexpr double kInsideChance = 0.001;

std::string letters(std::uint64_t bits) {
  std::string spelled;
  for (; bits > 0; bits /= 20) spelled += "bcdfghjklmnpqrstvwxz"[bits % 20];
  return spelled;
}

/// Unlike any other word: a head that no other word has, then the number spelled in letters.
std::string needle_word(std::size_t number) {
  return "xyzzy" + letters(mix(number) % 100'000'000);
}

void insert_word(Random& random, std::string& text, const std::string& word) {
  const auto space = text.find(' ', random.below(text.size() + 1));
  text.insert(std::min(space, text.size()), ' ' + word);
}

Kind kind_at(Random& random, std::size_t position) {
  if (position == 0 || random.chance(0.12)) return Kind::user;
  return random.chance(0.45) ? Kind::tool : Kind::assistant;
}

Language language_of(Random& random) {
  const std::size_t dice = random.below(100);
  return dice < 86   ? Language::english
         : dice < 89 ? Language::german
         : dice < 91 ? Language::french
         : dice < 93 ? Language::russian
         : dice < 96 ? Language::chinese
         : dice < 98 ? Language::japanese
                     : Language::korean;
}

std::string tool_name(Random& random) {
  static constexpr std::string_view kTools[] = {"Read", "Grep", "Shell", "StrReplace", "Write"};
  return std::string(kTools[random.below(std::size(kTools))]);
}

}  // namespace

HistoryMaker::HistoryMaker(Plan plan)
    : plan_(plan), random_(plan.seed), notes_random_(mix(plan.seed)) {}

Conversation HistoryMaker::next() {
  const auto wanted = static_cast<std::size_t>(
      random_.log_normal(static_cast<double>(plan_.per_conversation), 0.6));
  Conversation made =
      conversation(std::clamp<std::size_t>(wanted, 1, plan_.messages - made_), start_time());
  if (made.messages.size() > 20 && random_.chance(0.2)) add_subagent(made);
  if (random_.chance(kNeedleChance)) plant_needles(made);
  plant_inside(made);
  add_notes(made);
  ++conversations_;
  return made;
}

/// Conversations follow each other evenly, with some disorder.
sys_seconds HistoryMaker::start_time() {
  const double share = static_cast<double>(made_) / static_cast<double>(plan_.messages);
  const auto offset = static_cast<std::int64_t>(share * static_cast<double>(kSpan.count()));
  return kEnd - kSpan + seconds(offset) + seconds(random_.below(86'400));
}

Conversation HistoryMaker::conversation(std::size_t messages, sys_seconds start) {
  Conversation made;
  made.id = uuid(random_);
  made.project = fmt::format("/home/mira/project{}", random_.rank_below(40) + 1);
  const Language language = language_of(random_);
  sys_seconds time = start;
  for (std::size_t i = 0; i < messages; ++i) {
    time += seconds(5 + random_.below(90));
    made.messages.push_back(message(kind_at(random_, i), language, time));
  }
  made_ += messages;
  return made;
}

Message HistoryMaker::message(Kind kind, Language language, sys_seconds time) {
  const double wanted = std::min(random_.log_normal(kMedianBytes, kSpread), kMaxBytes);
  const auto bytes = static_cast<std::size_t>(std::max(wanted, 8.0));
  if (kind != Kind::tool) return {kind, text_.prose(random_, bytes, language), "", time};
  Message call{kind, "", tool_name(random_), time};
  if (call.tool == "Shell") call.text = text_.command(random_);
  if (call.tool == "Read" || call.tool == "Grep") call.text = text_.path(random_);
  if (call.text.empty() || random_.chance(0.8)) call.text += '\n' + text_.code(random_, bytes);
  return call;
}

/// The last messages of the parent become a conversation of its own, so that the count holds.
void HistoryMaker::add_subagent(Conversation& parent) {
  Conversation child;
  child.id = uuid(random_);
  child.project = parent.project;
  const auto first = parent.messages.end() - std::ptrdiff_t(3 + random_.below(10));
  child.messages.assign(std::make_move_iterator(first),
                        std::make_move_iterator(parent.messages.end()));
  parent.messages.erase(first, parent.messages.end());
  child.messages.front().kind = Kind::user;
  parent.subagents.push_back(std::move(child));
}

/// Half of the needles are new; the others have been planted before, so that several hits exist.
void HistoryMaker::plant_needles(Conversation& conversation) {
  const bool again = !needles_.empty() && random_.chance(0.5);
  const std::size_t number = again ? random_.below(needles_.size()) : needles_.size();
  const std::string word = needle_word(number);
  insert_word(random_, conversation.messages[random_.below(conversation.messages.size())].text,
              word);
  needles_[word].push_back(conversation.id);
  conversation.planted = true;
}

void HistoryMaker::plant_inside(Conversation& conversation) {
  for (Message& message : conversation.messages) {
    if (!notes_random_.chance(kInsideChance)) continue;
    const std::string word = letters(20 + inside_.size() % 20) + std::string(kInside) +
                             letters(mix(inside_.size()) % 100'000'000);
    insert_word(notes_random_, message.text, word);
    inside_[word].push_back(conversation.id);
    conversation.planted = true;
  }
}

/// What other stores know of it, and which stores hold it: two in five the transcripts, two in five
/// the bubbles, one in five both; of the oldest tenth one in three is a chat of the old kind.
void HistoryMaker::add_notes(Conversation& conversation) {
  Random& random = notes_random_;
  const std::size_t place = random.below(5);
  conversation.in_transcripts = place < 2 || place == 4;
  conversation.in_bubbles = place >= 2;
  const bool old = made_ * 10 < plan_.messages;
  conversation.legacy = old && !conversation.planted && random.chance(1.0 / 3);
  const auto prose = [&](std::size_t bytes) {
    return text_.prose(random, bytes, Language::english);
  };
  if (random.chance(0.7)) conversation.title = prose(30);
  if (random.chance(0.3)) conversation.summary = prose(400);
  for (std::size_t i = random.chance(0.1) ? 3 : 0; i > 0; --i)
    conversation.todos.push_back(prose(50));
  if (random.chance(0.02)) conversation.plan = prose(1500);
}

}  // namespace cgrep::bench
