#include "index/ledger.h"

#include <cerrno>
#include <chrono>
#include <string_view>

#include <sys/stat.h>

#include "extract/sqlite.h"

namespace cgrep {

namespace {

char letter_of(Entry::Kind kind) {
  switch (kind) {
    case Entry::Kind::file:
      return 'f';
    case Entry::Kind::folder:
      return 'd';
    case Entry::Kind::other:
      break;
  }
  return 'o';
}

Entry::Kind kind_of(char letter) {
  if (letter == 'f') return Entry::Kind::file;
  return letter == 'd' ? Entry::Kind::folder : Entry::Kind::other;
}

std::string packed(const std::vector<Entry>& entries) {
  std::string bytes;
  for (const auto& entry : entries) {
    bytes += letter_of(entry.kind);
    bytes += entry.name;
    bytes += '\0';
  }
  return bytes;
}

std::vector<Entry> unpacked(std::string_view bytes) {
  std::vector<Entry> entries;
  while (!bytes.empty()) {
    const auto end = bytes.find('\0');
    entries.push_back({.name = std::string(bytes.substr(1, end - 1)), .kind = kind_of(bytes[0])});
    if (end == std::string_view::npos) break;
    bytes.remove_prefix(end + 1);
  }
  return entries;
}

Fingerprint fingerprint_from(const Statement& row, int column) {
  return {.inode = static_cast<std::uint64_t>(row.int64(column)),
          .size = row.int64(column + 1),
          .mtime_ns = row.int64(column + 2)};
}

constexpr std::string_view kSelectEntries =
    "SELECT path, id, version, inode, size, mtime, wal_inode, wal_size, wal_mtime, mark, missing "
    "FROM sources ";

LedgerEntry entry_from(const Statement& row) {
  return {.row = row.int64(1),
          .version = static_cast<int>(row.int64(2)),
          .file = fingerprint_from(row, 3),
          .wal = fingerprint_from(row, 6),
          .mark = std::string(row.blob(9)),
          .missing = row.int64(10) != 0};
}

bool same(const Listing& a, const Listing& b) {
  return a.inode == b.inode && a.mtime_ns == b.mtime_ns && a.entries == b.entries;
}

bool is_gone(const std::filesystem::path& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

}  // namespace

std::optional<Fingerprint> fingerprint_of(const std::filesystem::path& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return Fingerprint{.inode = status.st_ino,
                     .size = status.st_size,
                     .mtime_ns = status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
}

// A file from the future is not young: whatever changes it next gives it another mtime.
std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Fingerprint unless_young(Fingerprint fingerprint, std::int64_t now_ns) {
  const auto age = now_ns - fingerprint.mtime_ns;
  if (age < kYoungNs && age > -kYoungNs) fingerprint.mtime_ns = -1;
  return fingerprint;
}

Ledger load_ledger(Database& database, const Store& store) {
  Ledger ledger;
  auto rows = database.prepare(std::string(kSelectEntries) + "WHERE store = ?1");
  rows.bind(1, store.id);
  while (rows.step()) ledger.emplace(std::string(rows.blob(0)), entry_from(rows));
  return ledger;
}

std::optional<LedgerEntry> load_ledger_entry(Database& database, const Store& store,
                                             const std::filesystem::path& path) {
  auto rows = database.prepare(std::string(kSelectEntries) + "WHERE store = ?1 AND path = ?2");
  rows.bind(1, store.id);
  rows.bind_blob(2, path.native());
  if (!rows.step()) return std::nullopt;
  return entry_from(rows);
}

Folders::Known load_folders(Database& database) {
  Folders::Known known;
  auto rows = database.prepare("SELECT path, inode, mtime, entries FROM folders");
  while (rows.step())
    known.emplace(std::string(rows.blob(0)),
                  Listing{.inode = static_cast<std::uint64_t>(rows.int64(1)),
                          .mtime_ns = rows.int64(2),
                          .entries = unpacked(rows.blob(3))});
  return known;
}

void save_folders(Database& database, const Folders::Known& before, const Folders::Known& now) {
  auto save = database.prepare(
      "INSERT OR REPLACE INTO folders (path, inode, mtime, entries) VALUES (?1, ?2, ?3, ?4)");
  for (const auto& [path, listing] : now) {
    const auto known = before.find(path);
    if (known != before.end() && same(known->second, listing)) continue;
    save.bind_blob(1, path.native());
    save.bind(2, static_cast<std::int64_t>(listing.inode));
    save.bind(3, listing.mtime_ns);
    save.bind_blob(4, packed(listing.entries));
    save.run();
  }
  auto forget = database.prepare("DELETE FROM folders WHERE path = ?1");
  for (const auto& [path, listing] : before) {
    if (now.contains(path) || !is_gone(path)) continue;
    forget.bind_blob(1, path.native());
    forget.run();
  }
}

}  // namespace cgrep
