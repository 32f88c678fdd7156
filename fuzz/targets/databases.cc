// The SQLite stores: rows of any content beside a good conversation, and whole files.
#include <array>
#include <cstdint>

#include "fuzz/checks.h"
#include "fuzz/rows.h"
#include "fuzz/target.h"

namespace cgrep::fuzz {
namespace {

constexpr std::string_view kGood = "5afe5afe-0000-4000-8000-00000000600d";
constexpr std::string_view kStatePath = ".config/Cursor/User/globalStorage/state.vscdb";
constexpr std::array<std::string_view, 8> kStateStores = {
    "bubbles", "composers", "legacy-chats", "prompts", "agentkv", "diffs", "contexts", "plans"};
constexpr std::string_view kChatPath =
    ".cursor/chats/ec8c084499b8df5d440e71a336c4885b/5afe5afe-0000-4000-8000-0000000000c4/store.db";

const std::vector<Row>& good_rows() {
  const std::string id(kGood);
  static const std::vector<Row> kRows = {
      {"cursorDiskKV", "composerData:" + id,
       R"({"_v":3,"fullConversationHeadersOnly":[{"bubbleId":"b1","type":1},{"bubbleId":"b2","type":2}]})"},
      {"cursorDiskKV", "bubbleId:" + id + ":b1", R"({"_v":3,"type":1,"text":"good question"})"},
      {"cursorDiskKV", "bubbleId:" + id + ":b2", R"({"_v":3,"type":2,"text":"good answer"})"}};
  return kRows;
}

FUZZ_TARGET(state_rows) {
  auto rows = parse_rows(bytes);
  // What speaks of the good conversation may well change it.
  std::erase_if(rows, [](const Row& row) {
    return row.key.find(kGood) != std::string::npos || row.value.find(kGood) != std::string::npos;
  });
  rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2), good_rows().begin(),
              good_rows().end());
  const auto path = scratch() / kStatePath;
  make_database(path, state_tables(), rows);
  for (const auto store : kStateStores) {
    CheckingSink sink(bytes.size());
    read_source(store, path, sink);
    if (store != "bubbles") continue;
    require(sink.said_in(kGood) ==
                std::vector<std::string>{"user good question", "assistant good answer"},
            "a good conversation is read beside bad rows");
  }
}

FUZZ_TARGET(chat_rows) {
  const auto path = scratch() / kChatPath;
  make_database(path, chat_tables(), parse_rows(bytes));
  CheckingSink sink(bytes.size());
  read_source("chats", path, sink);
}

struct WholeFile {
  std::string_view store{};
  std::string_view path{};
};
constexpr std::array<WholeFile, 9> kWholeFiles = {{
    {"bubbles", kStatePath},
    {"composers", kStatePath},
    {"prompts", kStatePath},
    {"legacy-chats", kStatePath},
    {"agentkv", kStatePath},
    {"chats", kChatPath},
    {"summaries", ".cursor/ai-tracking/ai-code-tracking.db"},
    {"commits", ".cursor/ai-tracking/ai-code-tracking.db"},
    {"ai-files", ".cursor/ai-tracking/ai-code-tracking.db"},
}};

// The first byte says which store reads the rest.
FUZZ_TARGET(database) {
  if (bytes.empty()) return;
  const auto& whole = kWholeFiles[static_cast<unsigned char>(bytes.front()) % kWholeFiles.size()];
  bytes.remove_prefix(1);
  const auto path = write_scratch(whole.path, bytes);
  // A page can be named again and again by a damaged tree, so the file's size bounds nothing here.
  constexpr std::size_t kAmple = 64u << 20;
  CheckingSink sink(kAmple);
  read_source(whole.store, path, sink);
}

constexpr std::string_view kLeftPath = "left-behind/.config/Cursor/User/globalStorage/state.vscdb";
constexpr std::size_t kPage = 4096;
constexpr std::size_t kWalHeader = 32;
constexpr std::size_t kFrameHeader = 24;

/// The checksum of a -wal, over words in the order of this machine.
struct WalSum {
  std::uint32_t first = 0;
  std::uint32_t second = 0;

  void add(std::string_view bytes) {
    for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
      first += word(bytes, i) + second;
      second += word(bytes, i + 4) + first;
    }
  }
  static std::uint32_t word(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
  }
  std::string text() const {
    std::string bytes;
    for (const auto value : {first, second})
      for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
    return bytes;
  }
};

// SQLite believes only frames with the right sums, which no fuzzer finds.
std::string with_right_sums(std::string_view bytes) {
  std::string wal(bytes);
  if (wal.size() < kWalHeader) return wal;
  wal.replace(0, 12, std::string("\x37\x7f\x06\x82\x00\x2d\xe2\x18\x00\x00\x10\x00", 12));
  const std::string_view all = wal;
  WalSum sum;
  sum.add(all.substr(0, 24));
  wal.replace(24, 8, sum.text());
  for (auto at = kWalHeader; at + kFrameHeader + kPage <= wal.size(); at += kFrameHeader + kPage) {
    wal.replace(at + 8, 8, wal, 16, 8);  // the salts
    sum.add(all.substr(at, 8));
    sum.add(all.substr(at + kFrameHeader, kPage));
    wal.replace(at + 16, 8, sum.text());
  }
  return wal;
}

// A -wal that was left behind beside a good database. Nobody writes to either.
FUZZ_TARGET(left_behind) {
  static const auto path = [] {
    auto made = scratch() / kLeftPath;
    make_database(made, state_tables(), good_rows(), "WAL");
    return made;
  }();
  const auto wal = write_scratch(std::string(kLeftPath) + "-wal", with_right_sums(bytes));
  constexpr std::size_t kAmple = 64u << 20;
  for (const std::string_view store : {"bubbles", "prompts"}) {
    CheckingSink sink(kAmple);
    read_source(store, path, sink);
  }
  require(std::filesystem::file_size(wal) == bytes.size(), "a -wal stays as it was");
  require(!std::filesystem::exists(path.string() + "-shm"), "no -shm is made");
}

}  // namespace
}  // namespace cgrep::fuzz
