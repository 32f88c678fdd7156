#include "index/excluded_projects.h"

#include <algorithm>

#include "document.h"
#include "index/project_pattern.h"

namespace cgrep {

bool ExcludedProjects::has(const std::string& slug) {
  if (patterns_.empty()) return false;
  const auto [known, added] = known_.try_emplace(slug, false);
  if (!added) return known->second;
  const auto project = project_of(slug);
  return known->second = std::any_of(patterns_.begin(), patterns_.end(), [&](const auto& pattern) {
           return project_matches(pattern, project, slug);
         });
}

std::string ExcludedProjects::project_of(const std::string& slug) {
  auto found = database_.prepare(
      "SELECT value FROM claims WHERE subject = ?1 AND fact = ?2 ORDER BY rung LIMIT 1");
  found.bind(1, slug_subject(slug));
  found.bind(2, static_cast<int>(Fact::project));
  return found.step() ? std::string(found.text(0)) : std::string();
}

std::string slug_of_transcript(std::string_view path) {
  constexpr std::string_view kProjects = "/projects/";
  const auto folder = path.rfind("/agent-transcripts/");
  if (folder == std::string_view::npos) return {};
  path = path.substr(0, folder);
  const auto slug = path.rfind('/') + 1;
  return path.substr(0, slug).ends_with(kProjects) ? std::string(path.substr(slug)) : std::string();
}

}  // namespace cgrep
