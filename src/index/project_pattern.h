// What -p/--project, `project:` and `exclude` take: which projects a pattern names.
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace cgrep {

/// Whether the pattern names the project with this path and slug, either of which may be empty.
///   /home/ada/widget    that folder, or one below it
///   widget, ada/widget  whole components of the path's end
///   home-ada-widget     the slug
///   wid*, */widget      a glob (* ? [a-z], none of them matches `/`) in place of any of these
///   none                nothing is known of its project
bool project_matches(std::string_view pattern, std::string_view path, std::string_view slug);

}  // namespace cgrep
