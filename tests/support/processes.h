// Processes that outlive whoever started them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace cgrep::test {

/// How many run in this home whose arguments include these, each followed by a NUL but the last.
std::size_t processes_in(const std::filesystem::path& home, const std::string& arguments);

}  // namespace cgrep::test
