// A home of the corpus, for tests that run the binary on it.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/run_cgrep.h"
#include "extract/json.h"
#include "support/temp_dir.h"

namespace cgrep::test {

class CorpusHome : public testing::Test {
 protected:
  using Lines = std::vector<std::string>;

  /// Makes it of a folder of the corpus, such as `home` or `bubbles/damaged/home`.
  void make(const std::filesystem::path& folder);

  /// Runs cgrep in it, with an index beside it.
  RunResult cgrep(const std::vector<std::string>& words);
  RunResult cgrep_on_terminal(const std::vector<std::string>& words);

  /// The lines printed.
  Lines lines(const std::vector<std::string>& words);

  /// The data of the events of a type that are printed.
  std::vector<Json> events(const std::vector<std::string>& words, const std::string& type);

  /// The data of the event whose member has the value; null when there is none.
  static Json with(const std::vector<Json>& events, const std::string& member,
                   const std::string& value);

  std::filesystem::path home() const { return dir_.path() / "home"; }

  TempDir dir_{};

 private:
  std::vector<std::string> placed(std::vector<std::string> words) const;
};

/// Those of an array; none when it is absent.
std::vector<std::string> strings(const Json* array);

}  // namespace cgrep::test
