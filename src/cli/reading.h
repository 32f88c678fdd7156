// Conversations to read: what show and export have in common. Which documents an address means,
// which of them are left out, and how a tool's call is told in a line.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "address.h"
#include "cli/commands.h"
#include "query/filters.h"
#include "query/hit.h"
#include "query/searcher.h"

namespace cgrep {

enum class ToolDetail : std::uint8_t { full, brief, none };

struct ReadingOptions {
  std::optional<ToolDetail> tools{};
  std::optional<bool> thinking{};
  std::optional<bool> redact{};
  bool turn = false;
  bool all = false;
};

/// `--turn`, `--tools`, `--thinking`, `--all`, `--redact`.
void declare_reading(OptionTable& table, ReadingOptions& options, bool redacts);

/// The operands as addresses. Throws Error, with the search that may have been meant.
std::vector<Address> addresses_of(const Context& context, std::string_view command);

bool is_tool(Role role);

/// How a document was asked for.
struct Asked {
  bool alone = false;     // by its own address: it is shown whatever it is
  bool by_range = false;  // what was abandoned is part of it
};
Asked asked_by(const Address& address, const ReadingOptions& options);

/// The turns that the address touches: from a question to what precedes the next one. As a branch
/// stands for its tip in git, a conversation stands for its last turn.
Address turn_of(History& history, Searcher& searcher, const Address& address);

/// Decides which documents are read, and counts what is left out.
class Picker {
 public:
  Picker(const ReadingOptions& options, bool thinking, Choice<Role> roles = {})
      : options_(options),
        thinking_(options.thinking.value_or(thinking)),
        roles_(std::move(roles)) {}

  bool takes(const Hit& hit, const Asked& asked);

  std::size_t thoughts() const { return thoughts_; }
  std::size_t abandoned() const { return abandoned_; }

 private:
  bool fits_role(Role role) const;

  const ReadingOptions& options_;
  bool thinking_;
  Choice<Role> roles_;
  std::size_t thoughts_ = 0;
  std::size_t abandoned_ = 0;
};

/// A tool's call or result in a line.
struct Fold {
  std::string_view telling{};  // the argument or the line that says most; points into the text
  std::size_t more_lines = 0;  // beside it
};
Fold folded(const Hit& hit);

/// `+12 lines`; empty when there are none.
std::string more_lines(const Fold& fold);

/// ` gone orphan …`: what is to be known of a document, each after two spaces.
std::string marks_of(const Hit& hit);

/// What the stores know of the conversation beside its title and project: `model …, mode …`.
std::string details_of(const Conversation& conversation);

}  // namespace cgrep
