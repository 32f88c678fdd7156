#include "fuzz/checks.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <utility>

#include "extract/stores.h"
#include "extract/utf8.h"
#include "support/temp_dir.h"

namespace cgrep::fuzz {

namespace {

constexpr std::int64_t kYear10000 = 253'402'300'800'000;

bool is_address_word(std::string_view id) {
  if (id.empty()) return false;
  for (const char c : id)
    if (static_cast<unsigned char>(c) <= ' ' || c == ':' || c == '\x7f') return false;
  return true;
}

bool is_time(Fact fact) {
  return fact == Fact::created || fact == Fact::updated || fact == Fact::seen;
}

}  // namespace

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

bool is_sane_time(std::int64_t ms) {
  return ms >= 0 && ms < kYear10000;
}

void CheckingSink::take(std::size_t bytes) {
  taken_ += bytes;
  require(taken_ <= allowed_, "what is delivered is bounded by what was read");
}

void CheckingSink::document(Document&& document) {
  take(document.text.size() + document.alike.size());
  require(is_address_word(document.conversation), "a conversation's id is one word");
  require(valid_utf8(document.conversation), "a conversation's id is UTF-8");
  require(valid_utf8(document.text), "a text is UTF-8");
  require(document.text.size() <= kMaxTextBytes, "a text has an end");
  require(valid_utf8(document.tool), "a tool's name is UTF-8");
  for (const auto& file : document.files) {
    take(file.size());
    require(valid_utf8(file), "a path is UTF-8");
  }
  if (document.time) require(is_sane_time(document.time->ms), "a document's time is sane");
  documents_.push_back(std::move(document));
}

void CheckingSink::claim(Claim claim) {
  take(claim.value.size());
  require(valid_utf8(claim.value), "a claim is UTF-8");
  if (!is_time(claim.fact)) return;
  std::int64_t ms = -1;
  const auto* end = claim.value.data() + claim.value.size();
  const auto read = std::from_chars(claim.value.data(), end, ms);
  require(read.ec == std::errc() && read.ptr == end && is_sane_time(ms), "a claimed time is sane");
}

void CheckingSink::problem(Problem problem) {
  constexpr std::size_t kLongestKind = 100;
  require(problem.what.size() <= kLongestKind, "a problem's kind is short");
  require(valid_utf8(problem.what), "a problem's kind is UTF-8");
}

void CheckingSink::whole(std::string_view conversation) {
  require(conversation.empty() || is_address_word(conversation), "what is whole has a name");
}

std::vector<std::string> CheckingSink::said_in(std::string_view conversation) const {
  std::vector<std::string> said;
  for (const auto& document : documents_)
    if (document.conversation == conversation)
      said.push_back(std::string(name_of(document.role)) + " " + document.text);
  return said;
}

const std::filesystem::path& scratch() {
  static const test::TempDir folder;
  return folder.path();
}

std::filesystem::path write_scratch(const std::filesystem::path& relative, std::string_view bytes) {
  const auto path = scratch() / relative;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

void read_source(std::string_view store, const std::filesystem::path& path, Sink& sink) {
  const Store* found = find_store(store);
  require(found != nullptr && found->readable(), "the store is there");
  try {
    found->extract({.store = found, .path = path, .root = scratch()}, sink);
  } catch (const Unreadable&) {
    return;
  }
}

}  // namespace cgrep::fuzz
