#include <gtest/gtest.h>

#include "cli/history_home.h"
#include "extract/json.h"
#include "extract/stores.h"

namespace cgrep::test {
namespace {

class StoresCommandTest : public StandardHome {};

TEST_F(StoresCommandTest, WithoutAnIndexWhatWasFound) {
  const auto result = cgrep({"stores"});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("transcripts  default          3         -        -  no index yet      "
                            "~/.cursor/projects\n"),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.err.find("no index yet"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(home_.path() / ".local/share/cgrep"));
}

TEST_F(StoresCommandTest, WithAnIndexWhatIsInIt) {
  cgrep({"index", "-q"});
  const auto result = cgrep({"stores"});
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("transcripts  default          3         7        0  2026-08-03"),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("chats        opt-in           0         -        -  opt-in\n"),
            std::string::npos)
      << result.out;
}

TEST_F(StoresCommandTest, JsonListsTheWholeCatalogue) {
  const auto lines = lines_of(cgrep({"stores", "--json"}).out);
  ASSERT_EQ(lines.size(), all_stores().size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto event = Json::parse(lines[i]);
    ASSERT_TRUE(event) << lines[i];
    EXPECT_EQ(event->find("data")->text("name"), all_stores()[i]->name);
  }
}

}  // namespace
}  // namespace cgrep::test
