#include "bench/measure/workbench.h"

#include <cstdlib>
#include <iostream>
#include <system_error>

#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

namespace cgrep::bench {
namespace {

namespace fs = std::filesystem;

fs::path make_scratch(const fs::path& data) {
  fs::create_directories(data);
  std::string path = (data / "run.XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), path);
  fs::create_directories(fs::path(path) / "empty-home");
  return path;
}

// What the linker writes lies in memory page by page, and to map it takes a short search a
// twentieth of its time; what was installed, as rg was, lies there in large pieces.
void install(const fs::path& program, const fs::path& folder) {
  fs::copy_file(program, folder / program.filename());
}

fs::path install_programs(const fs::path& build, const fs::path& folder) {
  fs::create_directories(folder);
  install(build / "src/cli/cgrep", folder);
  for (const auto& entry : fs::directory_iterator(build / "bench/baselines"))
    if (entry.is_regular_file() && access(entry.path().c_str(), X_OK) == 0)
      install(entry.path(), folder);
  return folder;
}

Command joined(Command command, const Command& more) {
  command.insert(command.end(), more.begin(), more.end());
  return command;
}

}  // namespace

Workbench::Workbench(const fs::path& build, const fs::path& data, std::uint64_t seed)
    : build_(fs::absolute(build)),
      data_(fs::absolute(data)),
      scratch_(make_scratch(data_)),
      programs_(install_programs(build_, scratch_ / "programs")),
      seed_(seed),
      runner_(scratch_ / "empty-home") {}

Workbench::~Workbench() {
  std::error_code ignored;
  fs::remove_all(scratch_, ignored);
}

fs::path Workbench::history(const std::string& name, const Command& options) const {
  const fs::path home = data_ / fmt::format("{}-{}", name, seed_);
  if (fs::exists(home / "needles.json")) return home;
  say("making the history " + name);
  fs::remove_all(home);
  const Command command{(build_ / "bench/bench-generate").string(), "--seed",
                        std::to_string(seed_)};
  runner_.must(joined(joined(command, options), {home.string()}));
  return home;
}

Command Workbench::cgrep(const fs::path& home, const fs::path& index,
                         const Command& arguments) const {
  return joined({(programs_ / "cgrep").string()},
                joined(arguments, {"--root", home.string(), "--index", index.string()}));
}

Command Workbench::baseline(const std::string& name, const Command& arguments) const {
  return joined({(programs_ / name).string()}, arguments);
}

Cost Workbench::first_index(const fs::path& home, const fs::path& index) const {
  fs::remove_all(index);
  return runner_.must(cgrep(home, index, {"index", "--quiet"}));
}

void say(std::string_view what) {
  std::cerr << "bench: " << what << " …\n";
}

std::uintmax_t bytes_of_runs(const fs::path& index) {
  sqlite3* database = nullptr;
  sqlite3_stmt* names = nullptr;
  // Nothing may be moved from the journal into it, but by cgrep: its pages have checksums.
  sqlite3_open_v2((index / "history.db").c_str(), &database, SQLITE_OPEN_READONLY, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  sqlite3_prepare_v2(database, "SELECT name FROM runs", -1, &names, nullptr);
  std::uintmax_t bytes = 0;
  while (sqlite3_step(names) == SQLITE_ROW)
    bytes +=
        bytes_below(index / "words" / reinterpret_cast<const char*>(sqlite3_column_text(names, 0)));
  sqlite3_finalize(names);
  sqlite3_close(database);
  return bytes;
}

std::uintmax_t bytes_below(const fs::path& folder) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) bytes += entry.file_size();
  return bytes;
}

}  // namespace cgrep::bench
