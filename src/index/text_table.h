// TextTable: the way of texts into history.db. Packing them (frames.h) costs as much as all else
// that reading does, so that a thread does it beside the reading, once there are many.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string_view>

#include "extract/sqlite.h"
#include "index/frames.h"

namespace cgrep {

/// Not for several threads.
class TextTable {
 public:
  explicit TextTable(Database& database);

  /// What was not flushed is not kept.
  ~TextTable();
  TextTable(const TextTable&) = delete;
  TextTable& operator=(const TextTable&) = delete;

  /// The text of a new row; soon in the table.
  void add(std::int64_t row, std::string_view text);

  /// All that was added is in the table. To be called before it is looked at, and before a commit.
  void flush();

  /// The same for one row: most are there already, and then nothing has to be hurried.
  void flush(std::int64_t row);

 private:
  struct Batch;
  class Packer;

  void hand_over();
  void insert(const Batch& batch);

  LazyStatement new_text_;
  Frames frames_{};
  std::unique_ptr<Batch> gathered_;
  std::set<std::int64_t> under_way_{};  // the first rows of batches that are not in the table
  std::unique_ptr<Packer> packer_;      // the thread; made for the first whole batch
};

}  // namespace cgrep
