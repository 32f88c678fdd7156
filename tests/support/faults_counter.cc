#include <cstring>
#include <fstream>

#include "support/faults.h"
#include "support/temp_dir.h"

namespace cgrep::test {

CallCounter::CallCounter(std::filesystem::path file) : file_(std::move(file)) {
  constexpr char kNone[sizeof(std::int64_t)] = {};
  std::ofstream(file_, std::ios::binary).write(kNone, sizeof kNone);
}

std::int64_t CallCounter::count() const {
  std::int64_t count = 0;
  const auto bytes = read_file(file_);
  if (bytes.size() == sizeof count) std::memcpy(&count, bytes.data(), sizeof count);
  return count;
}

}  // namespace cgrep::test
