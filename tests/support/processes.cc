#include "support/processes.h"

#include <fstream>
#include <sstream>

namespace cgrep::test {
namespace {

std::string bytes_of(const std::filesystem::path& path) {
  // It may end while it is looked at.
  const std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

}  // namespace

std::size_t processes_in(const std::filesystem::path& home, const std::string& arguments) {
  std::size_t count = 0;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored))
    if (bytes_of(entry.path() / "cmdline").find(arguments) != std::string::npos &&
        bytes_of(entry.path() / "environ").find("HOME=" + home.string()) != std::string::npos)
      ++count;
  return count;
}

}  // namespace cgrep::test
