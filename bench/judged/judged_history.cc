// Who says what where: the conversations about the topics, what is set beside them, and the rest.

#include "bench/judged/judged_history.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "bench/judged/background.h"
#include "bench/judged/topics.h"
#include "bench/writer.h"
#include "index/words.h"

namespace cgrep::bench {
namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

// The history ends here and began two years before.
constexpr sys_seconds kNow{std::chrono::sys_days(std::chrono::year(2026) / 7 / 1)};
constexpr std::size_t kDays = 730;
constexpr std::int64_t kSecondsPerDay = 86'400;

// Not every conversation has a title of its own, and few have a summary.
constexpr double kTitled = 0.6;
constexpr double kSummarised = 0.35;

constexpr std::array<std::string_view, 10> kRemarks = {
    "By the way, {} was on the agenda today, but nobody had time for it.",
    "This is not about {}, is it? Go on.",
    "{}: see the other thread. Here we only need the button.",
    "The ticket next to this one says \"{}\", so please keep the names apart.",
    "Not related to {}, as far as I can tell.",
    "I added a line \"{}\" to the list of things for next quarter.",
    "Somebody asked about {} in the meeting; I said later.",
    "As with {}, we should write this down somewhere.",
    "The branch is called after {}, but that was merged long ago.",
    "Put it below the entry {} in the sidebar.",
};

constexpr std::array<std::string_view, 4> kErrands = {
    "Explore the code and report: {}. Do not change anything.",
    "Find all places that have to do with {} and list them with their lines.",
    "Research {} and summarise what you find in ten lines.",
    "Look into {}. Return file names and your best explanation.",
};

class Maker {
 public:
  Maker(const JudgedPlan& plan, const std::filesystem::path& home)
      : plan_(plan),
        random_(plan.seed),
        topics_(limited(read_topics(topics_path()), plan.topics)),
        background_(topics_),
        transcripts_(transcripts_writer(home)),
        notes_(notes_writer(home)) {}

  JudgedHistory make() {
    made_.now_ms = kNow.time_since_epoch().count() * 1000;
    for (std::size_t i = 0; i < topics_.size(); ++i) add_topic(i);
    while (made_.conversations < plan_.conversations) {
      const auto theme = background_.theme(random_);
      write(conversation(background_.story(random_, theme, length()), any_project(), any_day()));
    }
    return std::move(made_);
  }

 private:
  static std::vector<Topic> limited(std::vector<Topic> topics, std::size_t most) {
    if (topics.size() > most) topics.resize(most);
    return topics;
  }

  std::size_t length() {
    return std::clamp<std::size_t>(static_cast<std::size_t>(random_.log_normal(8, 0.7)), 2, 80);
  }

  std::size_t any_day() { return random_.below(kDays); }

  const std::string& any_project() { return topics_[random_.below(topics_.size())].project; }

  std::string any_other_project(const std::string& project) {
    for (;;)
      if (const auto& other = any_project(); other != project) return other;
  }

  std::string id() {
    const auto a = random_.next();
    const auto b = random_.next();
    return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", a >> 32, a >> 16 & 0xffff, a & 0xfff,
                       0x8000 | (b >> 48 & 0x3fff), b & 0xffffffffffff);
  }

  /// `age` in days.
  Conversation conversation(const Story& story, const std::string& project, std::size_t age) {
    Conversation made{.id = id(), .project = project, .messages = story.messages};
    if (random_.chance(kTitled)) made.title = story.title;
    if (random_.chance(kSummarised)) made.summary = story.summary;
    auto time = kNow - seconds(static_cast<std::int64_t>(age) * kSecondsPerDay) -
                seconds(7'200 + random_.below(50'000));
    for (auto& message : made.messages) message.time = time += seconds(5 + random_.below(90));
    return made;
  }

  std::string write(const Conversation& made) {
    transcripts_->write(made);
    notes_->write(made);
    made_.conversations += 1 + made.subagents.size();
    return made.id;
  }

  /// The story with other work in between, as days go.
  Story told(const Story& story) {
    Story told{.title = story.title, .summary = story.summary};
    const auto theme = background_.theme(random_);
    for (const auto& message : story.messages) {
      told.messages.push_back(message);
      if (message.kind == Kind::tool) continue;  // its result follows
      const auto aside = random_.chance(0.5) ? random_.below(4) : 0;
      for (const auto& other : background_.story(random_, theme, aside + 1).messages)
        if (aside > 0 && (&message != &story.messages.front() || other.kind != Kind::user))
          told.messages.push_back(other);
    }
    return told;
  }

  void add_topic(std::size_t number) {
    const Topic& topic = topics_[number];
    const bool has_older = number % 3 == 1;
    const bool has_elsewhere = number % 3 == 2;
    const std::size_t age = has_older ? random_.below(150) : 30 + random_.below(600);

    auto about = conversation(told(topic.about), topic.project, age);
    if (random_.chance(0.5)) add_subagent(about, topic);
    const auto wanted = write(about);
    if (has_older)
      write(conversation(told(topic.about), topic.project, age + 250 + random_.below(300)));
    std::vector<std::string> either = {wanted};
    if (has_elsewhere)
      either.push_back(write(
          conversation(told(topic.about), any_other_project(topic.project), random_.below(age))));
    write(conversation(told(topic.beside), topic.project,
                       random_.chance(0.6) ? random_.below(age + 1) : any_day()));
    add_log(topic);
    for (const auto& question : topic.questions) {
      add_remarks(question.text);
      if (random_.chance(0.6)) add_scattered(question.text);
      if (random_.chance(0.5)) add_calls(question.text);
      made_.queries.push_back({.text = question.text,
                               .kind = question.kind,
                               .tuning = number % 2 == 0,
                               .wanted = either});
    }
    if (has_elsewhere)
      made_.queries.push_back({.text = topic.questions.front().text,
                               .kind = "here",
                               .here = topic.project,
                               .tuning = number % 2 == 0,
                               .wanted = {wanted}});
  }

  Story background_story() {
    return background_.story(random_, background_.theme(random_), length());
  }

  void insert(Story& story, Message message) {
    const auto place = 1 + random_.below(story.messages.size());
    story.messages.insert(story.messages.begin() + static_cast<std::ptrdiff_t>(place),
                          std::move(message));
  }

  /// Not everybody says it in the same order.
  static std::string shuffled(const std::string& words) {
    std::string other;
    for_each_word(words, [&](const Word& word) {
      const auto text = words.substr(word.begin, word.end - word.begin);
      other = other.empty() ? text : fmt::format("{} and the {}", text, other);
    });
    return other;
  }

  void add_remarks(const std::string& words) {
    for (auto count = random_.below(3); count > 0; --count) {
      auto story = background_story();
      const auto remark = fmt::format(fmt::runtime(kRemarks[random_.below(kRemarks.size())]),
                                      random_.chance(0.5) ? words : shuffled(words));
      insert(story, {.kind = random_.chance(0.5) ? Kind::user : Kind::assistant, .text = remark});
      write(conversation(story, any_project(), any_day()));
    }
  }

  // Long outputs, several of them in one conversation, as when a build is tried again.
  void add_log(const Topic& topic) {
    for (int i = 0; i < 2; ++i) {
      const auto theme = background_.theme(random_);
      auto story = background_.story(random_, theme, length());
      for (auto outputs = 1 + random_.below(3); outputs > 0; --outputs) {
        std::string text;
        for (auto lines = 20 + random_.below(150); lines > 0; --lines)
          text += random_.chance(0.5) ? topic.log + '\n' : background_.output(random_, theme, 1);
        story.messages.push_back({.kind = Kind::tool, .text = "make check", .tool = "Shell"});
        story.messages.push_back({.kind = Kind::result, .text = text, .tool = "Shell"});
      }
      write(conversation(story, random_.chance(0.5) ? topic.project : any_project(), any_day()));
    }
  }

  void add_calls(const std::string& words) {
    auto story = background_story();
    story.messages.push_back(
        {.kind = Kind::tool,
         .text = fmt::format("rg -n \"{}\" . && git log --grep=\"{}\"", words, words),
         .tool = "Shell"});
    story.messages.push_back(
        {.kind = Kind::result,
         .text = fmt::format("notes.md:12: {}\nnotes.md:40: {}\n", words, words),
         .tool = "Shell"});
    write(conversation(story, any_project(), any_day()));
  }

  void add_scattered(const std::string& words) {
    const auto theme = background_.theme(random_);
    auto story = background_.story(random_, theme, length());
    std::string text;
    for_each_word(words, [&](const Word& word) {
      text += background_.paragraph(random_, theme, 15 + random_.below(25));
      text += fmt::format("\nThe {} is another matter.\n",
                          words.substr(word.begin, word.end - word.begin));
    });
    insert(story, {.kind = Kind::assistant, .text = text});
    write(conversation(story, any_project(), any_day()));
  }

  void add_subagent(Conversation& parent, const Topic& topic) {
    const auto& question = topic.questions[random_.below(topic.questions.size())];
    const auto theme = background_.theme(random_);
    Story story{.title = topic.about.title};
    story.messages.push_back(
        {.kind = Kind::user,
         .text =
             fmt::format(fmt::runtime(kErrands[random_.below(kErrands.size())]), question.text)});
    for (auto calls = 2 + random_.below(6); calls > 0; --calls) {
      story.messages.push_back({.kind = Kind::tool,
                                .text = fmt::format("rg -n \"{}\"", question.text),
                                .tool = "Shell"});
      story.messages.push_back(
          {.kind = Kind::result, .text = background_.output(random_, theme, 10), .tool = "Shell"});
    }
    story.messages.push_back(
        {.kind = Kind::assistant,
         .text = fmt::format("Report on {}. {}\n{}", question.text,
                             background_.paragraph(random_, theme, 3), topic.about.summary)});
    auto child = conversation(story, parent.project, 0);
    for (auto& message : child.messages) message.time = parent.messages.back().time;
    child.title.clear();
    child.summary.clear();
    parent.subagents.push_back(std::move(child));
  }

  JudgedPlan plan_;
  Random random_;
  std::vector<Topic> topics_;
  Background background_;
  std::unique_ptr<Writer> transcripts_;
  std::unique_ptr<Writer> notes_;
  JudgedHistory made_{};
};

}  // namespace

JudgedHistory make_judged_history(const JudgedPlan& plan, const std::filesystem::path& home) {
  return Maker(plan, home).make();
}

}  // namespace cgrep::bench
