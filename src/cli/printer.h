// Printer: hits in one format. What is shown is decided before; a printer only knows how.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/context.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "query/hit.h"
#include "query/searcher.h"

namespace cgrep {

inline constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

/// What an answer covered.
struct Coverage {
  bool refreshed = false;                      // the index was brought up to date before
  std::optional<std::size_t> stale_sources{};  // newer than the index; absent: not known
  std::size_t problems = 0;                    // records that no extractor understood
  std::vector<LeftOut> not_searched{};         // stores that were found and not asked for

  bool complete() const { return refreshed && stale_sources.value_or(1) == 0; }
};

/// What would have helped when nothing was found.
struct Help {
  std::string_view kind{};   // spelling filter filters store system field value
  std::string subject{};     // what was typed
  std::string suggestion{};  // what to type instead, or besides
  std::size_t conversations = 0;
};

struct Summary {
  Outcome outcome{};
  Coverage coverage{};
  std::vector<Help> help{};
  double elapsed_ms = 0;
};

/// Gets the hits of one conversation one after the other, as Searcher delivers them.
class Printer {
 public:
  virtual ~Printer() = default;

  /// `lines` are those of the hit's lines that may be shown (-m).
  virtual void hit(const Hit& hit, std::span<const MatchLine> lines) = 0;
  virtual void end(const Summary& summary) = 0;
};

struct TextStyle {
  Terminal terminal{};
  bool line_numbers = true;
  std::string home{};  // printed as ~
  ContextSize context{};
  bool around = false;          // also documents around those that match
  bool only_matching = false;   // -o
  bool null_separator = false;  // -0: NUL after an address
  std::size_t lines_per_document = kUnlimited;
  std::size_t lines_per_conversation = kUnlimited;
};

/// A heading per conversation, then its matching lines: for people.
std::unique_ptr<Printer> make_text_printer(Output& out, TextStyle style);

/// `ADDRESS:LINE:TEXT`, one per matching line: for pipes.
std::unique_ptr<Printer> make_flat_printer(Output& out, TextStyle style);

/// -l: the address of each conversation.
std::unique_ptr<Printer> make_list_printer(Output& out, TextStyle style);

/// -c: `ADDRESS:COUNT` of matching lines per conversation.
std::unique_ptr<Printer> make_count_printer(Output& out, TextStyle style);

/// One event per line, in ripgrep's shape.
std::unique_ptr<Printer> make_json_printer(Output& out, ContextSize context = {});

/// The heading of a conversation without its line end; `source` is where its address links to.
std::string conversation_heading(const Conversation& conversation, const std::string& source,
                                 const TextStyle& style);

/// The event that ends an answer.
std::string json_summary(const Summary& summary);

/// What `show --json` prints of a document: the data of `begin`, and its text.
std::string json_document(const Hit& hit);

}  // namespace cgrep
