#include "index/kept_out.h"

#include <fmt/format.h>

#include "index/sha256.h"

namespace cgrep {

namespace kept_out {

std::string conversation(std::string_view key) {
  return fmt::format("conversation\n{}", key);
}

std::string text(std::string_view key, std::int64_t hash) {
  return fmt::format("text\n{}\n{}", hash, key);
}

std::string identity(std::string_view key, std::int64_t identity) {
  return fmt::format("identity\n{}\n{}", identity, key);
}

std::string prompt(std::int64_t hash) {
  return fmt::format("prompt\n{}", hash);
}

std::string path(std::string_view key, std::string_view path) {
  return fmt::format("told path\n{}\n{}", path, key);
}

}  // namespace kept_out

KeptOut::KeptOut(Database& database)
    : database_(database), find_(database, "SELECT reason FROM kept_out WHERE entry = ?1") {
  auto salt = database.prepare("SELECT value FROM state WHERE key = 'salt'");
  if (salt.step()) salt_ = salt.blob(0);
  look();
}

void KeptOut::look() {
  auto any = database_.prepare("SELECT EXISTS (SELECT 1 FROM kept_out)");
  any_ = any.step() && any.int64(0) != 0;
  stores_ = 0;
  auto stores = database_.prepare("SELECT store FROM opted_out");
  while (stores.step()) stores_ |= 1u << stores.int64(0);
}

// Half of it is enough not to meet another by chance.
std::string KeptOut::hashed(std::string_view entry) const {
  return sha256(salt_ + std::string(entry)).substr(0, 16);
}

std::optional<KeptOutBy> KeptOut::find(std::string_view entry) {
  if (!any_) return std::nullopt;
  find_->bind_blob(1, hashed(entry));
  std::optional<KeptOutBy> by;
  if (find_->step()) by = static_cast<KeptOutBy>(find_->int64(0));
  find_->reset();
  return by;
}

// No path begins like that.
std::string KeptOut::hidden_path(const std::filesystem::path& path) const {
  return std::string(1, '\0') + hashed("path\n" + path.native());
}

void KeptOut::add(std::string_view entry, KeptOutBy by) {
  auto add = database_.prepare(
      "INSERT INTO kept_out (entry, reason) VALUES (?1, ?2) "
      "ON CONFLICT (entry) DO UPDATE SET reason = min(reason, ?2)");
  add.bind_blob(1, hashed(entry));
  add.bind(2, static_cast<int>(by));
  add.run();
  any_ = true;
}

void KeptOut::clear_excluded() {
  auto clear = database_.prepare("DELETE FROM kept_out WHERE reason != ?1");
  clear.bind(1, static_cast<int>(KeptOutBy::forget));
  clear.run();
  look();
}

void KeptOut::add_store(const Store& store) {
  auto add = database_.prepare("INSERT OR IGNORE INTO opted_out (store) VALUES (?1)");
  add.bind(1, store.id);
  add.run();
  look();
}

void KeptOut::remove_store(const Store& store) {
  auto remove = database_.prepare("DELETE FROM opted_out WHERE store = ?1");
  remove.bind(1, store.id);
  remove.run();
  look();
}

}  // namespace cgrep
