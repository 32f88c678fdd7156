#include "cli/generate.h"

#include "cli/completions.h"
#include "cli/hook_places.h"
#include "cli/option_table.h"
#include "cli/tally.h"
#include "document.h"
#include "extract/stores.h"

namespace cgrep {
std::vector<std::string> value_choices(std::string_view value_name) {
  std::vector<std::string> choices;
  if (value_name == "STORE") {
    for (const Store* store : all_stores())
      if (store->searched != Searched::never) choices.emplace_back(store->name);
    choices.emplace_back("all");
  } else if (value_name == "ROLE") {
    choices.assign(kRoleNames.begin(), kRoleNames.end());
  } else if (value_name == "FIELD") {
    for (const Facet& facet : facets()) choices.emplace_back(facet.name);
  } else if (value_name == "[COMMAND]") {
    for (const Command& command : all_commands()) choices.emplace_back(command.name);
  } else if (value_name == "[HOOK...]") {
    choices = hook_names();
  } else if (value_name.find('|') != std::string_view::npos) {
    choices = parts_of(value_name, '|');
  }
  return choices;
}

std::vector<std::string> completion_shells() {
  return {"bash", "zsh", "fish"};
}

std::string completion_script(std::string_view shell, std::span<const DeclaredCommand> commands) {
  if (shell == "bash") return bash_completion(commands);
  if (shell == "zsh") return zsh_completion(commands);
  return fish_completion(commands);
}

}  // namespace cgrep
