// How the messages of a conversation that is kept in blobs become documents. Such a store tells
// the conversation several times: as the model saw it, as turns and steps, as what was summarised.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "extract/arguments.h"
#include "extract/store.h"

namespace cgrep {

/// Delivers to one conversation, in the order of its accounts. Of what several accounts tell, the
/// first is delivered: the k-th time of one is the k-th time of the other, so what the user said
/// five times stays five documents.
class MessageDelivery {
 public:
  /// Identities begin with the prefix: it tells the conversations of one source apart.
  MessageDelivery(std::string_view store, std::string conversation, std::string key_prefix,
                  Sink& sink);

  /// Where an account's first words go, when no other account tells them. `before`: all of it was
  /// before the first account.
  enum class Begins : std::uint8_t { before, first, here, last };

  /// Another account follows. What it adds goes after what it tells in common with the others.
  void next_account(Begins begins = Begins::first);

  /// A turn of an account begins; what it holds happened then.
  void begin_turn(std::optional<std::int64_t> time) { turn_time_ = time; }

  /// What follows is in this blob.
  void begin_message(std::string_view blob);
  /// Its own time.
  void message_time(std::optional<std::int64_t> time) { message_time_ = time; }
  /// Before each part of a message, whether or not it gives a document.
  void begin_part() { ++part_; }
  /// In the first account: the next message is the n-th, and those between are elsewhere.
  void skip_to(std::uint64_t message) { messages_ = message; }

  void user(std::string_view raw, bool simulated = false);
  void reply(Role role, std::string_view raw);  // assistant or thinking
  void plain(Role role, std::string_view text);
  void tool_call(std::string_view name, Arguments arguments, std::string_view call);
  /// Without a name it has that of the call.
  void tool_result(std::string_view name, std::string_view text, std::string_view call);
  void attachment(Role role, std::string_view path);

  /// The first account is believed most, and there the last one that is named.
  void model(std::string_view name);
  void request(std::string_view id);
  /// In the blob that was begun last.
  void problem(std::string_view what);

  /// What the messages told of the conversation.
  void claims() const;

  /// How many documents the accounts gave; repeated ones are not counted.
  std::size_t delivered() const { return used_.size(); }
  const std::unordered_set<std::string>& requests() const { return requests_; }
  const std::string& conversation() const { return conversation_; }
  Sink& sink() { return sink_; }

 private:
  struct Place {
    std::uint64_t position = 0;
    std::optional<Time> time{};
    int account = 0;
    bool called = false;  // by an id
  };

  void add(Document document, std::string_view call = {});
  /// Where an earlier account told the same.
  const Place* told(std::uint64_t hash, const std::string& call);
  std::uint64_t free_position();
  std::string key() const;

  std::string_view store_;
  std::string conversation_;
  std::string key_prefix_;
  Sink& sink_;

  int account_ = 0;
  bool before_ = false;         // the first account
  std::uint64_t messages_ = 0;  // begun in the first account
  std::uint64_t anchor_ = 0;    // position of what was told last
  std::string blob_{};
  int times_ = 0;  // that the blob was begun
  int part_ = 0;
  std::optional<std::int64_t> message_time_{};
  std::optional<std::int64_t> turn_time_{};
  std::optional<Time> inherited_{};  // of what was told before

  std::unordered_map<std::string, int> begun_{};                    // blobs
  std::unordered_map<std::uint64_t, std::size_t> counts_{};         // in this account, by hash
  std::unordered_map<std::uint64_t, std::vector<Place>> places_{};  // in all of them, by hash
  std::unordered_map<std::string, Place> calls_{};                  // by role and id of the call
  std::unordered_set<std::uint64_t> used_{};                        // positions
  std::unordered_map<std::string, std::string> tools_{};            // by id of the call

  std::unordered_set<std::string> requests_{};
  std::string model_{};
  std::string workspace_{};
  std::optional<std::int64_t> day_{};
};

/// What a tool read from a file, without the `     1|` before each line.
std::string without_line_numbers(std::string_view text);

}  // namespace cgrep
