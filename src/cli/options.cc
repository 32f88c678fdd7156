#include "cli/options.h"

#include <charconv>

#include <fmt/format.h>

#include "index/folder.h"

namespace cgrep {

std::vector<OptionInfo> describe_options(const CLI::App& app) {
  std::vector<OptionInfo> described;
  for (const CLI::Option* option : app.get_options()) {
    OptionInfo info;
    info.shorts = option->get_snames();
    info.longs = option->get_lnames();
    if (option->get_items_expected_max() > 0) info.value = option->get_type_name();
    info.description = option->get_description();
    info.group = option->get_group();
    info.repeatable =
        !info.value.empty() && option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    described.push_back(std::move(info));
  }
  return described;
}

CLI::Option* add_list(CLI::App& app, const std::string& names, std::vector<std::string>& values,
                      const std::string& value_name, const std::string& description) {
  return app.add_option(names, values, description)
      ->type_name(value_name)
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::Option* add_number(CLI::App& app, const std::string& names, std::optional<std::size_t>& value,
                        const std::string& description) {
  // CLI11 would take -1 for the largest number there is.
  const auto parse = [&value, names](const std::string& text) {
    std::size_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stopped != end)
      throw Error(fmt::format("option {} needs a number, not '{}'", names, text),
                  fmt::format("{} 5", names.substr(names.rfind(',') + 1)));
    value = number;
  };
  return app.add_option_function<std::string>(names, parse, description)
      ->type_name("NUM")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

CLI::Option* add_switch(CLI::App& app, const std::string& names, std::optional<bool>& value,
                        const std::string& description) {
  return app.add_flag(names, description)->each([&value](const std::string& given) {
    value = given == "true";
  });
}

std::vector<std::string> split_lists(const std::vector<std::string>& values) {
  std::vector<std::string> parts;
  for (std::string_view rest : values) {
    while (!rest.empty()) {
      const auto comma = rest.find(',');
      if (comma != 0) parts.emplace_back(rest.substr(0, comma));
      rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
  }
  if (parts.empty() && !values.empty())
    throw Error(fmt::format("'{}' is an empty list", values.front()),
                "values stand between the commas: a,b");
  return parts;
}

void declare_places(CLI::App& app, PlaceOptions& options) {
  app.option_defaults()->group(kPlacesGroup);
  add_value(app, "--index", options.index, "DIR",
            "Folder of the index (CGREP_INDEX; default ~/.local/share/cgrep)");
  add_value(app, "--root", options.root, "DIR",
            "Read the home that was copied or mounted at DIR, and nothing else (CGREP_ROOT)");
}

void declare_color(CLI::App& app, ColorWhen& when) {
  add_choice(app, "--color", when,
             Choices<ColorWhen>{{"auto", ColorWhen::automatic},
                                {"always", ColorWhen::always},
                                {"never", ColorWhen::never}},
             "When to use colours and links; auto: on a terminal, unless NO_COLOR is set");
}

void Places::require_history() const {
  if (has_history()) return;
  std::string places;
  for (const auto& path : roots.looked_at)
    places += fmt::format("{}{}", places.empty() ? "" : ", ", path.string());
  throw Error(fmt::format("no history of Cursor found; looked at: {}",
                          places.empty() ? "nothing, as HOME is not set" : places),
              "--root DIR reads a home that was copied or mounted elsewhere");
}

Places find_places(const PlaceOptions& options, const Environment& environment,
                   const Settings& settings) {
  const auto as_path = [](const std::optional<std::string>& text) {
    return text && !text->empty() ? std::optional<std::filesystem::path>(*text) : std::nullopt;
  };
  const auto root = as_path(options.root ? options.root : environment("CGREP_ROOT"));
  Places places{.index = index_folder(environment, as_path(options.index)),
                .roots = find_roots(environment, root),
                .exclude = settings.exclude};
  if (settings.retain) places.retain = settings.retain->count();
  return places;
}

}  // namespace cgrep
