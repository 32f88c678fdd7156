// Every input that a fuzz target once failed on, replayed: fuzz/finds/<target>/<what>.
#include <algorithm>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fuzz/target.h"
#include "support/temp_dir.h"

namespace cgrep::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> finds() {
  std::vector<fs::path> files;
  if (!fs::exists(CGREP_FINDS)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(CGREP_FINDS))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class ReplayTest : public testing::TestWithParam<fs::path> {};

TEST_P(ReplayTest, HoldsNow) {
  const auto target = targets().find(GetParam().parent_path().filename().string());
  ASSERT_NE(target, targets().end()) << "no such target";
  target->second(test::read_file(GetParam()));
}

std::string find_name(const testing::TestParamInfo<fs::path>& info) {
  auto name = info.param.parent_path().filename().string() + "_" + info.param.filename().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, ReplayTest, testing::ValuesIn(finds()), find_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ReplayTest);

// The empty input, and one of every byte: whatever else a target does, it takes them.
TEST(TargetsTest, TakeAnything) {
  for (const auto& [name, target] : targets()) {
    SCOPED_TRACE(name);
    target("");
    for (int byte = 0; byte < 256; ++byte) target(std::string(1, static_cast<char>(byte)));
  }
}

}  // namespace
}  // namespace cgrep::fuzz
