// Changes to a generated history, as an agent makes them while it works.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "bench/random.h"
#include "bench/text.h"

struct sqlite3;

namespace cgrep::bench {

/// Messages of median length, each with a word that no other has.
class NewMessages {
 public:
  std::string next();
  /// The word of the last one.
  std::string word() const;

 private:
  TextMaker text_{};
  Random random_{17};
  std::size_t made_ = 0;
};

/// A transcript of its own that grows by one message at a time. Its mtime is set an hour back, and
/// moves on, so that a file just written is not taken for one that may still change.
class GrowingTranscript {
 public:
  explicit GrowingTranscript(const std::filesystem::path& home);
  ~GrowingTranscript();
  GrowingTranscript(const GrowingTranscript&) = delete;
  GrowingTranscript& operator=(const GrowingTranscript&) = delete;

  void append(std::string_view text);

 private:
  std::filesystem::path folder_;
  std::filesystem::path file_;
  std::int64_t time_;
};

/// One line of a transcript.
std::string transcript_line(std::string_view text);

void set_mtime(const std::filesystem::path& path, std::int64_t seconds);

/// The IDE at work on state.vscdb: it stays open, so that what it writes is in the -wal.
class OpenIde {
 public:
  explicit OpenIde(const std::filesystem::path& home);
  ~OpenIde();
  OpenIde(const OpenIde&) = delete;
  OpenIde& operator=(const OpenIde&) = delete;

  /// A new bubble at the end of the newest conversation, and its header in the conversation.
  void add_bubble(std::string_view text);

  /// Bytes of the rows that the default stores need.
  std::uint64_t needed_bytes();

 private:
  void execute(const char* sql);

  sqlite3* database_ = nullptr;
  std::int64_t started_;  // bubbles of another run have other ids
  std::size_t added_ = 0;
};

std::filesystem::path state_database(const std::filesystem::path& home);

}  // namespace cgrep::bench
