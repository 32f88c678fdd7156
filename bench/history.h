// A made-up history, one conversation at a time, before anything is written.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/text.h"

namespace cgrep::bench {

enum class Kind { user, assistant, tool, result };

struct Message {
  Kind kind = Kind::user;
  std::string text{};  // of a tool call: its main argument
  std::string tool{};
  std::chrono::sys_seconds time{};
};

struct Conversation {
  std::string id{};
  std::string project{};  // an absolute path
  std::string title{};    // as other stores know it; may be empty
  std::string summary{};
  std::string plan{};  // Markdown; may be empty
  std::vector<std::string> todos{};
  std::vector<Message> messages{};
  std::vector<Conversation> subagents{};

  // Where it is kept. One that is in both has each message twice on disk and once in the index.
  bool in_transcripts = true;
  bool in_bubbles = true;
  bool legacy = false;   // a chat of the old kind, and nowhere else
  bool planted = false;  // a needle is in it
};

struct Plan {
  std::size_t messages = 0;
  std::uint64_t seed = 0;
  std::size_t per_conversation = 50;  // messages; half of the conversations have fewer
};

/// Gives the conversations of a plan in order. Holds only one of them at a time.
class HistoryMaker {
 public:
  explicit HistoryMaker(Plan plan);

  bool done() const { return made_ == plan_.messages; }
  Conversation next();

  /// Rare words → the conversations that hold them. Complete when done.
  using Needles = std::map<std::string, std::vector<std::string>>;
  const Needles& needles() const { return needles_; }

  /// The same of words with kInside in their middle: one in a thousand messages has one.
  const Needles& inside() const { return inside_; }
  static constexpr std::string_view kInside = "wyjib";

 private:
  Conversation conversation(std::size_t messages, std::chrono::sys_seconds start);
  Message message(Kind kind, Language language, std::chrono::sys_seconds time);
  void add_subagent(Conversation& parent);
  void plant_needles(Conversation& conversation);
  void plant_inside(Conversation& conversation);
  void add_notes(Conversation& conversation);
  std::chrono::sys_seconds start_time();

  Plan plan_;
  Random random_;
  TextMaker text_;
  std::size_t made_ = 0;
  std::size_t conversations_ = 0;
  Random notes_random_;  // of its own: what else is known changes nothing in the messages
  Needles needles_;
  Needles inside_;
};

}  // namespace cgrep::bench
