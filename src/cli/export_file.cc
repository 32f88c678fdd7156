#include "cli/export_file.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "error.h"

namespace cgrep {
namespace {

namespace fs = std::filesystem;

// The file to remove when a signal ends the program; written before the handler is set.
std::array<char, 4096> unfinished{};

extern "C" void remove_unfinished(int signal) {
  unlink(unfinished.data());
  constexpr int kBySignal = 128;
  _exit(kBySignal + signal);
}

void remove_on_signal(const std::string& path) {
  if (path.size() >= unfinished.size()) return;
  path.copy(unfinished.data(), path.size());
  unfinished[path.size()] = '\0';
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, remove_unfinished) == SIG_IGN) std::signal(signal, SIG_IGN);
}

void forget_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
}

Error already_there(const fs::path& path) {
  return Error(fmt::format("{} exists", path.string()), "--force writes over it");
}

// Where the file really is: who writes over a link means what it points to.
fs::path checked(const fs::path& path, bool overwrite) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (fs::is_directory(status))
    throw Error(fmt::format("{} is a folder", path.string()),
                fmt::format("--output {}", (path / "conversation.md").string()));
  if (fs::exists(fs::symlink_status(path, error)) && !overwrite) throw already_there(path);
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw Error(fmt::format("{} is no plain file", path.string()),
                "without --output it goes to standard output");
  auto target = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
  const auto folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error))
    throw Error(fmt::format("no folder {}", folder.string()),
                fmt::format("mkdir -p {}", folder.string()));
  return target;
}

FileDescriptor make_beside(const fs::path& path, std::string& name) {
  const auto folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  name = (folder / fmt::format(".{}.XXXXXX", path.filename().string())).string();
  FileDescriptor file(mkostemp(name.data(), O_CLOEXEC));  // mode 0600
  if (!file.valid()) throw_errno("write", path);
  return file;
}

}  // namespace

ExportFile::ExportFile(const fs::path& path, bool overwrite)
    : path_(checked(path, overwrite)),
      overwrite_(overwrite),
      file_(make_beside(path_, temporary_)),
      out_(file_.get()) {
  remove_on_signal(temporary_);
}

ExportFile::~ExportFile() {
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  forget_signals();
}

void ExportFile::keep() {
  out_.flush();
  if (fsync(file_.get()) != 0 && errno != EINVAL) throw_errno("write", path_);
  if (overwrite_) {
    if (rename(temporary_.c_str(), path_.c_str()) != 0) throw_errno("write", path_);
  } else if (link(temporary_.c_str(), path_.c_str()) == 0) {
    unlink(temporary_.c_str());  // a link, unlike a rename, replaces nothing that came meanwhile
  } else if (errno == EEXIST) {
    throw already_there(path_);
  } else if (rename(temporary_.c_str(), path_.c_str()) != 0) {  // file systems without links
    throw_errno("write", path_);
  }
  temporary_.clear();
  forget_signals();
}

}  // namespace cgrep
