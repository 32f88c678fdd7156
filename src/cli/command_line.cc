#include "cli/command_line.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/nearest.h"
#include "error.h"

namespace cgrep {
namespace {

bool is_option(std::string_view word) {
  return word.size() > 1 && word.front() == '-';
}

// Whether the word after this option is its value.
bool swallows_next(const std::string& word, std::span<const OptionTable* const> tables) {
  // What is a flag for one command and takes a value for another, as -o, is a flag here: the search
  // `cgrep -o error index` must not become `cgrep index`.
  const auto any_takes_value = [&](const std::string& name) {
    bool any = false;
    for (const OptionTable* table : tables) {
      const Option* option = table->find(name);
      if (option != nullptr && option->is_flag()) return false;
      any = any || option != nullptr;
    }
    return any;
  };
  if (word.starts_with("--")) return word.find('=') == std::string::npos && any_takes_value(word);
  for (std::size_t i = 1; i < word.size(); ++i)
    if (any_takes_value({'-', word[i]})) return i + 1 == word.size();
  return false;
}

// Goes through the words of one command.
class Parting {
 public:
  Parting(const Words& words, const OptionTable& table, const Words& typed)
      : words_(words), table_(table), typed_(typed) {}

  CommandLine part() {
    for (; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (word == "--") {
        parted_.operands.insert(parted_.operands.end(),
                                words_.begin() + static_cast<std::ptrdiff_t>(at_) + 1,
                                words_.end());
        break;
      }
      if (!is_option(word))
        parted_.operands.push_back(word);
      else if (word.starts_with("--"))
        long_option(word);
      else
        short_options(word);
    }
    keep_last({"-i", "--ignore-case", "-s", "--case-sensitive", "-S", "--smart-case"});
    return std::move(parted_);
  }

 private:
  // Of options that undo each other the last one counts; CLI11 knows only its own order.
  void keep_last(std::initializer_list<std::string_view> names) {
    auto& options = parted_.options;
    const auto is_one = [&](const std::string& option) {
      return std::find(names.begin(), names.end(), option) != names.end();
    };
    const auto last = std::find_if(options.rbegin(), options.rend(), is_one);
    if (last == options.rend()) return;
    const auto kept = *last;
    std::erase_if(options, is_one);
    options.push_back(kept);
  }

  void long_option(const std::string& word) {
    const auto equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const Option* option = table_.find(name);
    if (option == nullptr) throw_unknown(word, name);
    if (!option->is_flag())
      add(*option, name, equals == std::string::npos ? next_word() : word.substr(equals + 1));
    else if (equals != std::string::npos)
      throw Error(fmt::format("option {} takes no value", name),
                  fmt::format("write {} alone", name));
    else
      parted_.options.push_back(name);
  }

  // `-lm3`: flags, and at last an option with its value.
  void short_options(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const std::string name = {'-', word[i]};
      const Option* option = table_.find(name);
      if (option == nullptr) throw_unknown(word, name);
      if (!option->is_flag()) {
        const std::string rest = word.substr(i + 1);
        return add(*option, name, rest.empty() ? next_word() : rest);
      }
      parted_.options.push_back(name);
    }
  }

  std::string next_word() { return at_ + 1 < words_.size() ? words_[++at_] : std::string(); }

  void add(const Option& option, const std::string& typed, const std::string& value) {
    if (value.empty())
      throw Error(
          fmt::format("option {} needs a value", typed),
          fmt::format("{} {}; cgrep {} --help explains it", typed, option.value, table_.command()));
    parted_.options.push_back(fmt::format("--{}={}", option.longs().front(), value));
  }

  [[noreturn]] void throw_unknown(const std::string& word, const std::string& name) const {
    Words names;
    for (const Option& option : table_)
      for (const std::string& known : option.longs()) names.push_back("--" + known);
    const std::string nearest = name.starts_with("--") ? nearest_name(name, names) : "";
    std::string hint = nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest);
    const bool searches = table_.command() == "search";
    if (searches)
      hint += fmt::format("to search for it: cgrep -- {}", shell_quoted(std::span(&word, 1)));
    else if (name.starts_with("--"))
      hint += fmt::format("to search for these words: cgrep -- {}", shell_quoted(typed_));
    else
      hint += search_hint(typed_);
    const std::string of = searches ? "" : fmt::format(" of {}", table_.command());
    throw Error(fmt::format("unknown option '{}'{}", word, of), hint);
  }

  const Words& words_;
  const OptionTable& table_;
  const Words& typed_;
  std::size_t at_ = 0;
  CommandLine parted_{};
};

bool plain_in_shell(std::string_view word) {
  constexpr std::string_view kPlain = "-_./:=,@%+";
  return !word.empty() && std::all_of(word.begin(), word.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kPlain.find(c) != std::string_view::npos;
  });
}

}  // namespace

bool CommandLine::has(std::string_view option) const {
  return std::find(options.begin(), options.end(), option) != options.end();
}

std::optional<std::size_t> first_operand(const Words& words,
                                         std::span<const OptionTable* const> tables) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") return std::nullopt;
    if (!is_option(words[i])) return i;
    if (swallows_next(words[i], tables)) ++i;
  }
  return std::nullopt;
}

CommandLine part_words(const Words& words, const OptionTable& table, const Words& typed) {
  return Parting(words, table, typed).part();
}

std::string shell_quoted(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (plain_in_shell(word)) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

std::string search_hint(const Words& typed) {
  const bool has_options = std::any_of(typed.begin(), typed.end(), is_option);
  return fmt::format("to search for these words: cgrep {} {}", has_options ? "search" : "--",
                     shell_quoted(typed));
}

}  // namespace cgrep
