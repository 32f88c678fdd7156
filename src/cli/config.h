// Options and settings from the config file and from CGREP_* variables. The command line is above
// the variables, and they are above the file.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/config_file.h"
#include "cli/options.h"
#include "cli/settings.h"

namespace cgrep {

/// A key of the config: a long option of some command, or a setting that is no option.
struct ConfigKey {
  std::string name{};
  std::vector<std::string> values{};  // as its options name them: `NUM`, `auto|always|never`
  std::string description{};
  bool repeatable = false;

  bool is_flag() const { return values.front().empty(); }
  /// `CGREP_DEFAULT_STORES`; empty when no variable sets it.
  std::string variable() const;
};

/// All keys, in the order of their declaration.
std::vector<ConfigKey> config_keys(std::span<const DeclaredCommand> commands);

/// What the user set for all calls, checked.
class Config {
 public:
  /// Throws Error that names the line or the variable.
  Config(const Environment& environment, std::span<const DeclaredCommand> commands);

  /// The same for one command. All are declared only if there is something to check.
  Config(const Environment& environment, const DeclaredCommand& command,
         const std::function<std::vector<DeclaredCommand>()>& declare_all);

  /// Adds the options that the command has and the line neither gives nor contradicts.
  void add_to(CommandLine& line, const OptionTable& table) const;

  const Settings& settings() const { return settings_; }

 private:
  void find_variables(const std::vector<ConfigKey>& keys, const Environment& environment);
  void check_all(const std::vector<ConfigKey>& keys, const Environment& environment);

  std::vector<Setting> variables_{};
  std::vector<Setting> file_{};
  Settings settings_{};
};

/// `90d`, `6mo`, `forever`. Throws Error.
std::optional<std::chrono::milliseconds> parse_retain(const std::string& text);

}  // namespace cgrep
