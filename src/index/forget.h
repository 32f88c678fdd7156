// forget(): removes documents from all files of the index, and keeps them out from then on.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "extract/store.h"
#include "index/history.h"

namespace cgrep {

/// What to forget, by names that last: the index may change before it is done.
struct ForgetRequest {
  std::vector<std::string> conversations{};                        // keys; all of each
  std::vector<std::pair<std::string, std::uint32_t>> documents{};  // key and number
  const Store* store = nullptr;                                    // all that only it holds
};

/// What that comes to, by rows, with what goes along: agents that a conversation started, equal
/// texts of the same conversation, the same in lists of prompts.
struct ForgetPlan {
  std::vector<std::int64_t> conversations{};  // all of each
  std::vector<std::int64_t> documents{};      // of other conversations
  std::size_t document_count = 0;             // of both

  /// Conversations with the number of their documents that go, in the order of their rows.
  std::vector<std::pair<std::int64_t, std::size_t>> touched{};

  bool empty() const { return conversations.empty() && document_count == 0; }
};
ForgetPlan plan_forget(History& history, const ForgetRequest& request);

struct ForgetResult {
  ForgetPlan plan{};
  bool clean = true;    // false: another process still reads what was there before
  bool copies = false;  // a damaged history.db that had been kept aside was removed
};

/// Waits for another writer; calls `waiting` once before, if it has to.
ForgetResult forget(const std::filesystem::path& folder, const ForgetRequest& request,
                    const std::function<void()>& waiting);

}  // namespace cgrep
