// Histories that are made to hurt: values without an end, nests, bombs, files that are none. Each
// costs a problem at most: the good conversation beside it is found, in bounded memory and time.
// scripts/soak runs them in the size that the numbers in their names say.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/display.h"
#include "cli/history_home.h"
#include "extract/json.h"
#include "extract/sqlite.h"
#include "support/sanitizers.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMegabyte = 1u << 20;
constexpr const char* kBad = "99999999-dddd-4000-8000-000000000009";
constexpr const char* kFolder = ".cursor/projects/home-ada-widget/agent-transcripts";
constexpr const char* kState = ".config/Cursor/User/globalStorage/state.vscdb";

bool is_soak() {
  return std::getenv("CGREP_SOAK") != nullptr;
}

std::string message(const std::string& text) {
  return R"({"role":"user","message":{"content":[{"type":"text","text":")" + text + "\"}]}}\n";
}

/// A file that is written in pieces, as this process's own memory would count for its children.
class LargeFile {
 public:
  explicit LargeFile(const fs::path& path) {
    fs::create_directories(path.parent_path());
    file_.open(path, std::ios::binary);
  }
  LargeFile& add(std::string_view text, std::size_t times = 1) {
    std::string piece;
    while (piece.size() < kMegabyte && piece.size() < text.size() * times) piece += text;
    for (std::size_t left = text.size() * times; left > 0;) {
      const auto size = std::min(left, piece.size());
      file_.write(piece.data(), static_cast<std::streamsize>(size));
      left -= size;
    }
    return *this;
  }

 private:
  std::ofstream file_{};
};

class HostileTest : public StandardHome {
 protected:
  /// Nothing may take longer; what hangs is ended.
  RunResult timed(const std::vector<std::string>& words, RunOptions with) {
    std::vector<std::string> all = {"timeout", "--signal=KILL", is_soak() ? "3600" : "120",
                                    CGREP_BINARY};
    all.insert(all.end(), words.begin(), words.end());
    with.environment.try_emplace("CGREP_REFRESH_BUDGET", "60000");
    return run_program(all, with);
  }
  RunResult timed(const std::vector<std::string>& words) { return timed(words, options()); }

  /// Indexes; what is good is found, in so much memory.
  RunResult expect_harmless(std::int64_t megabytes = 250) {
    auto result = timed({"index"});
    EXPECT_EQ(result.code, 0) << result.err;
    expect_peak_below(megabytes, result);
    const auto found = timed({"-l", "--refresh", "never", "docker"});
    EXPECT_EQ(found.out, "22222222\n") << found.err;
    return result;
  }

  static void expect_peak_below(std::int64_t megabytes, const RunResult& result) {
    if (!kSanitized) {
      EXPECT_LT(result.peak_kb / 1024, megabytes);
    }
    testing::Test::RecordProperty("peak_mb", std::to_string(result.peak_kb / 1024));
  }

  fs::path bad_transcript() const {
    return home_.path() / kFolder / kBad / (std::string(kBad) + ".jsonl");
  }

  /// A state.vscdb whose one bubble is the SQL expression.
  void state_with(const std::string& value) {
    fs::create_directories((home_.path() / kState).parent_path());
    Database database(home_.path() / kState, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    database.exec("PRAGMA journal_mode = off");
    database.exec("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)");
    database.exec("CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)");
    database.exec(
        fmt::format("INSERT INTO cursorDiskKV VALUES('bubbleId:{}:b1', {})", kBad, value));
    database.exec(
        R"(INSERT INTO cursorDiskKV VALUES('bubbleId:88888888-cccc-4000-8000-000000000008:b1',)"
        R"('{"_v":3,"type":1,"text":"a good neighbour"}'))");
  }
};

TEST_F(HostileTest, ALineOf200MB) {
  LargeFile(bad_transcript())
      .add(message("before it"))
      .add(R"({"role":"user","message":{"content":")")
      .add("x", 200 * kMegabyte)
      .add("\"}}\n")
      .add(message("after it"));
  const auto result = expect_harmless();
  EXPECT_NE(result.out.find("1 problem"), std::string::npos) << result.out;
  EXPECT_EQ(timed({"-c", "it", "--conversation", kBad}).out, "99999999:2\n");
}

/// A record of any size: `piece` over and over between two ends.
struct Shape {
  const char* name;
  std::string_view before;
  std::string_view piece;
  std::string_view after;
  std::size_t megabytes = 63;

  std::size_t times() const { return megabytes * kMegabyte / piece.size(); }
  std::size_t size() const { return before.size() + times() * piece.size() + after.size(); }
};

/// Records just below the limit of 64 MB, and some that are smaller and cost more.
class LargeRecordTest : public HostileTest, public testing::WithParamInterface<Shape> {};

/// The first `few`, or all of them in a soak; one where memory is not measured.
template <std::size_t Size>
std::vector<Shape> chosen(const Shape (&shapes)[Size], std::size_t few) {
  if (kSanitized) return {shapes[0]};
  return {shapes, shapes + (is_soak() ? Size : few)};
}

class LargeLineTest : public LargeRecordTest {};

class LargeValueTest : public LargeRecordTest {
 protected:
  /// Writes the value that state_with made, in pieces.
  void fill_value(const Shape& shape) {
    Database database(home_.path() / kState, SQLITE_OPEN_READWRITE);
    database.exec("PRAGMA journal_mode = off");
    sqlite3_blob* blob = nullptr;
    ASSERT_EQ(sqlite3_blob_open(database.handle(), "main", "cursorDiskKV", "value", 1, 1, &blob),
              SQLITE_OK);
    int at = 0;
    const auto write = [&](std::string_view bytes) {
      ASSERT_EQ(sqlite3_blob_write(blob, bytes.data(), static_cast<int>(bytes.size()), at),
                SQLITE_OK);
      at += static_cast<int>(bytes.size());
    };
    write(shape.before);
    constexpr std::size_t kAtOnce = 16 << 10;
    std::string pieces;
    for (std::size_t i = 0; i < kAtOnce; ++i) pieces += shape.piece;
    for (std::size_t left = shape.times(); left > 0;) {
      const auto count = std::min(left, kAtOnce);
      write(std::string_view(pieces).substr(0, count * shape.piece.size()));
      left -= count;
    }
    write(shape.after);
    sqlite3_blob_close(blob);
  }
};

// Texts are cut, and cost what they are; what would cost too much is a problem.
TEST_P(LargeLineTest, IsReadWithinTheMemory) {
  const auto& shape = GetParam();
  LargeFile(bad_transcript())
      .add(message("before it"))
      .add(shape.before)
      .add(shape.piece, shape.times())
      .add(shape.after)
      .add("\n")
      .add(message("after it"));
  expect_harmless();
  EXPECT_EQ(timed({"-q", "before", "--conversation", kBad}).code, 0);
  EXPECT_EQ(timed({"-q", "after", "--conversation", kBad}).code, 0);
}

constexpr std::string_view kUser = R"({"role":"user","message":{"content":")";
constexpr std::string_view kUserEnd = "\"}}";

const Shape kLines[] = {
    {"user", kUser, "x y ", kUserEnd},
    {"not_utf8", kUser, "x \xff", kUserEnd},
    {"tool_use", R"({"role":"assistant","message":{"content":[{"type":"tool_use","input":{"a":")",
     "x y ", R"("}}]}})"},
    {"strings", R"({"role":"assistant","message":{"content":[{"type":"tool_use","input":[)",
     R"("x",)", R"("x"]}]}})"},
    {"numbers", R"({"role":"assistant","message":{"content":[{"type":"tool_use","input":[)", "1,",
     R"(1]}]}})"},
    {"escaped", kUser, "x\\n", kUserEnd},
    {"control", kUser, "x \x01 ", kUserEnd},
    {"query", R"({"role":"user","message":{"content":"<timestamp>x</timestamp><user_query>)",
     "x y ", R"(</user_query>"}})"},
    {"images", R"({"role":"user","message":{"content":"<image_files>x</image_files>)", "x y ",
     kUserEnd},
    {"reply", R"({"role":"assistant","message":{"content":"[REDACTED] )", "x y ", kUserEnd},
    {"tool_result",
     R"({"role":"assistant","message":{"content":[{"type":"tool_result","content":")", "x y ",
     R"("}]}})"},
    {"fewer_strings", R"({"role":"assistant","message":{"content":[{"type":"tool_use","input":[)",
     R"("x",)", R"("x"]}]}})", 20},
    {"fewer_numbers", R"({"role":"assistant","message":{"content":[{"type":"tool_use","input":[)",
     "1,", R"(1]}]}})", 14},
    {"blocks", R"({"role":"assistant","message":{"content":[)", R"({"type":"text","text":"x"},)",
     R"({"type":"text","text":"x"}]}})", 16},
};
INSTANTIATE_TEST_SUITE_P(Shapes, LargeLineTest, testing::ValuesIn(chosen(kLines, 5)),
                         [](const auto& shape) { return shape.param.name; });

TEST_P(LargeValueTest, IsReadWithinTheMemory) {
  const auto& shape = GetParam();
  state_with(fmt::format("zeroblob({})", shape.size()));
  fill_value(shape);
  expect_harmless();
  EXPECT_EQ(timed({"-l", "neighbour"}).out, "88888888\n");
}

const Shape kValues[] = {
    {"user", R"({"_v":3,"type":1,"text":")", "x y ", "\"}"},
    {"call", R"({"_v":3,"type":2,"toolFormerData":{"name":"x","params":"{\"a\":\")", "x y ",
     R"(\"}"}})"},
    {"numbers", R"({"_v":3,"type":2,"text":"x","all":[)", "1,", "1]}"},
    {"reply", R"({"_v":3,"type":2,"text":")", "x y ", "\"}"},
    {"thinking", R"({"_v":3,"type":2,"thinking":{"text":")", "x y ", "\"}}"},
    {"code", R"({"_v":3,"type":2,"text":"x","codeBlocks":[{"content":")", "x y ", "\"}]}"},
    {"rich_text", R"({"_v":3,"type":1,"text":"","richText":"{\"root\":{\"children\":[{\"text\":\")",
     "x y ", R"(\"}]}}"})"},
    {"result", R"({"_v":3,"type":2,"toolFormerData":{"name":"x","result":"{\"a\":\")", "x y ",
     R"(\"}"}})"},
    {"smaller_result", R"({"_v":3,"type":2,"toolFormerData":{"name":"x","result":"{\"a\":\")",
     "x y ", R"(\"}"}})", 30},
};
INSTANTIATE_TEST_SUITE_P(Shapes, LargeValueTest, testing::ValuesIn(chosen(kValues, 3)),
                         [](const auto& shape) { return shape.param.name; });

TEST_F(HostileTest, AValueOf500MB) {
  state_with(fmt::format("zeroblob({})", (is_soak() ? 500 : 80) * kMegabyte));
  expect_harmless();
  EXPECT_EQ(timed({"-l", "neighbour"}).out, "88888888\n");
}

TEST_F(HostileTest, TenThousandNestedArraysAndObjects) {
  constexpr std::size_t kDeep = 10'000;
  std::string objects;
  for (std::size_t i = 0; i < kDeep; ++i) objects += R"({"content":)";
  objects += "1" + std::string(kDeep, '}');
  const auto arrays = std::string(kDeep, '[') + std::string(kDeep, ']');
  std::string lines = message("before it");
  for (const auto& nest : {arrays, objects, std::string(kDeep, '['), std::string(kDeep, '{')}) {
    lines += R"({"role":"user","message":{"content":)" + nest + "}}\n" + nest + "\n";
    lines += R"({"role":"assistant","message":{"content":[{"type":"tool_use","input":)" + nest +
             "}]}}\n";
  }
  home_.write(fs::path(kFolder) / kBad / (std::string(kBad) + ".jsonl"),
              lines + message("after it"));
  home_.write(".cursor/prompt_history.json", arrays);
  home_.write(".cursor/plans/a.plan.md", "---\ntodos: " + arrays + "\n---\nx\n");
  home_.write(fs::path(kFolder) / "aaaaaaaa-0000-4000-8000-00000000000a.json", objects);
  state_with("CAST('" + objects + "' AS BLOB)");
  expect_harmless();
  EXPECT_EQ(timed({"-c", "it", "--conversation", kBad}).out, "99999999:2\n");
  EXPECT_EQ(timed({"-q", "after", "--conversation", kBad}).code, 0);
  EXPECT_EQ(timed({"-l", "neighbour"}).out, "88888888\n");
  const auto told = shell("printf '%s' '" + objects + "' | timeout 60 \"$CGREP\" hook run");
  EXPECT_EQ(told.code, 0);
  EXPECT_EQ(told.out + told.err, "");
}

// Nothing in a header is a reference, whatever YAML would make of it.
TEST_F(HostileTest, FrontMatterBombs) {
  std::string laughs = "---\na: &a [\"ha\",\"ha\",\"ha\",\"ha\",\"ha\",\"ha\",\"ha\",\"ha\"]\n";
  for (char c = 'b'; c <= 'z'; ++c)
    laughs += fmt::format("{0}: &{0} [*{1},*{1},*{1},*{1},*{1},*{1},*{1},*{1}]\n", c,
                          static_cast<char>(c - 1));
  home_.write(".cursor/plans/laughs.plan.md", laughs + "---\nplanned laughter\n");
  std::string keys = "---\n";
  for (int i = 0; keys.size() < kMegabyte - 100; ++i)
    keys += fmt::format("k{}: \"never closed\n", i);
  home_.write(".cursor/plans/keys.plan.md", keys + "---\nplanned keys\n");
  home_.write(".cursor/plans/open.plan.md", "---\nname: |\n" + std::string(8 * kMegabyte, ' '));
  home_.write(".cursor/plans/items.plan.md", [] {
    std::string text = "---\ntodos:\n";
    while (text.size() < kMegabyte - 100) text += "  - id: x\n    content: y\n";
    return text + "---\nplanned items\n";
  }());
  expect_harmless();
  EXPECT_EQ(lines_of(timed({"-l", "--store", "plans", "planned"}).out).size(), 3u);
}

TEST_F(HostileTest, RegularExpressionsThatGrow) {
  ASSERT_EQ(timed({"index", "-q"}).code, 0);
  std::string alternatives = "(";
  for (int i = 0; i < 10'000; ++i) alternatives += fmt::format("w{}x|", i);
  alternatives += "login)";
  for (const std::string& pattern :
       {std::string("(((a{1000}){1000}){1000})"), std::string("((((a*)*)*)*)*$"),
        std::string("(x+x+)+y"), std::string("(.*)(.*)(.*)(.*)(.*)(.*)(.*)[^\\s\\S]"),
        std::string(100'000, '('), std::string(100'000, '*'), "a" + std::string(100'000, '?'),
        "[" + std::string(100'000, 'a') + "]", std::string("(?i:\\pL{500}){2}"), alternatives}) {
    const auto result = timed({"-e", pattern});
    EXPECT_TRUE(result.code == 0 || result.code == 1 || result.code == 2)
        << pattern.substr(0, 40) << ": " << result.code;
    if (result.code == 2) {
      EXPECT_NE(result.err.find("\nhint: "), std::string::npos) << result.err.substr(0, 300);
      EXPECT_LT(result.err.size(), 5000u) << "an error does not repeat all of a pattern";
    }
    expect_peak_below(250, result);
  }
  std::vector<std::string> many;
  for (int i = 0; i < 2'000; ++i) many.insert(many.end(), {"-e", fmt::format("w{}[0-9]+x", i)});
  many.insert(many.end(), {"-e", "dock.r", "-l"});
  const auto result = timed(many);
  EXPECT_TRUE(result.code == 0 || result.code == 2) << result.err.substr(0, 300);
  expect_peak_below(250, result);
  const auto words = timed({std::string(120'000, '(') + " docker OR " + std::string(1000, '"')});
  EXPECT_LT(words.code, 2) << words.err.substr(0, 300);
  expect_peak_below(250, words);
}

TEST_F(HostileTest, AMillionTinyFiles) {
  const int files = is_soak() ? 1'000'000 : 2'000;
  for (int i = 0; i < files; ++i) {
    const auto id = fmt::format("77777777-{:04}-4000-8000-{:012}", i % 10'000, i);
    const auto folder =
        home_.path() / fmt::format(".cursor/projects/p{}/agent-transcripts", i % 50);
    if (i < 50) fs::create_directories(folder);
    std::ofstream(folder / (id + ".jsonl")) << message("tiny");
  }
  expect_harmless();
  EXPECT_EQ(lines_of(timed({"-l", "--limit", "0", "tiny"}).out).size(),
            static_cast<std::size_t>(files));
}

// Deeper than a path can name.
TEST_F(HostileTest, FoldersWithoutAnEnd) {
  constexpr int kLevels = 1500;
  for (const char* start : {"agent-transcripts", "agent-notes", "terminals"}) {
    const auto top = home_.path() / ".cursor/projects/home-ada-deep" / start;
    fs::create_directories(top);
    int folder = open(top.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < kLevels && folder >= 0; ++i) {
      ASSERT_EQ(mkdirat(folder, "deeper", 0700), 0);
      const int next = openat(folder, "deeper", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      close(folder);
      folder = next;
    }
    close(folder);
  }
  expect_harmless();
  run_program({"rm", "-rf", (home_.path() / ".cursor/projects/home-ada-deep").string()});
}

TEST_F(HostileTest, LinksFifosSocketsAndDevices) {
  const auto transcripts = home_.path() / kFolder;
  fs::create_directory_symlink(".", transcripts / "loop");
  fs::create_directory_symlink("..", home_.path() / ".cursor/projects/up");
  fs::create_directory_symlink("/", home_.path() / ".cursor/projects/root");
  fs::create_symlink("/dev/zero", transcripts / "aaaaaaaa-0000-4000-8000-00000000000a.jsonl");
  fs::create_symlink("/proc/self/mem", transcripts / "bbbbbbbb-0000-4000-8000-00000000000b.jsonl");
  ASSERT_EQ(mkfifo((transcripts / "cccccccc-0000-4000-8000-00000000000c.jsonl").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo((home_.path() / ".cursor/prompt_history.json").c_str(), 0600), 0);
  // Where devices may be made, they are real ones.
  mknod((transcripts / "dddddddd-0000-4000-8000-00000000000d.jsonl").c_str(), S_IFCHR | 0600,
        makedev(1, 5));
  fs::create_directories((home_.path() / kState).parent_path());
  ASSERT_EQ(mkfifo((home_.path() / kState).c_str(), 0600), 0);
  const int socket_file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(chdir(transcripts.c_str()), 0);  // an address is short
  sockaddr_un address{.sun_family = AF_UNIX,
                      .sun_path = "eeeeeeee-0000-4000-8000-00000000000e.jsonl"};
  EXPECT_EQ(bind(socket_file, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(fchdir(here), 0);
  close(here);
  expect_harmless();
  close(socket_file);
}

TEST_F(HostileTest, AFileThatGrowsWhileItIsRead) {
  std::string lines;
  for (int i = 0; i < 2000; ++i) lines += message(fmt::format("growing{}", i));
  home_.write(fs::path(kFolder) / kBad / (std::string(kBad) + ".jsonl"), lines);
  std::jthread writer([&](const std::stop_token& stop) {
    std::ofstream file(bad_transcript(), std::ios::app);
    for (int i = 2000; !stop.stop_requested() && i < 10'000; ++i) {
      file << message(fmt::format("growing{}", i)) << std::flush;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  });
  for (int round = 0; round < 3; ++round) expect_harmless();
  writer.request_stop();
  writer.join();
  ASSERT_EQ(timed({"index", "-q"}).code, 0);
  std::ifstream file(bad_transcript());
  const auto written =
      std::count(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>(), '\n');
  const auto found = timed({"-F", "growing", "-o", "--refresh", "never"});
  EXPECT_EQ(lines_of(found.out).size(), static_cast<std::size_t>(written));
}

// Names are bytes; what cgrep prints of them is text on one line.
class OddNamesTest : public HostileTest {
 protected:
  OddNamesTest() {
    for (const char* name : {"a\nb", "\xff\xfe", "\x1b]0;owned\a", "c\rd",
                             "\xe2\x80\xae"
                             "gpj",
                             "-rf",
                             "\xc2\x9b"
                             "2J",
                             " "}) {
      const auto id = std::string(name) + "-0000";
      home_.write(fs::path(".cursor/projects") / name / "agent-transcripts" / id / (id + ".jsonl"),
                  message("odd zebra"));
      home_.write(fs::path(".cursor/plans") / (std::string(name) + ".plan.md"), "odd plan\n");
    }
  }
};

TEST_F(OddNamesTest, AreFoundAndShownHarmlessly) {
  expect_harmless();
  const auto found = timed({"-l", "zebra"});
  EXPECT_EQ(lines_of(found.out).size(), 8u) << visible(found.out);
  for (const auto& address : lines_of(found.out)) {
    EXPECT_EQ(address.find_first_of("\x1b\a\r "), std::string::npos) << visible(address);
    const auto shown = timed({"show", "--", address});
    EXPECT_EQ(shown.code, 0) << address << ": " << shown.err;
  }
  for (const auto& line : lines_of(timed({"--json", "zebra"}).out))
    EXPECT_TRUE(Json::parse(line)) << line;
  auto on_terminal = options();
  on_terminal.terminal = true;
  on_terminal.environment["NO_COLOR"] = "1";
  const std::vector<std::vector<std::string>> all = {{"zebra"},
                                                     {"log"},
                                                     {"stores"},
                                                     {"status"},
                                                     {"doctor"},
                                                     {"stats"},
                                                     {"--by", "project", "zebra"},
                                                     {"index", "--full"}};
  for (const auto& words : all) {
    auto shown = timed(words, on_terminal).out;
    for (auto at = shown.find("\r\n"); at != std::string::npos; at = shown.find("\r\n", at))
      shown.replace(at, 2, "|");
    for (const char* never : {"\x1b]", "\xc2\x9b", "\x9b", "\a", "\xe2\x80\xae", "\xff"})
      EXPECT_EQ(shown.find(never), std::string::npos) << words.front() << ": " << visible(shown);
  }
}

}  // namespace
}  // namespace cgrep::test
