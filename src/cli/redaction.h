// `--redact`: secrets are masked in what is printed.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "cli/option_table.h"
#include "query/hit.h"

namespace cgrep {

/// `--redact,--no-redact`.
void declare_redact(OptionTable& table, std::optional<bool>& redact, bool by_default);

/// Hits and conversations as they may be shown. Switched off, they are what they were.
class Redaction {
 public:
  explicit Redaction(bool on) : on_(on) {}

  /// Line numbers stay, and so do the spans that no mask covers. Valid until the next call.
  const Hit& of(const Hit& hit);
  const Conversation& of(const Conversation& conversation);

  /// Secrets masked in texts so far.
  std::size_t masked() const { return masked_; }

 private:
  bool on_;
  std::size_t masked_ = 0;
  Hit hit_{};
  Conversation conversation_{};
};

}  // namespace cgrep
