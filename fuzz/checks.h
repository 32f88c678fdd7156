// What must hold of anything that is made of foreign bytes.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "extract/store.h"

namespace cgrep::fuzz {

/// Ends the program, so that the fuzzer keeps the input, unless it holds.
void require(bool holds, const char* what);

/// From 1970 to 9999: whatever is beyond could not be printed as a date.
bool is_sane_time(std::int64_t ms);

/// Takes all that an extractor delivers, and checks it: valid UTF-8, sane times, names that fit
/// into an address, and not more than the input can have brought.
class CheckingSink : public Sink {
 public:
  /// `input`: how many bytes were read.
  explicit CheckingSink(std::size_t input) : allowed_(kAtLeast + kPerByte * input) {}

  void document(Document&& document) override;
  void claim(Claim claim) override;
  void problem(Problem problem) override;
  void whole(std::string_view conversation) override;

  /// `role text` of each document of one conversation, in the order of delivery.
  std::vector<std::string> said_in(std::string_view conversation) const;

 private:
  static constexpr std::size_t kAtLeast = 1u << 20;
  static constexpr std::size_t kPerByte = 64;

  void take(std::size_t bytes);

  std::size_t allowed_;
  std::size_t taken_ = 0;
  std::vector<Document> documents_{};
};

/// A folder of this process for sources that have to be files; removed at its end.
const std::filesystem::path& scratch();

/// Writes the file below scratch(), with the folders on its way. Returns its path.
std::filesystem::path write_scratch(const std::filesystem::path& relative, std::string_view bytes);

/// Reads the source with its store from the start. What cannot be opened is no failure.
void read_source(std::string_view store, const std::filesystem::path& path, Sink& sink);

}  // namespace cgrep::fuzz
