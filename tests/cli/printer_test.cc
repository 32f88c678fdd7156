// Printers on hits made by hand: no index needed.
#include "cli/printer.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <gtest/gtest.h>
#include <unistd.h>

#include "extract/json.h"
#include "support/temp_dir.h"

namespace cgrep {
namespace {

constexpr std::int64_t kNoon = 1785585600000;  // 2026-08-01 12:00 UTC

class PrinterTest : public testing::Test {
 protected:
  PrinterTest() {
    setenv("TZ", "UTC", 1);
    tzset();
    conversation_.row = 1;
    conversation_.key = "3f2a9c1e-0000";
    conversation_.address = "3f2a9c1e";
    conversation_.project = "/home/ada/widget";
    conversation_.title = "Login bug";
    conversation_.last = Time{kNoon, TimeOrigin::mtime};
    conversation_.stores = {"transcripts", "bubbles"};
    style_.home = "/home/ada";
  }

  // A hit whose every line matches where it says `bug`.
  Hit hit(std::uint32_t number, std::string text) {
    Hit made;
    made.conversation = &conversation_;
    made.number = number;
    made.role = Role::assistant;
    made.time = Time{kNoon, TimeOrigin::tag};
    made.stores = {"transcripts"};
    made.source = "/home/ada/.cursor/a b.jsonl";
    made.score = 1.5;
    made.text = std::move(text);
    return made;
  }

  static void mark_lines(Hit& hit) {
    std::string_view rest = hit.text;
    for (std::uint32_t number = 1; !rest.empty(); ++number) {
      const auto end = rest.find('\n');
      MatchLine line{number, rest.substr(0, end)};
      const auto at = line.text.find("bug");
      if (at != std::string_view::npos) line.spans.push_back({at, at + 3});
      if (!line.spans.empty()) hit.lines.push_back(line);
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
  }

  using Make = std::unique_ptr<Printer> (*)(Output&, TextStyle);

  // What a printer writes for these texts, one document each.
  std::string print(Make make, const std::vector<std::string>& texts) {
    return written([&](Output& out) {
      const auto printer = make(out, style_);
      std::uint32_t number = 0;
      for (const std::string& text : texts) {
        Hit made = hit(++number, text);
        mark_lines(made);
        printer->hit(made, made.lines);
      }
      printer->end({});
    });
  }

  template <typename Body>
  static std::string written(const Body& body) {
    const test::TempDir folder;
    const auto path = folder.write("out", "");
    FILE* file = std::fopen(path.c_str(), "wb");
    Output out(fileno(file));
    body(out);
    out.flush();
    std::fclose(file);
    return test::read_file(path);
  }

  Conversation conversation_{};
  TextStyle style_{};
};

TEST_F(PrinterTest, AHeadingThenTheLines) {
  EXPECT_EQ(print(make_text_printer, {"the bug\nnothing\nno bug"}),
            "3f2a9c1e  ~/widget  Login bug  ~2026-08-01 12:00  transcripts, bubbles\n"
            "  1:1     assistant   the bug\n"
            "  1:3     assistant   no bug\n");
}

TEST_F(PrinterTest, FewLinesPerDocumentTheBestOnes) {
  style_.lines_per_document = 1;
  EXPECT_NE(print(make_text_printer, {"bug 1\nbug 2\nbug 3"}).find("bug 1\n  +2 lines\n"),
            std::string::npos);
}

TEST_F(PrinterTest, FewLinesPerConversation) {
  style_.lines_per_conversation = 2;
  const std::string text = print(make_text_printer, {"bug 1", "bug 2", "bug 3", "bug 4"});
  EXPECT_NE(text.find("bug 2\n  +2 lines in 2 more documents\n"), std::string::npos) << text;
}

TEST_F(PrinterTest, TitlesCannotDriveATerminal) {
  conversation_.title = "evil \x1b]0;title\a\n";
  EXPECT_NE(print(make_text_printer, {"bug"}).find("evil ^[]0;title^G^J"), std::string::npos);
}

TEST_F(PrinterTest, ColoursAndLinks) {
  style_.terminal.color = true;
  style_.terminal.links = true;
  const std::string text = print(make_flat_printer, {"the bug"});
  EXPECT_NE(text.find("/home/ada/.cursor/a%20b.jsonl\x1b\\"), std::string::npos) << text;
  EXPECT_NE(text.find("the \x1b[1;31mbug\x1b[0m\n"), std::string::npos) << text;
}

TEST_F(PrinterTest, FlatLinesCarryTheAddressOfTheDocument) {
  EXPECT_EQ(print(make_flat_printer, {"the bug\r\nbug \x1b[0m"}),
            "3f2a9c1e:1:1:the bug\n3f2a9c1e:1:2:bug \x1b[0m\n");
  style_.line_numbers = false;
  EXPECT_EQ(print(make_flat_printer, {"bug"}), "3f2a9c1e:1:bug\n");
}

TEST_F(PrinterTest, ListsAndCountsAreOfConversations) {
  EXPECT_EQ(print(make_list_printer, {"bug", "bug"}), "3f2a9c1e\n");
  EXPECT_EQ(print(make_count_printer, {"bug\nbug", "bug"}), "3f2a9c1e:3\n");
  EXPECT_EQ(print(make_count_printer, {"nothing"}), "");
}

TEST_F(PrinterTest, JsonHasTheShapeOfRipgrep) {
  const std::string text = written([&](Output& out) {
    const auto printer = make_json_printer(out);
    Hit made = hit(17, "a bug \xff");
    mark_lines(made);
    printer->hit(made, made.lines);
    printer->end({.outcome = {.conversations = 1, .documents = 1, .lines = 1},
                  .coverage = {.refreshed = true, .stale_sources = 0},
                  .elapsed_ms = 1.25});
  });
  EXPECT_EQ(
      text,
      R"({"type":"begin","data":{"address":"3f2a9c1e:17","conversation":"3f2a9c1e-0000",)"
      R"("parent":null,"store":"transcripts","stores":["transcripts"],"role":"assistant",)"
      R"("project":"/home/ada/widget","time":"2026-08-01T12:00:00.000Z","time_source":"tag",)"
      R"("title":"Login bug","model":null,"mode":null,"branch":null,"tool":null,"files":[],)"
      R"("source":"/home/ada/.cursor/a b.jsonl","gone":false}})"
      "\n"
      R"({"type":"match","data":{"address":"3f2a9c1e:17","conversation":"3f2a9c1e-0000",)"
      "\"lines\":{\"text\":\"a bug \xef\xbf\xbd\"},"
      R"("line_number":1,"submatches":[{"match":{"text":"bug"},"start":2,"end":5}],"score":1.5}})"
      "\n"
      R"({"type":"end","data":{"address":"3f2a9c1e:17","conversation":"3f2a9c1e-0000"}})"
      "\n"
      R"({"type":"summary","data":{"matched_conversations":1,"matched_documents":1,)"
      R"("matched_lines":1,"elapsed_ms":1.250,"spread":false,"advice":[],)"
      R"("coverage":{"complete":true,"refreshed":true,)"
      R"("stale_sources":0,"problems":0,"not_searched":[]}}})"
      "\n");
}

TEST_F(PrinterTest, ADocumentAsJsonHasItsText) {
  const auto json = Json::parse(json_document(hit(3, "two\nlines")));
  ASSERT_TRUE(json);
  EXPECT_EQ(json->text("type"), "document");
  EXPECT_EQ(json->find("data")->text("text"), "two\nlines");
  EXPECT_EQ(json->find("data")->text("address"), "3f2a9c1e:3");
}

}  // namespace
}  // namespace cgrep
