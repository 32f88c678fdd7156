// A made-up history, one conversation at a time, before anything is written.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
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
  std::vector<Message> messages{};
  std::vector<Conversation> subagents{};
};

struct Plan {
  std::size_t messages = 0;
  std::uint64_t seed = 0;
};

/// Gives the conversations of a plan in order. Holds only one of them at a time.
class HistoryMaker {
 public:
  explicit HistoryMaker(Plan plan);

  bool done() const { return made_ == plan_.messages; }
  Conversation next();

  /// Rare words → the conversations that hold them. Complete when done.
  const std::map<std::string, std::vector<std::string>>& needles() const { return needles_; }

 private:
  Conversation conversation(std::size_t messages, std::chrono::sys_seconds start);
  Message message(Kind kind, Language language, std::chrono::sys_seconds time);
  void add_subagent(Conversation& parent);
  void plant_needles(Conversation& conversation);
  std::chrono::sys_seconds start_time();

  Plan plan_;
  Random random_;
  TextMaker text_;
  std::size_t made_ = 0;
  std::size_t conversations_ = 0;
  std::map<std::string, std::vector<std::string>> needles_;
};

}  // namespace cgrep::bench
