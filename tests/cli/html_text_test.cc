#include "cli/html_text.h"

#include <gtest/gtest.h>

namespace cgrep::test {
namespace {

TEST(HtmlTextTest, EverythingIsEscaped) {
  EXPECT_EQ(html_escaped("<a href=\"x\" b='y'>&\x1b[31m\xe2\x80\xae"),
            "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;^[[31m\\u{202e}");
  EXPECT_EQ(html_escaped("a\tb\r\nc\rd"), "a\tb\nc^Md");
  EXPECT_EQ(html_of_markdown("<script>alert(1)</script>"),
            "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n");
  EXPECT_EQ(html_of_markdown("```<b>\n</code></pre><script>\n```"),
            "<pre><code>&lt;/code&gt;&lt;/pre&gt;&lt;script&gt;\n</code></pre>\n");
  EXPECT_EQ(html_of_markdown("`<i>` **<u>**"),
            "<p><code>&lt;i&gt;</code> <strong>&lt;u&gt;</strong></p>\n");
}

TEST(HtmlTextTest, LinksLeadToTheWebOnly) {
  EXPECT_EQ(html_of_markdown("[a&b](https://x.test/?a=1&b='2')"),
            "<p><a href=\"https://x.test/?a=1&amp;b=&#39;2&#39;\" rel=\"noreferrer noopener\">"
            "a&amp;b</a></p>\n");
  EXPECT_EQ(html_of_markdown("[x](javascript:alert(1))"), "<p>[x](javascript:alert(1))</p>\n");
  EXPECT_EQ(html_of_markdown("[x](data:text/html,y)"), "<p>[x](data:text/html,y)</p>\n");
}

TEST(HtmlTextTest, BlocksOfMarkdown) {
  EXPECT_EQ(html_of_markdown("# a\nb\n  c\n\nd"), "<h4>a</h4>\n<p>b\n  c</p>\n<p>d</p>\n");
  EXPECT_EQ(html_of_markdown("> a\n> b"), "<blockquote>a\nb</blockquote>\n");
  EXPECT_EQ(html_of_markdown("---"), "<hr>\n");
  EXPECT_EQ(html_of_markdown("| a | b |\n|---|---|\n| `c|d` | e\\|f |"),
            "<div class=\"wide\"><table>\n<tr><th>a</th><th>b</th></tr>\n"
            "<tr><td><code>c|d</code></td><td>e|f</td></tr>\n</table></div>\n");
}

TEST(HtmlTextTest, Lists) {
  EXPECT_EQ(html_of_markdown("- a\n  - b\n- c\n\nd"),
            "<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ul>\n<p>d</p>\n");
  EXPECT_EQ(html_of_markdown("3. a\n   ```\n   x\n   ```\n4. b"),
            "<ol start=\"3\">\n<li>a<pre><code>x\n</code></pre>\n</li>\n<li>b</li>\n</ol>\n");
  EXPECT_EQ(html_of_markdown("- [x] a\n- [ ] b\nstill b"),
            "<ul>\n<li>☑ a</li>\n<li>☐ b<br>\nstill b</li>\n</ul>\n");
  EXPECT_EQ(html_of_markdown("- a\n1. b"), "<ul>\n<li>a</li>\n</ul>\n<ol>\n<li>b</li>\n</ol>\n");
}

// What is opened is closed, whatever the text.
TEST(HtmlTextTest, TagsAreBalanced) {
  for (const char* text :
       {"```\nopen", "- a\n    - b\n  - c\n- d\n# e", "> a\n- b\n> c", "- ```\n  x\n- b", "**", "|",
        "| a |\n|-|", "1. a\n\n   b\n\nc", "- a\n\n- b\n\n  c\n# d\n- e\n1. f\n   - g\n2. h"}) {
    const std::string html = html_of_markdown(text);
    for (const std::string tag : {"p", "ul", "ol", "li", "pre", "code", "blockquote", "table"}) {
      const auto count = [&](const std::string& what) {
        std::size_t found = 0;
        for (auto at = html.find(what); at != std::string::npos; at = html.find(what, at + 1))
          ++found;
        return found;
      };
      EXPECT_EQ(count("<" + tag + ">") + count("<" + tag + " "), count("</" + tag + ">"))
          << text << "\n"
          << html;
    }
  }
}

}  // namespace
}  // namespace cgrep::test
