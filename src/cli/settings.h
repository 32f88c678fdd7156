// Settings: what the config says beside options.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "extract/store.h"

namespace cgrep {

struct Settings {
  std::vector<const Store*> default_stores{};  // of a plain search; empty: those by default
  std::vector<std::string> exclude{};          // projects that are kept out, as -p takes them
  std::optional<std::chrono::milliseconds> retain{};  // of text that is gone; absent: for ever
};

}  // namespace cgrep
