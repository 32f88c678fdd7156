#include "cli/markdown.h"

#include <string>

#include <gtest/gtest.h>

namespace cgrep::test {
namespace {

// Painted text, with <b> for bold and so on in the place of escape sequences.
std::string shown(std::string_view text) {
  Terminal terminal;
  terminal.color = true;
  std::string painted = painted_markdown(terminal, text);
  const auto replace = [&](std::string_view from, std::string_view to) {
    for (auto at = painted.find(from); at != std::string::npos; at = painted.find(from, at))
      painted.replace(at, from.size(), to);
  };
  replace("\x1b[0m", "</>");
  replace("\x1b[1m", "<bold>");
  replace("\x1b[2m", "<faint>");
  replace("\x1b[35m", "<code>");
  replace("\x1b[32m", "<mark>");
  return painted;
}

TEST(MarkdownTest, PaintsWhatHelpsReading) {
  EXPECT_EQ(shown("## The cause"), "<bold>## The cause</>");
  EXPECT_EQ(shown("call `f()` **now**, please"), "call <code>`f()`</> <bold>**now**</>, please");
  EXPECT_EQ(shown("  - one"), "  <mark>-</> one");
  EXPECT_EQ(shown("12. twelve"), "<mark>12.</> twelve");
  EXPECT_EQ(shown("> said before"), "<faint>> said before</>");
  EXPECT_EQ(shown("``a ` b`` c"), "<code>``a ` b``</> c");
}

TEST(MarkdownTest, LeavesTextAlone) {
  for (const char* text : {"#include <vector>", "2 ** 3 ** 4", "a * b", "-rf", "3.5 of them",
                           "`open", "**open", "snake_case_name", "#1 is done", "", "\n", "a\n\n"})
    EXPECT_EQ(shown(text), text);
}

TEST(MarkdownTest, NothingInsideAFenceIsMarkdown) {
  EXPECT_EQ(shown("```sh\n# build\n- `x`\n```\n# after"),
            "<faint>```sh</>\n# build\n- `x`\n<faint>```</>\n<bold># after</>");
  // A shorter fence, or one of another kind, does not close it.
  EXPECT_EQ(shown("````\n```\n~~~\n````\n**b**"),
            "<faint>````</>\n```\n~~~\n<faint>````</>\n<bold>**b**</>");
  EXPECT_EQ(shown("```x``` is code"), "<code>```x```</> is code");
}

TEST(MarkdownTest, NeverChangesACharacter) {
  const std::string text =
      "# a\n\n- `b` **c**\n> d\n```\n**e**\n\n```\nhttps://f.test/g [h](http://i)\n";
  Terminal plain;
  EXPECT_EQ(painted_markdown(plain, text), text);
  std::string painted = shown(text);
  for (const char* mark : {"</>", "<bold>", "<faint>", "<code>", "<mark>"})
    for (auto at = painted.find(mark); at != std::string::npos; at = painted.find(mark))
      painted.erase(at, std::string_view(mark).size());
  EXPECT_EQ(painted, text);
}

TEST(MarkdownTest, LinksAreOfTheWebOnly) {
  const auto targets = [](std::string_view line) {
    std::string found;
    for (const MarkdownPiece& piece : markdown_pieces(line))
      if (piece.kind == MarkdownPiece::Kind::link)
        found += std::string(piece.text) + "=" + std::string(piece.target) + ";";
    return found;
  };
  EXPECT_EQ(targets("see [docs](https://x.test/a) and (http://y.test/b)."),
            "docs=https://x.test/a;http://y.test/b=http://y.test/b;");
  EXPECT_EQ(targets("[x](javascript:alert(1)) [y](file:///etc) [z](data:text/html,x)"), "");
  EXPECT_EQ(targets("[x](https://a\"onclick=b)"), "");
}

}  // namespace
}  // namespace cgrep::test
