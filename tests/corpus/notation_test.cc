// The notation of values, and the worked example of a chat store: ids known from outside.

#include "corpus/notation.h"

#include <string>

#include <gtest/gtest.h>

#include "corpus/hex.h"
#include "error.h"
#include "index/sha256.h"

namespace cgrep::corpus {
namespace {

std::string json(std::string_view body) {
  return bytes_of({"json", body}, {});
}

std::string proto(std::string_view body, const NamedValues& names = {}) {
  return to_hex(bytes_of({"proto", body}, names));
}

std::string id(const std::string& bytes) {
  return to_hex(sha256(bytes));
}

TEST(Sha256Test, AgreesWithThePublishedExamples) {
  EXPECT_EQ(id(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(id("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(id(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(NotationTest, MinifiesJson) {
  EXPECT_EQ(json(" { \"a\" : [ 1 , -2.5e3, true ],\n  \"b\" : { } , \"c\": null }"),
            R"({"a":[1,-2.5e3,true],"b":{},"c":null})");
}

TEST(NotationTest, LeavesTextAndEscapesOfStringsAlone) {
  EXPECT_EQ(json(R"("a  b \" # \u00e4 ä")"), R"("a  b \" # \u00e4 ä")");
}

TEST(NotationTest, JoinsStringsAndDropsComments) {
  EXPECT_EQ(json("[\"one\\n\"  # first\n \"two\"]"), R"(["one\ntwo"])");
}

TEST(NotationTest, WrapsJsonIntoAString) {
  EXPECT_EQ(json(R"({"params": @string {"path": "a\"b"}})"),
            R"({"params":"{\"path\":\"a\\\"b\"}"})");
}

TEST(NotationTest, NamesTheLineOfBrokenJson) {
  try {
    bytes_of({"json", "{\n\"a\": 1\n\"b\": 2}", 10}, {});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "line 12: expected '}'");
  }
}

TEST(NotationTest, WritesEveryWireType) {
  EXPECT_EQ(proto("1: 150"), "089601");
  EXPECT_EQ(proto("2: \"hi\\n\""), "120368690a");
  EXPECT_EQ(proto("3: { 1: 1  2: \"x\" }"),
            "1a0508011201"
            "78");
  EXPECT_EQ(proto("4: fixed32 1  5: fixed64 2"), "2501000000290200000000000000");
  EXPECT_EQ(proto("6: hex 00ff"), "320200ff");
  EXPECT_EQ(proto("7: json {\"a\": 1}"), "3a077b2261223a317d");
}

TEST(NotationTest, RefersToNamedValues) {
  const NamedValues names{{"blob", "abc"}};
  EXPECT_EQ(proto("1: id blob", names),
            "0a20ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(bytes_of({"text", "~${base64 blob} ${hex blob} ${user.id} ${"}, names),
            "~YWJj 616263 ${user.id} ${");
  EXPECT_EQ(bytes_of({"json", R"({"root": "${id blob}"})"}, names),
            R"({"root":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"})");
  EXPECT_THROW(proto("1: id absent"), Error);
}

TEST(NotationTest, ReadsHexWithWhiteSpace) {
  EXPECT_EQ(from_hex(" 61 62\n63 "), "abc");
  EXPECT_THROW(from_hex("6"), Error);
  EXPECT_THROW(from_hex("zz"), Error);
}

TEST(NotationTest, PadsBase64) {
  EXPECT_EQ(to_base64("a"), "YQ==");
  EXPECT_EQ(to_base64("ab"), "YWI=");
  EXPECT_EQ(to_base64("abc"), "YWJj");
}

// The chat of a user "ada" who looks for a leak: ids computed by other tools.
class WorkedExampleTest : public testing::Test {
 protected:
  void define(const std::string& name, const std::string& kind, std::string_view body) {
    names_[name] = bytes_of({kind, body}, names_);
  }

  std::string id_of(const std::string& name) const { return id(names_.at(name)); }

  void define_messages() {
    define("system", "json", R"({"role": "system", "content": "You are a coding assistant."})");
    define("info", "json", R"({"role": "user", "content":
        "<user_info>\nOS Version: linux\n" "Workspace Path: /home/ada/widget\n</user_info>"})");
    define("question", "json", R"({
        "role": "user",
        "content": [{"type": "text", "text":
          "<timestamp>Tuesday, Jun 9, 2026, 2:44 PM (UTC+0)</timestamp>\n"
          "<user_query>\nwhy does the gizmo leak\n</user_query>"}],
        "providerOptions": {"cursor": {"requestId": "5b0c5d3e-0000-4000-8000-00000000000a"}}})");
    define("answer", "json", R"({"role": "assistant", "id": "1", "content": [
        {"type": "reasoning", "text": "Look at free().", "signature": "AAAA"},
        {"type": "text", "text": "Reading gizmo.c first."},
        {"type": "tool-call", "toolCallId": "toolu_01", "toolName": "Read",
         "args": {"path": "/home/ada/widget/gizmo.c"}}]})");
    define("result", "json", R"({"role": "tool", "id": "toolu_01", "content": [
        {"type": "tool-result", "toolName": "Read", "toolCallId": "toolu_01",
         "result": "     1|void gizmo(void);"}]})");
  }

  void define_turn() {
    define("user-message", "proto", R"(
        1: "why does the gizmo leak"
        2: "0f0e0d0c-0b0a-4909-8807-060504030201"
        4: 1)");
    define("thinking", "proto", R"(3: { 1: "Look at free()." })");
    define("text", "proto", R"(1: { 1: "Reading gizmo.c first." })");
    define("shell", "proto", R"(
        2: {
          1: {
            1: { 1: "ls"  2: "/home/ada/widget"  4: "toolu_02" }
            2: { 1: { 1: "ls"  2: "/home/ada/widget"  3: 0  5: "gizmo.c\n" } }
          }
          57: "toolu_02"
        })");
    define("turn", "proto", R"(
        1: { 1: id user-message  2: id thinking  2: id text  2: id shell
             3: "5b0c5d3e-0000-4000-8000-00000000000a" })");
  }

  void define_root() {
    define("root", "proto", R"(
        1: id system  1: id info  1: id question  1: id answer  1: id result
        5: { 1: 1200  2: 200000 }
        8: id turn
        9: "file:///home/ada/widget"
        10: 1
        26: 1781016254000)");
  }

  NamedValues names_;
};

TEST_F(WorkedExampleTest, MessagesHaveTheKnownIds) {
  define_messages();
  EXPECT_EQ(id_of("system"), "736a5432a719896a6da6f324630e0e5dfce6a5047469e031e2e540bc8bd9c0bd");
  EXPECT_EQ(id_of("info"), "62744fc72f0c83391316ba3c0706381af71bab732a8b0276dda32d72bae9d4e0");
  EXPECT_EQ(id_of("question"), "547e820d3bf9e82bef7d2fbccbaefde3dd05669fce6d02b61c0c6c221ab36126");
  EXPECT_EQ(id_of("answer"), "d7fab466986b32d5b07dbc096f168b5d6a6c4f8a1b496ac0cbbe377d37b34789");
  EXPECT_EQ(id_of("result"), "04c9c18bbba6079a8168dcbd98cbe11d0faaa934b9338d558e12b6778e4c82fa");
}

TEST_F(WorkedExampleTest, TurnsAndTheRootHaveTheKnownIds) {
  define_messages();
  define_turn();
  define_root();
  EXPECT_EQ(id_of("user-message"),
            "5d101c2828f4860c401ffbcaccbc7207e30608c617f9938ed4d4a999bd6b10ee");
  EXPECT_EQ(id_of("thinking"), "e7a40ad6948a4a44ac986bb6cbe6f892e620bd1f52166b875ecc1e0c431a1f1b");
  EXPECT_EQ(id_of("text"), "e3755ac898f40ddae7fe28039e65324f742db67a487dc86fb7ae9057f3bbfba6");
  EXPECT_EQ(id_of("shell"), "e7a14bb02c7cdccd9997f23e2f64d724318de22223eb82ac86afd84bb0798dec");
  EXPECT_EQ(id_of("turn"), "5cf8c19ad66908f7f1e8514f12ed5be225b3a2991e91103a40cc11d3aef791d9");
  EXPECT_EQ(id_of("root"), "75a929f31d355305ca02352615724aa94ec1711a18de435b31adaa5051077f5f");
}

}  // namespace
}  // namespace cgrep::corpus
