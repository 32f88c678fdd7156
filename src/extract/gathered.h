// Gathered: what an extractor delivers, kept for a while, to be delivered by another thread.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "extract/store.h"

namespace cgrep {

/// Some of what was delivered, in order.
class Gathered {
 public:
  struct Whole {
    std::string conversation{};
  };
  struct More {
    std::string conversation{};
  };
  struct Vanished {
    std::string key{};
  };
  struct Note {
    std::string part{};
    std::string text{};
  };
  struct ForgottenNote {
    std::string part{};
  };
  struct SoFar {
    std::string mark{};
  };
  using Call =
      std::variant<Document, Claim, Problem, Whole, More, Vanished, Note, ForgottenNote, SoFar>;

  void add(Call&& call, std::size_t more_bytes);

  /// Delivers it, once; what no sink took stays until this is destroyed.
  void deliver(Sink& sink);

  /// What it takes, roughly.
  std::size_t bytes() const { return bytes_; }

 private:
  std::vector<Call> calls_{};
  std::size_t bytes_ = 0;
};

/// Gathers what is read of things that nothing was ever noted of: what an extractor notes while it
/// reads one, it is told again; all else is not there.
class Gatherer : public Sink {
 public:
  void document(Document&& document) override;
  void claim(Claim claim) override { add(std::move(claim)); }
  void problem(Problem problem) override { add(std::move(problem)); }
  void whole(std::string_view conversation) override;
  void more(std::string_view conversation) override;
  void vanished(std::string_view key) override;
  std::optional<std::string> noted(std::string_view part) override;
  void note(std::string_view part, std::string_view text) override;
  void forget_note(std::string_view part) override;
  std::vector<std::string> noted_parts() override;
  void so_far(std::string_view mark) override;

 protected:
  /// What has gathered since the last call.
  Gathered take() { return std::exchange(gathered_, {}); }

  /// Another thing is read from here on.
  void begin() {
    gathered_ = {};
    notes_.clear();
  }

 private:
  /// Called when something was added; `bytes` have gathered.
  virtual void grown(std::size_t bytes) = 0;

  void add(Gathered::Call&& call, std::size_t more_bytes = 0);

  Gathered gathered_{};
  std::map<std::string, std::string, std::less<>> notes_{};
};

}  // namespace cgrep
