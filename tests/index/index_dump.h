// All that an index knows, as text: to compare two that were made of the same sources in different
// ways.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace cgrep::test {

using Lines = std::multiset<std::string>;

/// Documents with their texts, places, times and terms, conversations with all that was joined,
/// problems. Without what is gone, numbers of rows and numbers of documents; also without times of
/// files, which are only as good as the last reading. `with_gone`: of these conversations, no span
/// of times and no stores, as what is gone counts there.
Lines dump(const std::filesystem::path& index, const std::set<std::string>& with_gone = {});

Lines without(const Lines& all, const Lines& some);

/// What only one of them has, a line each; empty when they are equal.
std::string difference(const std::filesystem::path& index, const std::filesystem::path& other);

}  // namespace cgrep::test
