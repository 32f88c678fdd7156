// A user's home with a few small transcripts, for tests that run the binary.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "cli/run_cgrep.h"
#include "support/temp_dir.h"

namespace cgrep::test {

struct Message {
  std::string role{};
  std::string text{};
  std::string time{};  // of a user's message, as Cursor tags it; may be empty
};

class HistoryHome : public testing::Test {
 protected:
  HistoryHome();

  /// Writes a transcript.
  void conversation(const std::string& id, const std::vector<Message>& messages,
                    const std::string& slug = "home-ada-widget");

  /// Runs cgrep in this home.
  RunResult cgrep(const std::vector<std::string>& words);
  RunResult cgrep_on_terminal(const std::vector<std::string>& words);
  RunResult shell(const std::string& line);

  RunOptions options() const;

  TempDir home_{};
};

/// The ids of the conversations of a standard home, and the shortest addresses of them.
inline constexpr const char* kLogin = "11111111-aaaa-4000-8000-000000000001";
inline constexpr const char* kDocker = "22222222-bbbb-4000-8000-000000000002";
inline constexpr const char* kIndex = "33333333-cccc-4000-8000-000000000003";

/// Three conversations: a login bug (oldest), docker, and one about an index (newest).
class StandardHome : public HistoryHome {
 protected:
  StandardHome();
};

}  // namespace cgrep::test
