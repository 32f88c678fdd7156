// What tests of readings, one after the other, need: an index of all stores, files that look old,
// and days that pass at once.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <utility>

#include "index/update.h"

namespace cgrep::test {

/// Brings an index of all stores up to date.
UpdateSummary index_all(const std::filesystem::path& home, const std::filesystem::path& folder,
                        UpdateOptions options = {});

/// As if all databases had last been compared with what was noted a day ago: what was updated in
/// its place is seen by the next reading that finds them changed.
void let_a_day_pass(const std::filesystem::path& index);

/// Files look as if they had been written long ago, each change at another time: what is young is
/// looked at again, whatever stat says.
class Aging {
 public:
  void age(const std::filesystem::path& home);

 private:
  std::int64_t seconds_ = 0;
  std::map<std::filesystem::path, std::pair<std::uintmax_t, std::filesystem::file_time_type>>
      seen_{};
};

}  // namespace cgrep::test
