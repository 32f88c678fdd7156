// What a store has to provide: where its sources are, and how one becomes documents.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "document.h"

namespace cgrep {

class Folders;
struct Roots;
struct Store;

/// One file or database of a store.
struct Source {
  const Store* store = nullptr;
  std::filesystem::path path{};
  std::filesystem::path root{};  // the root it was found under; nothing outside it is followed

  /// What the extractor returned when it last read this source; empty: never read, or by
  /// another version of the extractor.
  std::string mark{};
};

/// Where an extractor delivers. It keeps nothing: each call is final. Documents may be moved from.
class Sink {
 public:
  virtual ~Sink() = default;

  virtual void document(Document&& document) = 0;
  virtual void claim(Claim claim) = 0;
  virtual void problem(Problem problem) = 0;

  /// From here on this reading delivers all that the source holds of the conversation, from its
  /// start, with all claims and problems that come of it: what the source held before and is not
  /// delivered again is gone. Called before the conversation's first document, or without any,
  /// when it has vanished. It also ends the conversation that was told of before: what belongs to
  /// one is delivered in one piece. (Not called when only what was appended is read.)
  /// An empty name begins the claims and problems that come of no conversation's part of it.
  virtual void whole(std::string_view conversation) = 0;

  /// What follows changed in the conversation's part of the source, or was added to it; the rest is
  /// as it was. Ends the conversation that was told of before, as whole() does.
  virtual void more(std::string_view /*conversation*/) {}

  /// The document with this key is no longer there; for readings that are not whole.
  virtual void vanished(std::string_view /*key*/) {}

  /// What an extractor noted of a part of the source when it last read it. Notes are kept with
  /// what was delivered, so that the two cannot fall out of step.
  virtual std::optional<std::string> noted(std::string_view /*part*/) { return std::nullopt; }
  virtual void note(std::string_view /*part*/, std::string_view /*text*/) {}
  virtual void forget_note(std::string_view /*part*/) {}
  /// All parts that have a note, sorted.
  virtual std::vector<std::string> noted_parts() { return {}; }

  /// What was delivered and noted so far may be kept, even if the reading is never finished; the
  /// next one then begins with this mark.
  virtual void so_far(std::string_view /*mark*/) {}
};

/// Whether a plain search looks there.
enum class Searched : std::uint8_t {
  by_default,
  when_named,  // opt-in: not even indexed until asked for
  never,       // catalogue only: listed and counted
};

struct Store {
  int id = 0;  // bit in history.db; never reused
  std::string_view name{};
  std::string_view summary{};
  Searched searched = Searched::by_default;
  std::span<const std::string_view> aliases{};

  /// Goes up when the extractor learns something; its sources are then read again. 0: not read yet.
  int version = 0;

  bool database = false;  // its sources are SQLite databases: what is in their -wal counts too

  /// Adds the sources that exist now, in a fixed order.
  void (*discover)(const Roots& roots, Folders& folders, std::vector<Source>& found) = nullptr;

  /// Delivers what is new in the source since `source.mark`, or all of it. Returns the next mark.
  /// Throws Unreadable when the source cannot be opened; damage inside is a problem, not an error.
  std::string (*extract)(const Source& source, Sink& sink) = nullptr;

  /// How many things a source of a catalogue store holds; absent: each source is one.
  std::size_t (*count)(const Source& source) = nullptr;

  bool readable() const { return extract != nullptr; }
};

/// A source that cannot be read now. Its documents stay as they are.
class Unreadable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace cgrep
