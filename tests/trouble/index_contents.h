// All that can be asked of an index, as lines that do not tell how it came to be: without rows,
// numbers and the division into runs.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace cgrep::test {

struct IndexContents {
  std::multiset<std::string> documents{};      // each with its text and a hash of its words
  std::multiset<std::string> conversations{};  // each with all that is known of it
  std::multiset<std::string> ledger{};         // each source with what it looked like
  friend bool operator==(const IndexContents&, const IndexContents&) = default;
};

/// Throws Error when the index cannot be read, and Damaged when its words cannot.
IndexContents contents_of(const std::filesystem::path& index);

/// What differs, a line each; empty when nothing does.
std::string difference(const IndexContents& found, const IndexContents& expected);

/// Files and folders in an index that none of its parts name: litter.
std::vector<std::string> litter_in(const std::filesystem::path& index);

/// Moves what stands in the journal of history.db into it.
void empty_journal(const std::filesystem::path& index);

}  // namespace cgrep::test
