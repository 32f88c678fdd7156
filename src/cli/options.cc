#include "cli/options.h"

#include <array>

#include <fmt/format.h>

#include "error.h"
#include "index/folder.h"

namespace cgrep {

namespace {

constexpr auto kColors = std::to_array<Named<ColorWhen>>(
    {{"auto", ColorWhen::automatic}, {"always", ColorWhen::always}, {"never", ColorWhen::never}});

std::optional<std::filesystem::path> as_path(const std::optional<std::string>& text) {
  return text && !text->empty() ? std::optional<std::filesystem::path>(*text) : std::nullopt;
}

std::optional<std::filesystem::path> root_of(const PlaceOptions& options,
                                             const Environment& environment) {
  return as_path(options.root ? options.root : environment("CGREP_ROOT"));
}

}  // namespace

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

void declare_places(OptionTable& table, PlaceOptions& options) {
  table.group(kPlacesGroup);
  table.add_value("--index", options.index, "DIR",
                  "Folder of the index (CGREP_INDEX; default ~/.local/share/cgrep)");
  table.add_value("--root", options.root, "DIR",
                  "Read the home that was copied or mounted at DIR, and nothing else (CGREP_ROOT)");
}

void declare_color(OptionTable& table, ColorWhen& when) {
  table.add_choice("--color", when, kColors,
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
  Places places{.index = index_folder(environment, as_path(options.index)),
                .roots = find_roots(environment, root_of(options, environment)),
                .exclude = settings.exclude};
  if (settings.retain) places.retain = settings.retain->count();
  return places;
}

Places find_index(const PlaceOptions& options, const Environment& environment,
                  const Settings& settings) {
  const auto root = root_of(options, environment);
  if (root && !std::filesystem::is_directory(*root)) find_roots(environment, root);  // says so
  return {.index = index_folder(environment, as_path(options.index)), .exclude = settings.exclude};
}

}  // namespace cgrep
