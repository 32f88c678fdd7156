// What -p/--project, `project:` and `exclude` take: which projects a pattern names.
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace cgrep {

/// Whether the pattern names the project with this path and slug, either of which may be empty.
///   /home/ada/widget    that folder, or one below it
///   widget, ada/widget  whole components of the path's end
///   home-ada-widget     the slug; what has none, as only some stores tell it, has that of its path
///   wid*, */widget      a glob (* ? [a-z], none of them matches `/`) in place of any of these
///   none                nothing is known of its project
bool project_matches(std::string_view pattern, std::string_view path, std::string_view slug);

/// The same for any path: neither slugs nor `none`.
bool path_matches(std::string_view pattern, std::string_view path);

}  // namespace cgrep
