// What an extractor delivers, as text that a person can judge: the form of corpus/*/*/expected.
//
//   source .cursor/projects/…/c1.jsonl          a source, relative to the home
//   whole c1                                    what follows is all that it holds of c1
//   c1 user 2026-06-09T14:44:00.000Z/tag "…"    a document: conversation, role, time/origin or -,
//   c1 tool-call - tool=Read files=["…"] "…"    tool, files, flags, text as a JSON string
//                                               (of a very long one the beginning and its size)
//   c1 claim project=/home/ada/widget @50       a claim with its rung; `seen` without its value,
//                                               which depends on when the case was checked out,
//                                               `files` as a JSON string
//   problem "not JSON" at byte 12               a problem, with `passing` at its end if it is
//   unreadable                                  the source threw Unreadable
//   holds 12                                    a source that is only counted
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "extract/store.h"

namespace cgrep::test {

std::string printed(const Document& document);
std::string printed(const Claim& claim);
std::string printed(const Problem& problem);

/// Prints all that is delivered, a line each.
class PrintingSink : public Sink {
 public:
  void document(Document&& document) override { line(printed(document)); }
  void claim(Claim claim) override { line(printed(claim)); }
  void problem(Problem problem) override { line(printed(problem)); }
  void whole(std::string_view conversation) override { line("whole " + std::string(conversation)); }

  void line(const std::string& text) { text_ += text + '\n'; }
  const std::string& text() const { return text_; }

 private:
  std::string text_{};
};

/// All that the store finds below the home, read from the start or counted.
std::string extract_all(const Store& store, const std::filesystem::path& home);

}  // namespace cgrep::test
