// Every corpus/<store>/<case> holds an agent's home and what to expect of it; printed.h says how
// that is written. A new store or case is a new folder there; nothing here changes.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "corpus/make_home.h"
#include "extract/stores.h"
#include "printed.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string store;
  fs::path folder;
};

void PrintTo(const Case& given, std::ostream* out) {
  *out << given.folder;
}

std::vector<Case> corpus() {
  std::vector<Case> cases;
  for (const auto& store : fs::directory_iterator(CGREP_CORPUS)) {
    const auto name = store.path().filename().string();
    if (!store.is_directory() ||
        (find_store(name) != nullptr && find_store(name)->discover == nullptr))
      continue;
    for (const auto& folder : fs::directory_iterator(store.path()))
      if (fs::exists(folder.path() / "expected")) cases.push_back({name, folder.path()});
  }
  std::sort(cases.begin(), cases.end(),
            [](const Case& a, const Case& b) { return a.folder < b.folder; });
  return cases;
}

// The home of a case, as Cursor would have left it.
fs::path home_of(const Case& given, const TempDir& made) {
  corpus::make_home(given.folder / "home", made.path() / "home");
  return made.path() / "home";
}

class CorpusTest : public testing::TestWithParam<Case> {};

TEST_P(CorpusTest, ExtractsWhatIsExpected) {
  const Store* store = find_store(GetParam().store);
  ASSERT_NE(store, nullptr) << "no such store; is it missing in stores.cc?";
  const TempDir made;
  EXPECT_EQ(extract_all(*store, home_of(GetParam(), made)),
            read_file(GetParam().folder / "expected"));
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.store + "_" + info.param.folder.filename().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, CorpusTest, testing::ValuesIn(corpus()), case_name);

void expect_cases(const Store& store, std::initializer_list<const char*> names) {
  for (const char* name : names)
    EXPECT_TRUE(fs::exists(fs::path(CGREP_CORPUS) / store.name / name / "expected"))
        << store.name << "/" << name;
}

TEST(CorpusTest, HasTheUsualCasesOfEachStore) {
  for (const Store* store : all_stores()) {
    if (!store->readable()) continue;
    expect_cases(*store, {"basic", "damaged", "truncated", "unknown-version", "huge-value",
                          "unicode", "empty"});
  }
}

}  // namespace
}  // namespace cgrep::test
