#include "cli/hooks_json.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cli/json_text.h"
#include "error.h"
#include "extract/json.h"

namespace cgrep {
namespace {

constexpr std::string_view kRun = " hook run";
constexpr std::string_view kName = "cgrep";

/// One of our commands in the list of an event.
struct Own {
  std::size_t hooks = 0;  // which of the members of the root
  std::size_t event = 0;  // which member of it
  std::size_t index = 0;  // which item of its list
  TextSpan command{};     // the string
};

// A word of a command line, without the quotes that we put around it.
std::string unquoted(std::string_view word) {
  std::string plain;
  bool quoted = false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] == '\'')
      quoted = !quoted;
    else if (word[i] == '\\' && !quoted && i + 1 < word.size())
      plain += word[++i];
    else
      plain += word[i];
  }
  return plain;
}

/// A text with its structure.
class Hooks {
 public:
  explicit Hooks(const std::string& text) : text_(text), json_(text_) {
    if (!json_.is_object(json_.root())) throw Error("it holds no object");
    root_ = json_.parts(json_.root());
  }

  const JsonText& json() const { return json_; }
  const std::vector<JsonPart>& root() const { return root_; }

  /// All of ours, wherever they stand.
  std::vector<Own> own() const {
    std::vector<Own> found;
    for (std::size_t hooks = 0; hooks < root_.size(); ++hooks) {
      if (root_[hooks].key != "hooks" || !json_.is_object(root_[hooks].value)) continue;
      const auto events = json_.parts(root_[hooks].value);
      for (std::size_t event = 0; event < events.size(); ++event) {
        if (!json_.is_array(events[event].value)) continue;
        const auto items = json_.parts(events[event].value);
        for (std::size_t index = 0; index < items.size(); ++index)
          if (const auto command = command_of(items[index].value);
              command.end > 0 && is_own_command(json_.string(command)))
            found.push_back({hooks, event, index, command});
      }
    }
    return found;
  }

 private:
  // The last one counts, as in JavaScript.
  TextSpan command_of(TextSpan item) const {
    TextSpan command;
    if (!json_.is_object(item)) return command;
    for (const auto& member : json_.parts(item))
      if (member.key == "command")
        command = json_.is_string(member.value) ? member.value : TextSpan{};
    return command;
  }

  const std::string& text_;
  JsonText json_;
  std::vector<JsonPart> root_{};
};

const JsonPart* last_named(const std::vector<JsonPart>& members, std::string_view key) {
  const JsonPart* found = nullptr;
  for (const auto& member : members)
    if (member.key == key) found = &member;
  return found;
}

class Insertion {
 public:
  Insertion(std::string& text, const std::string& command)
      : text_(text),
        end_of_line_(text.find("\r\n") != std::string::npos ? "\r\n" : "\n"),
        entry_(fmt::format("{{ \"command\": {} }}", json_quote(command))) {}

  void run() {
    const Hooks hooks(text_);
    const auto* object = last_named(hooks.root(), "hooks");
    if (object == nullptr)
      return append(hooks.root(), hooks.json().root(),
                    all_hooks(last_named(hooks.root(), "version") == nullptr));
    if (!hooks.json().is_object(object->value)) throw Error("\"hooks\" is no object");
    for (const auto event : kCursorEvents) add_event(event);
  }

  /// A new file.
  std::string file() const { return "{" + line(1) + all_hooks(true) + line(0) + "}" + line(0); }

 private:
  std::string line(int depth) const {
    return end_of_line_ + std::string(static_cast<std::size_t>(depth) * 2, ' ');
  }

  std::string list(std::string_view event) const {
    return fmt::format("\"{}\": [{}{}{}]", event, line(3), entry_, line(2));
  }

  // White space before the last part, to put before the next one as well.
  std::string indent(const std::vector<JsonPart>& parts, TextSpan container) const {
    const auto begin = parts.back().all.begin;
    auto from = begin;
    while (from > container.begin && (text_[from - 1] == ' ' || text_[from - 1] == '\t' ||
                                      text_[from - 1] == '\n' || text_[from - 1] == '\r'))
      --from;
    return text_.substr(from, begin - from);
  }

  void append(const std::vector<JsonPart>& parts, TextSpan container, const std::string& part) {
    if (parts.empty())
      text_.insert(container.begin + 1, part);
    else
      text_.insert(parts.back().all.end, "," + indent(parts, container) + part);
  }

  std::string all_hooks(bool with_version) const {
    std::string object = "\"hooks\": {";
    for (const auto event : kCursorEvents)
      object += (event == kCursorEvents.front() ? "" : ",") + line(2) + list(event);
    object += line(1) + "}";
    if (with_version) object += "," + line(1) + "\"version\": 1";
    return object;
  }

  void add_event(std::string_view event) {
    const Hooks hooks(text_);
    const auto object = last_named(hooks.root(), "hooks")->value;
    const auto events = hooks.json().parts(object);
    const auto* place = last_named(events, event);
    if (place == nullptr) return append(events, object, list(event));
    if (!hooks.json().is_array(place->value))
      throw Error(fmt::format("the hooks of \"{}\" are no list", event));
    const auto own = hooks.own();
    const bool there = std::any_of(own.begin(), own.end(), [&](const Own& one) {
      return place->value.begin < one.command.begin && one.command.end < place->value.end;
    });
    if (!there) append(hooks.json().parts(place->value), place->value, entry_);
  }

  std::string& text_;
  std::string end_of_line_;
  std::string entry_;
};

// Ours that name another path, or stand in a list twice.
void update_commands(std::string& text, const std::string& command) {
  const auto quoted = json_quote(command);
  const auto own = Hooks(text).own();
  for (auto one = own.rbegin(); one != own.rend(); ++one)
    if (JsonText(text).string(one->command) != command)
      text.replace(one->command.begin, one->command.end - one->command.begin, quoted);
}

// Takes parts [first, last] out of what they stand in, with the comma that goes with them. False
// when nothing is left in it and it was made for them.
bool take_out(std::string& text, const std::vector<JsonPart>& parts, std::size_t first,
              std::size_t last, TextSpan container) {
  TextSpan piece{parts[first].all.begin, parts[last].all.end};
  if (first > 0)
    piece.begin = parts[first - 1].all.end;
  else if (last + 1 < parts.size())
    piece.end = parts[last + 1].all.begin;
  else if (piece.begin != container.begin + 1)
    return false;
  text.erase(piece.begin, piece.end - piece.begin);
  return true;
}

// False when the whole text was made for it.
bool take_out(std::string& text, const Own& own) {
  const Hooks hooks(text);
  const auto object = hooks.root()[own.hooks].value;
  const auto events = hooks.json().parts(object);
  const auto list = events[own.event].value;
  if (take_out(text, hooks.json().parts(list), own.index, own.index, list)) return true;
  if (take_out(text, events, own.event, own.event, object)) return true;
  // A version that was made with them stands behind.
  auto last = own.hooks;
  if (last + 1 < hooks.root().size() && hooks.root()[last + 1].key == "version") ++last;
  return take_out(text, hooks.root(), own.hooks, last, hooks.json().root());
}

// Of those in one list, the first stays.
void remove_doubles(std::string& text) {
  for (bool again = true; std::exchange(again, false);) {
    const auto own = Hooks(text).own();
    for (std::size_t i = 1; i < own.size() && !again; ++i)
      if (own[i].hooks == own[i - 1].hooks && own[i].event == own[i - 1].event)
        again = take_out(text, own[i]);
  }
}

}  // namespace

bool is_own_command(std::string_view command) {
  if (!command.ends_with(kRun)) return false;
  command.remove_suffix(kRun.size());
  const auto path = unquoted(command);
  const auto name = std::string_view(path).substr(path.rfind('/') + 1);
  return name.starts_with(kName);
}

std::string with_cursor_hooks(const std::optional<std::string>& text, const std::string& command) {
  auto changed = text.value_or(std::string());
  Insertion insertion(changed, command);
  if (!text) return insertion.file();
  insertion.run();
  update_commands(changed, command);
  remove_doubles(changed);
  return changed;
}

std::optional<std::string> without_cursor_hooks(const std::string& text) {
  auto changed = text;
  for (;;) {
    const auto own = Hooks(changed).own();
    if (own.empty()) return changed;
    if (!take_out(changed, own.front())) return std::nullopt;
  }
}

std::vector<CursorHook> cursor_hooks(const std::string& text) {
  std::vector<CursorHook> found;
  const Hooks hooks(text);
  for (const auto& own : hooks.own())
    found.push_back({hooks.json().parts(hooks.root()[own.hooks].value)[own.event].key,
                     hooks.json().string(own.command)});
  return found;
}

}  // namespace cgrep
