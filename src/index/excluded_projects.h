// Projects that are kept out, by patterns of the config and what is known of slugs now.
// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "extract/sqlite.h"

namespace cgrep {

/// What it is given must live longer.
class ExcludedProjects {
 public:
  ExcludedProjects(Database& database, const std::vector<std::string>& patterns)
      : database_(database), patterns_(patterns) {}

  /// Whether the project with this slug is; which one it is, claims have told.
  bool has(const std::string& slug);

 private:
  std::string project_of(const std::string& slug);

  Database& database_;
  const std::vector<std::string>& patterns_;
  std::map<std::string, bool> known_{};
};

/// The project in whose folder a transcript lies: …/projects/<slug>/agent-transcripts/…; may be
/// empty.
std::string slug_of_transcript(std::string_view path);

}  // namespace cgrep
