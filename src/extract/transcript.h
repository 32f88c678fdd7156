// Transcripts, in all their forms: what the readers of each form deliver, and how it becomes
// documents and claims.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "extract/append_mark.h"
#include "extract/arguments.h"
#include "extract/lines.h"
#include "extract/store.h"

namespace cgrep {

/// Whose transcript it is; told by its path.
struct TranscriptId {
  std::string_view store{};
  std::string conversation{};
  std::string slug{};    // empty: not below a project
  std::string parent{};  // of a subagent; its first prompt is delegated
};

/// What carrying on with a transcript needs to know of the part that was read before.
struct TranscriptState {
  std::optional<std::int64_t> time{};  // of the last <timestamp>
  std::optional<std::int64_t> day{};   // of the first `Today's date:`
  bool prompted = false;               // a user's message went by
  std::string workspace{};             // `Workspace Path:`
  std::string project{};               // a folder in a tool call that has the slug
  std::string folder{};                // shared by all paths in tool calls
  bool scattered = false;              // there is no such folder

  std::string text() const;
  static TranscriptState parse(std::string_view text);
};

/// Where the readers deliver what they find, as it stands there. Positions must not decrease.
class TranscriptDelivery {
 public:
  TranscriptDelivery(TranscriptId id, TranscriptState state, Sink& sink);

  /// All of the transcript follows, from its start.
  void whole() { sink_.whole(id_.conversation); }

  /// Only what was appended follows.
  void more() { sink_.more(id_.conversation); }

  void user(std::string_view raw, std::uint64_t position);
  void reply(Role role, std::string_view raw, std::uint64_t position);  // assistant or thinking
  void tool_call(std::string_view name, Arguments arguments, std::uint64_t position);
  void tool_result(std::string_view name, std::string_view text, std::uint64_t position);
  void system(std::string_view text, std::uint64_t position);
  void attachment(Role role, std::string_view path, std::uint64_t position);

  /// All parts of a message were delivered.
  void message_ended();

  /// Positions are offsets, unless messages are counted: then they are message · kParts + part.
  static constexpr std::uint64_t kParts = 1u << 20;
  void count_messages() { counting_ = true; }

  void problem(std::string_view what, std::uint64_t position, bool passing = false);

  /// What is known of the conversation now.
  void claims(std::int64_t mtime_ms);

  const TranscriptState& state() const { return state_; }

 private:
  void document(Role role, std::string text, Document document);
  void claim(Fact fact, int rung, std::string_view value);
  void note_paths(const Arguments& arguments);
  void note_folder(std::string_view folder);

  TranscriptId id_;
  TranscriptState state_;
  Sink& sink_;
  bool user_in_message_ = false;
  bool counting_ = false;
};

/// One message per line. Reads from `trail` on, and moves it to the end of the last complete line.
void read_transcript_jsonl(const ReadAt& read, AppendTrail& trail, TranscriptDelivery& to);

/// One array of messages. When it is not even that, nothing can be said of the conversation.
void read_transcript_json(std::string_view bytes, TranscriptDelivery& to);

/// Text with markers.
void read_transcript_txt(std::string_view bytes, TranscriptDelivery& to);

/// A message in the form that lines have; also found in arrays.
void read_message(JsonElement record, std::uint64_t position, TranscriptDelivery& to);

}  // namespace cgrep
