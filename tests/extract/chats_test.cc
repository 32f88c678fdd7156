// What a second reading of a chat does; the first ones are in corpus/chats.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "corpus/make_home.h"
#include "extract/folders.h"
#include "extract/roots.h"
#include "extract/stores.h"
#include "printed.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

class ChatsTest : public testing::Test {
 protected:
  void make(const std::string& name) {
    const auto home = made.path() / name;
    corpus::make_home(fs::path(CGREP_CORPUS) / "chats" / name / "home", home);
    const auto no_environment = [](const char*) -> std::optional<std::string> { return {}; };
    Folders folders;
    std::vector<Source> sources;
    chats->discover(find_roots(no_environment, home), folders, sources);
    ASSERT_FALSE(sources.empty());
    source = sources.front();
  }

  // What is delivered; the mark goes into the source.
  std::string read() {
    PrintingSink sink;
    source.mark = chats->extract(source, sink);
    return sink.text();
  }

  TempDir made{};
  const Store* chats = find_store("chats");
  Source source{};
};

TEST_F(ChatsTest, AreNotReadAgainWhenTheirRootIsTheSame) {
  make("basic");
  EXPECT_NE(read(), "");
  EXPECT_NE(source.mark, "");
  EXPECT_EQ(source.mark.find("CANARY"), std::string::npos);
  EXPECT_EQ(read(), "");
  EXPECT_EQ(read(), "");
}

TEST_F(ChatsTest, AreReadAgainWhenTheirRootIsAnother) {
  make("basic");
  const auto first = read();
  source.mark[0] = source.mark[0] == '0' ? '1' : '0';
  EXPECT_EQ(read(), first);
}

TEST_F(ChatsTest, AreReadAgainWhileABlobIsMissing) {
  make("missing-blob");
  const auto first = read();
  EXPECT_EQ(source.mark, "");
  EXPECT_EQ(read(), first);
}

TEST_F(ChatsTest, AreReadAgainWithoutARoot) {
  make("empty-root");
  const auto first = read();
  EXPECT_EQ(read(), first);
}

}  // namespace
}  // namespace cgrep::test
