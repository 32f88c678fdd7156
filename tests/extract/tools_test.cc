#include "extract/tools.h"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "extract/arguments.h"

namespace cgrep {
namespace {

TEST(ToolsTest, GivesEachToolOneName) {
  const std::map<std::string, std::vector<const char*>> names = {
      {"Read", {"read_file", "read_file_v2", "ReadFile", "Read", "read"}},
      {"Grep", {"ripgrep_raw_search", "ripgrep", "grep", "grep_search", "rg", "Grep"}},
      {"Glob", {"glob_file_search", "file_search", "Glob"}},
      {"LS", {"list_dir", "list_dir_v2", "LS", "ls"}},
      {"Shell",
       {"run_terminal_cmd", "run_terminal_command", "run_terminal_command_v2", "Shell", "bash",
        "terminal", "Terminal", "shell"}},
      {"Edit",
       {"edit_file", "edit_file_v2", "search_replace", "apply_patch", "StrReplace", "ApplyPatch"}},
      {"Write", {"write", "write_file", "create_file", "Write"}},
      {"Delete", {"delete_file", "Delete"}},
      {"SemanticSearch", {"codebase_search", "semantic_search_full", "SemanticSearch"}},
      {"WebSearch", {"web_search", "WebSearch"}},
      {"WebFetch", {"web_fetch"}},
      {"TodoWrite", {"todo_write", "TodoWrite"}},
      {"ReadLints", {"read_lints"}},
      {"CreatePlan", {"create_plan"}},
      {"AskQuestion", {"ask_question"}},
      {"Task", {"task_v2", "Task", "Subagent"}},
      {"MCP", {"mcp-stars-lookup", "mcp_stars_lookup", "CallMcpTool", "mcp"}}};
  for (const auto& [normalised, raws] : names)
    for (const char* raw : raws) EXPECT_EQ(normalised_tool(raw), normalised) << raw;
}

TEST(ToolsTest, LeavesUnknownNamesAsTheyAre) {
  for (const char* raw : {"updateCurrentStep", "", "v2", "Reader", "mcpish"})
    EXPECT_EQ(normalised_tool(raw), raw);
}

Arguments of(std::string_view json) {
  JsonReader reader;
  return flattened(*reader.parse(json));
}

TEST(ArgumentsTest, WritesALinePerValue) {
  EXPECT_EQ(of(R"({"a":"x","b":{"c":1,"d":[true,"y"]},"e":null})").text,
            "a: x\nc: 1\nd: true\nd: y");
  EXPECT_EQ(of(R"("alone")").text, "alone");
  EXPECT_EQ(of(R"({"code":"a\n  b\n"})").text, "code: a\n  b\n");
  EXPECT_EQ(of("{}").text, "");
  EXPECT_EQ(of("[18446744073709551615,-1,0.5]").text, "18446744073709551615\n-1\n0.5");
}

TEST(ArgumentsTest, LeavesOutWhatIsNotText) {
  EXPECT_EQ(of(R"({"signature":"s","toolCallBinary":"b","imageBase64":"i","base64Data":{"x":"y"},
                   "uri":"data:image/png;base64,AAAA","svg":"data:image/svg+xml,<svg/>",
                   "k":"data: plain, and/or text"})")
                .text,
            "k: data: plain, and/or text");
}

TEST(ArgumentsTest, CollectsFilesOnce) {
  const auto arguments = of(R"({"path":"/a/b.c","edits":[{"file_path":"c.h"},{"file_path":"c.h"}],
      "effectiveUri":"file:///a/d%20e","cwd":"/a","target_directory":"/a/dir","paths":["f","g"]})");
  EXPECT_EQ(arguments.files,
            (std::vector<std::string>{"/a/b.c", "c.h", "/a/d e", "/a/dir", "f", "g"}));
  EXPECT_EQ(arguments.folders, (std::vector<std::string>{"/a", "/a/dir"}));
}

TEST(ArgumentsTest, FindsTheFilesOfAPatch) {
  EXPECT_EQ(
      of(R"({"patch":"*** Begin Patch\n*** Add File: a.c\n+x\n*** Update File: b.c\n*** Move to: c.c\n*** Delete File: d.c\n*** End Patch"})")
          .files,
      (std::vector<std::string>{"a.c", "b.c", "c.c", "d.c"}));
}

TEST(ArgumentsTest, ReadsKeyAndValueLines) {
  const auto arguments = flattened_text("path=/a/b.c\ncontents=x=1;\ny=2;\ncommand=ls");
  EXPECT_EQ(arguments.text, "path: /a/b.c\ncontents: x=1;\ny=2;\ncommand: ls");
  EXPECT_EQ(arguments.files, std::vector<std::string>{"/a/b.c"});
  EXPECT_EQ(flattened_text("just words").text, "just words");
  EXPECT_EQ(flattened_text("two words=x").text, "two words=x");
  EXPECT_EQ(flattened_text("").text, "");
}

}  // namespace
}  // namespace cgrep
