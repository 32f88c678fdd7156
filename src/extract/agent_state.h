// The state of a conversation as an agent keeps it: a root that names blobs by their ids, which
// hold messages, turns and more ids. The CLI's chats have it, and the IDE's agent.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "extract/delivery.h"
#include "extract/message_delivery.h"
#include "extract/model_message.h"

namespace cgrep {

/// Gives the bytes of each id, in their order; absent where there are none that can be read.
using DeliverBlob = std::function<void(const std::string& id, std::optional<std::string> bytes)>;
using FetchBlobs =
    std::function<void(std::span<const std::string> ids, const DeliverBlob& deliver)>;

/// The id of a blob, 64 hex digits: from 32 bytes, from hex digits, or from `agentKv:blob:…`.
std::optional<std::string> blob_id(std::string_view bytes);

/// What a blob holds, from what stands in its row: some builds wrote hex digits, and a single zero
/// for nothing.
std::string decoded_blob(std::string value);

/// Reads one conversation. Not for several threads.
class AgentState {
 public:
  AgentState(FetchBlobs fetch, MessageDelivery& to);

  /// All that can be reached from the root: messages, what was summarised, turns, plan and todos.
  void read(std::string_view root_id, std::string_view root);

  /// A blob that is a message, by itself or in a wrapper.
  bool read_message(const std::string& name, std::string_view bytes);

  /// Texts of blobs in which nothing else was found, as far as they were written by somebody.
  void read_texts(const std::string& name, std::string_view bytes);
  /// The same of all blobs that are named in the root, or in one of them.
  void read_texts_below(std::string_view root_id, std::string_view root);

  /// Whether the root names any blob; one that is encrypted does not.
  static bool is_root(std::string_view root);

  /// What the root says of the conversation.
  static void claim(std::string_view root, int project_rung, const Claims& claims);

  /// All blobs were there: the same root will not give more.
  bool complete() const { return complete_; }

  /// Ids of all blobs that were asked for.
  const std::unordered_set<std::string>& visited() const { return visited_; }

 private:
  /// Something in a repeated field: another blob, or held right there.
  struct Item {
    std::string name{};  // id of the blob, or where it is held
    std::optional<std::string> held{};
  };
  using Visit =
      std::function<void(std::size_t index, const std::string& name, std::string_view bytes)>;

  static std::vector<Item> items(const std::string& name, std::string_view message,
                                 std::initializer_list<std::uint32_t> numbers);
  void for_each(const std::vector<Item>& items, const Visit& visit);

  void message(const std::string& name, std::string_view bytes, int depth);
  bool wrapped_message(const std::string& name, std::string_view bytes);
  void node(const std::string& name, std::string_view bytes, int depth);
  void archives(const std::string& root_id, std::string_view root);
  void turns(const std::string& root_id, std::string_view root);
  void turn(const std::string& name, std::string_view bytes, int depth);
  void agent_turn(const std::string& name, std::string_view bytes);
  void shell_turn(const std::string& name, std::string_view bytes);
  void user_message(const std::string& name, std::string_view bytes);
  void step(const std::string& name, std::string_view bytes);
  void tool_call(std::string_view bytes);
  void notes(const std::string& root_id, std::string_view root);

  FetchBlobs fetch_;
  MessageDelivery& to_;
  MessageReader reader_{};
  std::unordered_set<std::string> visited_{};
  std::unordered_set<std::string> nodes_{};  // walked: a cycle ends there
  std::size_t fetched_ = 0;
  bool too_many_ = false;
  bool complete_ = true;
};

}  // namespace cgrep
