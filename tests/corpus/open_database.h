// A look into a made database.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cgrep::corpus {

using Rows = std::vector<std::string>;

/// The rows of a query, columns joined by `|`, NULL as `NULL`. The query string of the URI says
/// how to open: `mode=ro` or `immutable=1`. Throws std::runtime_error.
Rows query(const std::filesystem::path& database, const std::string& how, const std::string& sql);

/// Every table with its rows, for comparing two databases.
Rows contents(const std::filesystem::path& database);

}  // namespace cgrep::corpus
