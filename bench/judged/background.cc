// Sentences with gaps, filled with the words of the topics and of the trade.

#include "bench/judged/background.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string_view>

#include "index/words.h"

namespace cgrep::bench {
namespace {

// `@` is a word, `%` a file, `#` a number.
constexpr std::array<std::string_view, 30> kSentences = {
    "I looked at the @ in % and it does what the @ expects.",
    "The @ is made before the @, so the @ never sees it.",
    "Let me read % first and then change the @.",
    "It works with # rows but not with #, because the @ grows with the @.",
    "I moved the @ out of % into a function of its own and added a test for the @.",
    "Can you rename @ to @ everywhere?",
    "What does the @ do when the @ is not there?",
    "There are two places that know about the @: % and the @.",
    "The @ should stay as it is; only the @ has to learn about the @.",
    "All # tests pass now, and the @ is not called any more.",
    "That is because the @ keeps a copy of the @.",
    "We agreed that the @ belongs to the team of the @.",
    "Please write a short note on the @ for people who come from the @.",
    "I would rather not touch the @ this week.",
    "The review asks for a better name than @ and for a comment on the @.",
    "With the new @ the numbers are # before and # after.",
    "In % there is a second @ that nobody uses.",
    "If the @ fails, the @ tries once more and then gives up.",
    "Now the @ reads the @ only when it has changed.",
    "Why is the @ so much larger than the @?",
    "The customer wants a button for the @ beside the @.",
    "Everything else about the @ can wait until after the release.",
    "I split the change: first the @, then the @, then the cleanup of %.",
    "Does the @ still need the @, or was that only for the old @?",
    "It is the same as last month, when the @ was slow and the @ was blamed for it.",
    "The @ has an owner, a date and a list of @.",
    "I added # lines to % and removed #, most of them about the @.",
    "After the upgrade the @ prints a warning about the @, which we can ignore.",
    "This is the part of the @ that I do not understand: where does the @ come from?",
    "Done. The @ is in place, and % has an example with the @.",
};

constexpr std::array<std::string_view, 10> kOutputs = {
    "%:#: @ @",
    "INFO @ started in #ms",
    "DEBUG % @=# @=#",
    "+  const @ = make_@(#);",
    "-  return @(@, #);",
    "ok # @ @ (# ms)",
    "warning: @ is deprecated, use @",
    "at @ (%:#)",
    "  \"@\": \"@\",",
    "[#] @ -> @ done",
};

constexpr std::array<std::string_view, 8> kTitles = {
    "Change the @ for the @", "Look into @",       "@ and @ in %",       "Review of the @",
    "New @ beside the @",     "Questions about @", "Clean up @ after @", "Plan for the @"};

constexpr std::array<std::string_view, 6> kCommands = {
    "rg -n @ src", "git log --oneline -- %", "make @", "cat %", "npm run @ -- @", "git diff %"};

constexpr std::array<std::string_view, 40> kTrade = {
    "parser",  "handler", "config", "schema",  "table",   "button",  "client",  "release",
    "version", "module",  "helper", "service", "request", "adapter", "store",   "queue",
    "layout",  "theme",   "report", "worker",  "token",   "buffer",  "menu",    "importer",
    "policy",  "role",    "script", "filter",  "column",  "banner",  "invoice", "customer",
    "locale",  "metric",  "alert",  "folder",  "plugin",  "socket",  "widget",  "backup"};

constexpr std::array<std::string_view, 8> kFolders = {"src", "lib",   "app",  "server",
                                                      "ui",  "tests", "core", "tools"};
constexpr std::array<std::string_view, 5> kEndings = {"ts", "py", "rs", "go", "cc"};

template <typename Values>
decltype(auto) any(Random& random, const Values& values) {
  return values[random.below(std::size(values))];
}

bool is_plain(std::string_view word) {
  return word.size() > 3 &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

std::set<std::string> words_in(const Topic& topic) {
  std::set<std::string> words;
  const auto add = [&](std::string_view text) {
    for_each_word(text, [&](const Word& word) {
      if (word.folded.size() > 3) words.emplace(text.substr(word.begin, word.end - word.begin));
    });
  };
  for (const auto& message : topic.about.messages) add(message.text);
  for (const auto& question : topic.questions) add(question.text);
  return words;
}

}  // namespace

Background::Background(const std::vector<Topic>& topics) {
  std::map<std::string, std::size_t> uses;
  for (const auto& topic : topics)
    for (const auto& word : words_in(topic)) ++uses[word];
  // What many topics have is in the sentences anyway; identifiers are rarer, and no theme.
  const auto common = std::max<std::size_t>(4, topics.size() / 8);
  for (const auto& topic : topics) {
    topics_.emplace_back();
    for (const auto& word : words_in(topic)) {
      if (uses[word] >= common) continue;
      const bool plain = is_plain(word);
      words_.insert(words_.end(), plain ? 5 : 1, word);
      if (plain) topics_.back().push_back(word);
    }
  }
}

// From different topics: a conversation about two words of one query would be an answer to it.
Theme Background::theme(Random& random) const {
  Theme theme;
  const std::size_t first = random.below(topics_.size());
  for (std::size_t i = 0; i < 4; ++i)
    theme.push_back(any(random, topics_[(first + i * 7) % topics_.size()]));
  for (std::size_t i = 0; i < 5; ++i) theme.emplace_back(any(random, kTrade));
  return theme;
}

const std::string& Background::word(Random& random, const Theme& theme) const {
  return random.chance(0.6) ? any(random, theme) : any(random, words_);
}

std::string Background::filled(Random& random, const Theme& theme, std::string_view pattern) const {
  std::string text;
  for (const char c : pattern) {
    if (c == '@') {
      text += word(random, theme);
    } else if (c == '%') {
      text += any(random, kFolders);
      text += '/' + word(random, theme) + '/' + any(random, theme) + '.';
      text += any(random, kEndings);
    } else if (c == '#') {
      text += std::to_string(random.below(1000));
    } else {
      text += c;
    }
  }
  return text;
}

std::string Background::sentence(Random& random, const Theme& theme) const {
  return filled(random, theme, any(random, kSentences));
}

std::string Background::paragraph(Random& random, const Theme& theme, std::size_t sentences) const {
  std::string text;
  for (std::size_t i = 0; i < sentences; ++i) {
    if (i > 0) text += i % 6 == 0 ? '\n' : ' ';
    text += sentence(random, theme);
  }
  return text;
}

std::string Background::title(Random& random, const Theme& theme) const {
  return filled(random, theme, any(random, kTitles));
}

std::string Background::command(Random& random, const Theme& theme) const {
  return filled(random, theme, any(random, kCommands));
}

std::string Background::output(Random& random, const Theme& theme, std::size_t lines) const {
  std::string text;
  for (std::size_t i = 0; i < lines; ++i)
    text += filled(random, theme, any(random, kOutputs)) + '\n';
  return text;
}

Story Background::story(Random& random, const Theme& theme, std::size_t messages) const {
  Story story{.title = title(random, theme), .summary = paragraph(random, theme, 2)};
  const auto sentences = [&](double median) {
    return 1 + static_cast<std::size_t>(random.log_normal(median, 0.8));
  };
  for (std::size_t i = 0; i < messages; ++i) {
    if (i == 0 || random.chance(0.2)) {
      story.messages.push_back(
          {.kind = Kind::user, .text = paragraph(random, theme, sentences(1.5))});
    } else if (random.chance(0.5)) {
      story.messages.push_back(
          {.kind = Kind::assistant, .text = paragraph(random, theme, sentences(3))});
    } else {
      story.messages.push_back(
          {.kind = Kind::tool, .text = command(random, theme), .tool = "Shell"});
      const auto lines = static_cast<std::size_t>(std::min(random.log_normal(12, 1.2), 600.0));
      story.messages.push_back(
          {.kind = Kind::result, .text = output(random, theme, lines), .tool = "Shell"});
    }
  }
  return story;
}

}  // namespace cgrep::bench
