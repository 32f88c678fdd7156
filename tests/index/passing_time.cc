#include "index/passing_time.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "extract/roots.h"
#include "extract/sqlite.h"
#include "extract/state_changes.h"
#include "extract/stores.h"
#include "index/checked_files.h"

namespace cgrep::test {

namespace fs = std::filesystem;

UpdateSummary index_all(const fs::path& home, const fs::path& folder, UpdateOptions options) {
  for (const Store* store : all_stores())
    if (store->searched == Searched::when_named) options.opt_in.push_back(store);
  return update(folder, find_roots([](const char*) { return std::nullopt; }, home), options);
}

void let_a_day_pass(const fs::path& index) {
  Database database(uri_of(index / "history.db", fmt::format("?vfs={}", checked_files())),
                    SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI);
  std::vector<std::pair<std::int64_t, std::string>> marks;
  auto sources = database.prepare("SELECT id, mark FROM sources");
  while (sources.step())
    if (auto mark = StateMark::parse(sources.text(1).substr(0, sources.text(1).find('\n')))) {
      mark->hour -= 24;
      const auto end = std::min(sources.text(1).find('\n'), sources.text(1).size());
      marks.emplace_back(sources.int64(0), mark->text() + std::string(sources.text(1).substr(end)));
    }
  sources.reset();
  auto write = database.prepare("UPDATE sources SET mark = ?2 WHERE id = ?1");
  for (const auto& [id, mark] : marks) {
    write.bind(1, id);
    write.bind_blob(2, mark);
    write.run();
  }
}

void Aging::age(const fs::path& home) {
  for (const auto& entry : fs::recursive_directory_iterator(home)) {
    if (entry.is_symlink() || entry.path().native().ends_with("-shm")) continue;
    const auto size = entry.is_regular_file() ? entry.file_size() : 0;
    auto& before = seen_[entry.path()];
    if (before == std::pair(size, entry.last_write_time())) continue;
    fs::last_write_time(entry.path(), fs::file_time_type::clock::now() - std::chrono::hours(1000) +
                                          std::chrono::seconds(++seconds_));
    before = {size, fs::last_write_time(entry.path())};
  }
}

}  // namespace cgrep::test
