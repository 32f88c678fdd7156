#include "cli/config.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/filter_options.h"
#include "cli/nearest.h"
#include "document.h"
#include "error.h"
#include "query/dates.h"

namespace cgrep {
namespace {

// Options that are never set for all calls.
struct Refused {
  std::string_view option{};
  std::string_view why{};
};
constexpr std::string_view kSaidEachTime = "it has to be said each time";
constexpr std::string_view kOneQuestion = "it belongs to one question";
constexpr std::string_view kOtherAnswer = "no search would answer any more";
constexpr auto kRefused = std::to_array<Refused>({
    // What removes, runs or reveals something.
    {"yes", kSaidEachTime},
    {"dry-run", kSaidEachTime},
    {"force", kSaidEachTime},
    {"exec", kSaidEachTime},
    {"no-redact", kSaidEachTime},
    {"rebuild", kSaidEachTime},
    {"full", kSaidEachTime},
    {"compact", kSaidEachTime},
    {"lazy", kSaidEachTime},
    {"output", kSaidEachTime},
    // What a pattern is and means: a pattern of words would be an error, or another question.
    {"regexp", kOneQuestion},
    {"fixed-strings", kOneQuestion},
    {"extended-regexp", kOneQuestion},
    {"perl-regexp", kOneQuestion},
    {"line-regexp", kOneQuestion},
    {"whole-words", kOneQuestion},
    {"ignore-case", kOneQuestion},
    {"case-sensitive", kOneQuestion},
    {"smart-case", kOneQuestion},
    {"query", kOneQuestion},
    {"conversation", kOneQuestion},
    {"by", kOneQuestion},
    {"explain", kOtherAnswer},
    {"quiet", kOtherAnswer},
    {"help", kOtherAnswer},
    {"version", kOtherAnswer},
    {"json-schema", kOtherAnswer},
    // `index --store` reads only these; what is meant is another key.
    {"store", "default-stores are the stores of a plain search"},
});

// Keys that are no options.
constexpr std::string_view kDefaultStores = "default-stores";
constexpr std::string_view kExclude = "exclude";
constexpr std::string_view kRetain = "retain";

std::string_view why_refused(std::string_view name) {
  const auto row = std::find_if(kRefused.begin(), kRefused.end(),
                                [&](const Refused& refused) { return refused.option == name; });
  return row == kRefused.end() ? std::string_view() : row->why;
}

/// The environment variable that says it; empty when there is none.
std::string variable_of(std::string_view key) {
  if (key == "pager") return {};  // CGREP_PAGER is the program, as GIT_PAGER is
  std::string variable = "CGREP_";
  for (const char c : key)
    variable += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return variable;
}

/// Whether a variable says anything of the command. Mostly none does, and every call asks.
bool any_variable(const DeclaredCommand& command, const Environment& environment) {
  const auto is_set = [&](std::string_view key) {
    const auto variable = variable_of(key);
    const auto value = variable.empty() ? std::nullopt : environment(variable.c_str());
    return value && !value->empty();
  };
  for (const Option& option : command.options)
    for (const auto& name : option.longs())
      if (is_set(name)) return true;
  return is_set(kDefaultStores) || is_set(kExclude) || is_set(kRetain);
}

void add_key(std::vector<ConfigKey>& keys, const std::string& name, const Option& option) {
  const auto known = std::find_if(keys.begin(), keys.end(),
                                  [&](const ConfigKey& key) { return key.name == name; });
  if (known == keys.end())
    keys.push_back(
        {name, {std::string(option.value)}, std::string(option.description), option.repeatable});
  else if (std::find(known->values.begin(), known->values.end(), option.value) ==
           known->values.end())
    known->values.emplace_back(option.value);
}

std::int64_t now_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

void check_choice(const std::string& value, const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), value) == names.end())
    throw Error(fmt::format("unknown value '{}'", value), names_hint(value, names));
}

void check_number(const std::string& value) {
  std::size_t number = 0;
  const char* end = value.data() + value.size();
  const auto [stopped, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc{} || stopped != end)
    throw Error(fmt::format("a number is needed, not '{}'", value),
                "it is a whole number, such as 5");
}

void check_roles(const std::string& list) {
  const std::vector<std::string> names(kRoleNames.begin(), kRoleNames.end());
  for (const std::string& role : split_lists({list}))
    check_choice(role.substr(role.starts_with('!') ? 1 : 0), names);
}

// The value of an option, by the name that its declaration gives it.
void check_value(std::string_view value_name, const std::string& value) {
  if (value.empty()) throw Error("a value is needed", "key = value");
  if (value_name.empty())
    check_choice(value, {"true", "false"});
  else if (value_name.find('|') != std::string_view::npos)
    check_choice(value, parts_of(value_name, '|'));
  else if (value_name == "NUM")
    check_number(value);
  else if (value_name == "ROLE")
    check_roles(value);
  else if (value_name == "TIME")
    parse_date(value, now_ms());
  else if (value_name == "DIR" && !value.starts_with('/'))
    throw Error(fmt::format("an absolute path is needed, not '{}'", value), "/path or ~/path");
}

bool accepts(std::string_view value_name, const std::string& value) {
  try {
    check_value(value_name, value);
    return true;
  } catch (const Error&) {
    return false;
  }
}

void check(const Setting& setting, const ConfigKey& key) {
  try {
    // `redact = false` is no-redact.
    const bool off = key.is_flag() && setting.value == "false";
    const auto why = why_refused("no-" + key.name);
    if (off && !why.empty())
      throw Error(fmt::format("'{}' cannot be false here", key.name), std::string(why));
    const bool any = std::any_of(key.values.begin(), key.values.end(),
                                 [&](const auto& name) { return accepts(name, setting.value); });
    if (!any) check_value(key.values.front(), setting.value);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}: {}", setting.origin, setting.key, error.what()), error.hint());
  }
}

const ConfigKey& find_key(const Setting& setting, const std::vector<ConfigKey>& keys) {
  const auto key = std::find_if(keys.begin(), keys.end(),
                                [&](const ConfigKey& known) { return known.name == setting.key; });
  if (key != keys.end()) return *key;
  if (const auto why = why_refused(setting.key); !why.empty())
    throw Error(fmt::format("{}: '{}' cannot stand in the config", setting.origin, setting.key),
                std::string(why));
  std::vector<std::string> names;
  names.reserve(keys.size());
  for (const ConfigKey& known : keys) names.push_back(known.name);
  const auto nearest = nearest_name(setting.key, names);
  throw Error(fmt::format("{}: unknown key '{}'", setting.origin, setting.key),
              fmt::format("{}man cgrep-config lists the keys",
                          nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest)));
}

// Blanks around a comma are no part of a value: `transcripts, chats`.
std::vector<std::string> list_of(const std::vector<std::string>& values) {
  std::vector<std::string> list;
  for (const std::string& part : split_lists(values)) {
    const auto begin = part.find_first_not_of(" \t");
    if (begin != std::string::npos)
      list.push_back(part.substr(begin, part.find_last_not_of(" \t") - begin + 1));
  }
  return list;
}

// What a shell, or the habit of typing no blanks, would have done on the command line.
void normalise(Setting& setting, const ConfigKey& key, const Environment& environment) {
  if (key.values.front() == "DIR" && setting.value.starts_with("~/"))
    setting.value = environment("HOME").value_or("") + setting.value.substr(1);
  if (key.repeatable) setting.value = fmt::format("{}", fmt::join(list_of({setting.value}), ","));
}

std::vector<const Store*> resolve_stores(const std::vector<std::string>& values) {
  const StoreSelection selection = select_stores(values);
  std::vector<const Store*> stores;
  for (const Store* store : selection.choice.wanted)
    if (!std::count(selection.choice.unwanted.begin(), selection.choice.unwanted.end(), store))
      stores.push_back(store);
  if (stores.empty()) throw Error("it names no store", "default-stores = transcripts, chats");
  return stores;
}

// The values of a key, from the highest place that sets it, with its last origin.
struct Chosen {
  std::vector<std::string> values{};
  std::string origin{};
};
Chosen chosen(std::string_view key, std::span<const std::vector<Setting>* const> levels) {
  Chosen found;
  for (const auto* level : levels) {
    for (const Setting& setting : *level)
      if (setting.key == key) {
        found.values.push_back(setting.value);
        found.origin = setting.origin;
      }
    if (!found.values.empty()) break;
  }
  return found;
}

Settings make_settings(std::span<const std::vector<Setting>* const> levels) {
  Settings settings;
  std::string origin;
  try {
    const auto stores = chosen(kDefaultStores, levels);
    origin = stores.origin;
    if (!stores.values.empty()) settings.default_stores = resolve_stores(stores.values);
    settings.exclude = split_lists(chosen(kExclude, levels).values);
    const auto retain = chosen(kRetain, levels);
    origin = retain.origin;
    if (!retain.values.empty()) settings.retain = parse_retain(retain.values.back());
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", origin, error.what()), error.hint());
  }
  return settings;
}

// Puts settings below what the line says: an option there switches off what contradicts it.
class Merging {
 public:
  Merging(CommandLine& line, const OptionTable& table) : line_(line), table_(table) {
    for (const std::string_view word : line.options)
      given_.push_back({table.find(word.substr(0, word.find('=')))});
  }

  void add(const std::vector<Setting>& level) {
    std::vector<Given> here;
    for (const Setting& setting : level) {
      const Option* option = table_.find("--" + setting.key);
      if (option == nullptr || !may_set(*option)) continue;
      if (!accepts(option->value, setting.value)) continue;
      const Given given{option, &setting, option->is_flag() && setting.value == "false"};
      if (overruled(given, given_)) continue;
      require_agreement(given, here);
      here.push_back(given);
      add_word(given);
    }
    given_.insert(given_.end(), here.begin(), here.end());
  }

 private:
  struct Given {
    const Option* option = nullptr;
    const Setting* setting = nullptr;  // null: typed
    bool off = false;
  };

  // What forget removes is said on its line, whatever searches are told to look at.
  bool may_set(const Option& option) const {
    return table_.command() != "forget" || option.group == kPlacesGroup || option.has("--color");
  }

  static bool negates(const Option& a, const Option& b) {
    const auto names = a.longs();
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return b.has("--no-" + name); });
  }

  static bool contradict(const Given& a, const Given& b) {
    if (a.option == b.option || a.off || b.off) return false;
    return exclude_each_other(*a.option, *b.option) || negates(*a.option, *b.option) ||
           negates(*b.option, *a.option);
  }

  static bool overruled(const Given& given, const std::vector<Given>& above) {
    return std::any_of(above.begin(), above.end(), [&](const Given& other) {
      return other.option == given.option || contradict(other, given);
    });
  }

  static void require_agreement(const Given& given, const std::vector<Given>& here) {
    for (const Given& other : here)
      if (contradict(other, given))
        throw Error(fmt::format("{}: '{}' contradicts '{}'", given.setting->origin,
                                given.setting->key, other.setting->key),
                    fmt::format("'{}' is set by {}", other.setting->key, other.setting->origin));
  }

  void add_word(const Given& given) {
    const std::string name = "--" + given.setting->key;
    if (!given.option->is_flag())
      line_.options.push_back(fmt::format("{}={}", name, given.setting->value));
    else if (!given.off)
      line_.options.push_back(name);
    else if (given.option->has_counterpart())  // such as --no-heading
      line_.options.push_back(name + "=false");
  }

  CommandLine& line_;
  const OptionTable& table_;
  std::vector<Given> given_{};
};

}  // namespace

std::string ConfigKey::variable() const {
  return variable_of(name);
}

std::vector<ConfigKey> config_keys(std::span<const DeclaredCommand> commands) {
  std::vector<ConfigKey> keys;
  for (const DeclaredCommand& command : commands)
    for (const Option& option : command.options)
      for (const std::string& name : option.longs())
        if (why_refused(name).empty()) add_key(keys, name, option);
  keys.push_back({std::string(kDefaultStores),
                  {"STORES"},
                  "The stores of a plain search; those that are opt-in are opted into",
                  true});
  keys.push_back(
      {std::string(kExclude), {"PROJECT"}, "Projects that are kept out, as -p takes them", true});
  keys.push_back({std::string(kRetain),
                  {"DURATION"},
                  "How long text is kept that Cursor no longer has: 90d, 12w, 6mo, 1y, forever",
                  false});
  return keys;
}

Config::Config(const Environment& environment, std::span<const DeclaredCommand> commands)
    : file_(read_config_file(environment)) {
  const auto keys = config_keys(commands);
  find_variables(keys, environment);
  check_all(keys, environment);
}

Config::Config(const Environment& environment, const DeclaredCommand& command,
               const std::function<std::vector<DeclaredCommand>()>& declare_all)
    : file_(read_config_file(environment)) {
  if (file_.empty() && !any_variable(command, environment)) return;
  auto keys = config_keys(std::span(&command, 1));
  find_variables(keys, environment);
  // Folders are as on the line, whatever they are.
  const bool folders_only = std::all_of(
      variables_.begin(), variables_.end(),
      [&](const Setting& setting) { return find_key(setting, keys).values.front() == "DIR"; });
  if (!file_.empty() || !folders_only) {
    variables_.clear();
    keys = config_keys(declare_all());
    find_variables(keys, environment);
  }
  check_all(keys, environment);
}

void Config::find_variables(const std::vector<ConfigKey>& keys, const Environment& environment) {
  for (const ConfigKey& key : keys) {
    const std::string variable = key.variable();
    if (variable.empty()) continue;
    if (auto value = environment(variable.c_str()); value && !value->empty())
      variables_.push_back({key.name, *std::move(value), variable});
  }
}

void Config::check_all(const std::vector<ConfigKey>& keys, const Environment& environment) {
  for (Setting& setting : file_) {
    const ConfigKey& key = find_key(setting, keys);
    normalise(setting, key, environment);
    check(setting, key);
  }
  for (Setting& setting : variables_) {
    const ConfigKey& key = find_key(setting, keys);
    normalise(setting, key, environment);
    if (key.values.front() != "DIR") check(setting, key);  // may be relative, as on the line
  }
  const std::array levels = {&std::as_const(variables_), &std::as_const(file_)};
  settings_ = make_settings(levels);
}

void Config::add_to(CommandLine& line, const OptionTable& table) const {
  if (variables_.empty() && file_.empty()) return;
  Merging merging(line, table);
  merging.add(variables_);
  merging.add(file_);
}

std::optional<std::chrono::milliseconds> parse_retain(const std::string& text) {
  using std::chrono::days;
  if (text == "forever") return std::nullopt;
  struct Unit {
    std::string_view name{};
    days length{};
  };
  constexpr auto kUnits =
      std::to_array<Unit>({{"d", days(1)}, {"w", days(7)}, {"mo", days(30)}, {"y", days(365)}});
  std::uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  const std::string_view unit(stopped, static_cast<std::size_t>(end - stopped));
  constexpr std::uint32_t kMost = 36'500;  // more days, weeks or years is for ever
  for (const Unit& known : kUnits)
    if (error == std::errc{} && unit == known.name && number <= kMost)
      return std::chrono::milliseconds(number * known.length);
  throw Error(fmt::format("retain: not a length of time: '{}'", text),
              "90d, 12w, 6mo, 1y, forever");
}

}  // namespace cgrep
