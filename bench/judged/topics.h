// Topics: what the judged conversations are about, and what is asked of them (topics.txt).
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/history.h"

namespace cgrep::bench {

/// What is said in a conversation, without times.
struct Story {
  std::string title{};
  std::string summary{};
  std::vector<Message> messages{};
};

struct Question {
  std::string kind{};  // words, forms, identifier, error-code, path, phrase, question, split
  std::string text{};
};

struct Topic {
  std::string project{};
  Story about{};
  Story beside{};  // the same words, another matter
  std::string log{};
  std::vector<Question> questions{};
};

/// The format is told on top of topics.txt. Throws when a line is of none of its kinds.
std::vector<Topic> read_topics(const std::filesystem::path& path);

/// topics.txt of the source tree.
std::filesystem::path topics_path();

}  // namespace cgrep::bench
