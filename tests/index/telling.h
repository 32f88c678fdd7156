// Plays extractors: tells the writer what sources say, and reads back what the index made of it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "extract/store.h"
#include "index/history.h"
#include "index/writer.h"
#include "support/temp_dir.h"

namespace cgrep::test {

class Telling : public testing::Test {
 protected:
  using Lines = std::vector<std::string>;
  using Documents = std::vector<Document>;
  using Claims = std::vector<Claim>;

  Telling();

  static Document said(const std::string& text, Role role = Role::user);
  static Document keyed(const std::string& key, Document document);

  /// The call of a tool that is the same in all stores, whatever they print of its arguments.
  static Document call(const std::string& text, const std::string& tool = "Read",
                       const std::string& alike = "read\n/home/ada/a.c");

  /// All that the store's one source holds of the conversation, in this order, and one commit.
  ReadingCounts tell(const char* store, const std::string& conversation, Documents documents,
                     const Claims& claims = {});

  /// The same in pieces: several conversations, other sources, no commit.
  Sink& begin(const char* store, const std::string& path = "");
  ReadingCounts end(const std::string& mark = "mark");
  static void deliver(Sink& sink, const std::string& conversation, Documents documents,
                      const Claims& claims = {});

  /// The ledger's row of the store's source.
  std::int64_t source(const char* store, const std::string& path = "");

  /// Commits, closes the index and opens it again.
  void reopen();

  /// As if the process had been killed: nothing is committed any more.
  void die();

  /// `number role text [flags] stores` of each document, in reading order.
  Lines documents(const std::string& conversation = "c1");
  Lines texts(const std::string& conversation = "c1");

  /// Rows of the documents, by number.
  std::vector<std::int64_t> rows(const std::string& conversation = "c1");

  Conversation conversation(const std::string& key = "c1");
  std::string project(const std::string& key = "c1") { return conversation(key).project; }

  History& history() { return *history_; }
  IndexWriter& writer() { return *writer_; }

 private:
  void open();

  TempDir dir_{};
  std::optional<History> history_{};
  std::optional<IndexWriter> writer_{};
};

}  // namespace cgrep::test
