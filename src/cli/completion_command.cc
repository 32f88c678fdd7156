// cgrep completion: a completion script for a shell; and, for these scripts, what the index knows.
#include <algorithm>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/config.h"
#include "cli/display.h"
#include "cli/generate.h"
#include "cli/nearest.h"
#include "cli/option_parser.h"
#include "cli/options.h"
#include "index/folder.h"
#include "index/history.h"
#include "index/values.h"

namespace cgrep {
namespace {

// The index that a search of this user would take.
std::filesystem::path configured_index(const Environment& environment) {
  PlaceOptions places;
  OptionTable table;
  declare_places(table, places);
  CommandLine line;
  Config(environment, declare_commands()).add_to(line, table);
  parse_options(table, line);
  return find_places(places, environment, {}).index;
}

// Ends of a project's path that -p takes: its name, or what begins as it was typed.
std::vector<std::string> ends_of(const std::string& path, std::string_view typed) {
  std::vector<std::string> ends;
  const bool name_only = typed.find('/') == std::string_view::npos;
  for (auto slash = path.rfind('/'); slash != std::string::npos;
       slash = slash == 0 ? std::string::npos : path.rfind('/', slash - 1)) {
    const auto end = path.substr(slash + 1);
    if (name_only || end.starts_with(typed)) ends.push_back(end);
    if (name_only) break;
  }
  if (!name_only && path.starts_with(typed)) ends.push_back(path);
  return ends;
}

// What can be typed between commas and does no harm to a terminal.
bool can_be_offered(const std::string& value) {
  return !value.empty() && value.front() != '!' && value.find(',') == std::string::npos &&
         visible(value) == value;
}

class Values {
 public:
  explicit Values(Output& out) : out_(out) {}

  void add(const std::string& value, std::string_view description = {}) {
    if (!can_be_offered(value) || std::count(seen_.begin(), seen_.end(), value) > 0) return;
    seen_.push_back(value);
    constexpr std::size_t kColumns = 60;
    out_.print("{}{}{}\n", value, description.empty() ? "" : "\t",
               cut_to_width(description, kColumns));
  }
  void add(const std::vector<std::string>& values) {
    for (const std::string& value : values) add(value);
  }

 private:
  Output& out_;
  std::vector<std::string> seen_{};
};

void print_values(const std::string& kind, const std::string& typed, Context& context) {
  constexpr std::size_t kRecent = 50;
  const auto folder = configured_index(context.environment);
  if (!index_exists(folder)) return;
  History history(folder, History::Mode::read);
  Values values(context.out);
  if (kind == "models") values.add(known_models(history));
  if (kind == "tools") values.add(known_tools(history));
  if (kind == "projects")
    for (const std::string& path : known_projects(history)) values.add(ends_of(path, typed));
  if (kind == "addresses")
    for (const RecentConversation& recent : recent_conversations(history, kRecent))
      values.add(recent.address, recent.title);
}

// `values KIND [TYPED]`: asked on each Tab, so whatever is wrong, it is silent.
ExitCode values(Context& context) {
  const auto& operands = context.operands;
  try {
    print_values(operands.at(1), operands.size() > 2 ? operands[2] : std::string(), context);
  } catch (const Error&) {
    return ExitCode::ok;
  }
  return ExitCode::ok;
}

ExitCode completion(Context& context) {
  const std::vector<std::string> shells = completion_shells();
  if (context.operands.size() > 1 && context.operands.front() == "values") return values(context);
  const bool one = context.operands.size() == 1;
  const std::string shell = one ? context.operands.front() : std::string();
  if (std::find(shells.begin(), shells.end(), shell) != shells.end()) {
    context.out.write(completion_script(shell, declare_commands()));
    return ExitCode::ok;
  }
  if (context.operands.empty())
    throw Error("completion needs the name of a shell", names_hint("", shells));
  throw Error(fmt::format("unknown shell '{}'", shell_quoted(context.operands)),
              fmt::format("{}; {}", names_hint(shell, shells), search_hint(context.typed)));
}

}  // namespace

Action declare_completion(OptionTable&) {
  return completion;
}

}  // namespace cgrep
