// What was planted in a history, and whether answers agree with it: nothing is timed that is wrong.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/measure/workbench.h"

namespace cgrep::bench {

/// The manifest of a generated home.
struct Manifest {
  using Needles = std::map<std::string, std::vector<std::string>>;
  Needles needles{};      // rare words → conversations
  std::string literal{};  // stands inside the words of `inside`
  Needles inside{};

  /// The needle with the most conversations, but at most seven.
  std::string rare_word() const;
};

Manifest read_manifest(const std::filesystem::path& home);

/// Throws unless the addresses (prefixes of ids, one a line) are just those of the conversations.
void check_addresses(std::string_view question, std::string_view addresses,
                     const std::vector<std::string>& conversations);

/// Asks the index for needles and literals. Throws when an answer is wrong.
void check_answers(const Workbench& bench, const std::filesystem::path& home,
                   const std::filesystem::path& index);

/// Sum of the counts of `ADDRESS:COUNT` lines.
std::size_t sum_of_counts(std::string_view lines);

}  // namespace cgrep::bench
