#include "cli/nearest.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "edit_distance.h"

namespace cgrep {

std::string nearest_name(std::string_view typed, std::span<const std::string> names) {
  std::string nearest;
  std::size_t least = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const std::string& name : names) {
    // The beginning of a name is near to it, however much is missing.
    const bool begins = typed.size() >= 3 && std::string_view(name).starts_with(typed);
    const std::size_t distance = begins ? 1 : edit_distance(typed, name);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

std::string names_hint(std::string_view typed, std::span<const std::string> names) {
  const std::string nearest = nearest_name(typed, names);
  const std::string known = fmt::format("known: {}", fmt::join(names, ", "));
  return nearest.empty() ? known : fmt::format("did you mean '{}'? {}", nearest, known);
}

}  // namespace cgrep
