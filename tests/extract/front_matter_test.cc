#include "extract/front_matter.h"

#include <gtest/gtest.h>

namespace cgrep {
namespace {

std::string printed(std::string_view text) {
  const auto parsed = parse_front_matter(text);
  std::string out;
  for (const auto& field : parsed.fields)
    out += std::string(field.indent, '.') + (field.item ? "-" : "") + field.key + "=" +
           field.value + ";";
  return out + "|" + std::string(parsed.body);
}

TEST(FrontMatterTest, ReadsKeysAndValues) {
  EXPECT_EQ(printed("---\nname: A plan\nurl: http://x:80/y\nempty:\n---\nbody\n"),
            "name=A plan;url=http://x:80/y;empty=;|body\n");
  EXPECT_EQ(printed("---\r\nname: x\r\n---\r\nbody"), "name=x;|body");
  EXPECT_EQ(printed("\xEF\xBB\xBF---\nname: x\n---\n"), "name=x;|");
}

TEST(FrontMatterTest, ReadsQuotedValues) {
  EXPECT_EQ(
      printed("---\na: \"x: \\\"y\\\" \\\\\"\nb: 'it''s'\nc: \"\"\nd: \"two\n  lines\"\n---\n"),
      "a=x: \"y\" \\;b=it's;c=;d=two lines;|");
  EXPECT_EQ(printed("---\na: \"never closed\nb: 1\n---\n"), "a=\"never closed;b=1;|");
  EXPECT_EQ(printed("---\na: \"bad \\q escape\"\n---\n"), "a=bad \\q escape;|");
}

TEST(FrontMatterTest, ReadsBlockScalars) {
  EXPECT_EQ(
      printed("---\na: |\n  one\n    two\n\n  three\nb: >-\n  one\n  two\n\n  three\nc: 1\n---\n"),
      "a=one\n  two\n\nthree;b=one two\nthree;c=1;|");
  EXPECT_EQ(printed("---\na: |\n---\n"), "a=;|");
}

TEST(FrontMatterTest, ReadsLists) {
  EXPECT_EQ(printed("---\ntodos:\n  - id: a\n    content: b\n- plain\n- x: 1\n---\n"),
            "todos=;....-id=a;....content=b;..-=plain;..-x=1;|");
}

TEST(FrontMatterTest, GoesOnInTheNextLine) {
  EXPECT_EQ(printed("---\na: one\n  two, three\n# a comment\nb: 1\n---\n"),
            "a=one two, three;b=1;|");
}

TEST(FrontMatterTest, IsAbsentWhereItDoesNotEnd) {
  EXPECT_EQ(printed("---\nname: x\n"), "|---\nname: x\n");
  EXPECT_EQ(printed("name: x\n---\n"), "|name: x\n---\n");
  EXPECT_EQ(printed(""), "|");
  EXPECT_EQ(printed("---"), "|---");
  EXPECT_EQ(printed("----\na: 1\n---\n"), "|----\na: 1\n---\n");
}

TEST(FrontMatterTest, FindsValuesOutsideOfLists) {
  const auto parsed = parse_front_matter("---\nlist:\n  - name: inner\nname: outer\n---\n");
  EXPECT_EQ(parsed.value("name"), "outer");
  EXPECT_EQ(parsed.value("absent"), "");
}

}  // namespace
}  // namespace cgrep
