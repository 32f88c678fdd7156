// The config file and CGREP_* variables: what they set, and who overrules whom.
#include "cli/config.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cli/corpus_home.h"
#include "cli/history_home.h"

namespace cgrep::test {
namespace {

using Words = std::vector<std::string>;

class ConfigTest : public testing::Test {
 protected:
  ConfigTest() : commands_(declare_commands()) {}

  void config(const std::string& text) { folder_.write("cgrep/config", text); }

  Config read() const {
    return {[this](const char* name) -> std::optional<std::string> {
              const auto variable = variables_.find(name);
              if (variable == variables_.end()) return std::nullopt;
              return variable->second;
            },
            commands_};
  }

  // The options of the first command (search) after the config was added to these.
  Words merged(const Words& options) const {
    CommandLine line{.options = options};
    read().add_to(line, commands_.front().options);
    return line.options;
  }

  // `what | hint`, with CONFIG for the path.
  std::string error() const {
    try {
      read();
    } catch (const Error& error) {
      std::string text = std::string(error.what()) + " | " + error.hint();
      const auto path = (folder_.path() / "cgrep/config").string();
      if (const auto at = text.find(path); at != std::string::npos)
        text.replace(at, path.size(), "CONFIG");
      return text;
    }
    return "no error";
  }

  std::vector<DeclaredCommand> commands_;
  TempDir folder_{};
  std::map<std::string, std::string> variables_{{"XDG_CONFIG_HOME", folder_.path().string()},
                                                {"HOME", "/home/ada"}};
};

TEST_F(ConfigTest, SetsOptionsOfTheCommand) {
  config(
      "# mine\nlimit = 5 # few\r\n\n  role=user, assistant\nproject = \"a # b\"\n"
      "index = ~/other\nheading = false\nrebuild-not-here = \n");
  EXPECT_NE(error(), "no error");
  config(
      "# mine\nlimit = 5 # few\r\n\n  role=user, assistant\nproject = \"a # b\"\n"
      "index = ~/other\nheading = false\nall = true\n");
  EXPECT_EQ(merged({}), (Words{"--limit=5", "--role=user,assistant", "--project=a # b",
                               "--index=/home/ada/other", "--heading=false"}));
}

TEST_F(ConfigTest, TheLineIsAboveTheVariablesAndTheyAreAboveTheFile) {
  config("limit = 5\nproject = a\nproject = b\nsort = oldest\njson = true\n");
  EXPECT_EQ(merged({"--limit=1", "--json"}),
            (Words{"--limit=1", "--json", "--project=a", "--project=b", "--sort=oldest"}));
  variables_["CGREP_SORT"] = "newest";
  variables_["CGREP_PROJECT"] = "c, d";
  variables_["CGREP_JSON"] = "false";
  EXPECT_EQ(merged({}), (Words{"--sort=newest", "--project=c,d", "--limit=5"}));
}

TEST_F(ConfigTest, TheLineSwitchesOffWhatContradictsIt) {
  config("json = true\nno-heading = true\n");
  EXPECT_EQ(merged({"-l"}), (Words{"-l", "--no-heading"}));
  EXPECT_EQ(merged({"--heading"}), (Words{"--heading", "--json"}));
  config("list = true\ncount = true\n");
  try {
    merged({});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("config:2: 'count' contradicts 'list'"),
              std::string::npos)
        << error.what();
  }
  EXPECT_EQ(merged({"--json"}), (Words{"--json"}));
}

TEST_F(ConfigTest, EveryErrorNamesItsPlace) {
  const auto error_of = [&](const std::string& text) {
    config(text);
    return error();
  };
  EXPECT_EQ(
      error_of("\nlimitt = 5\n"),
      "CONFIG:2: unknown key 'limitt' | did you mean 'limit'? man cgrep-config lists the keys");
  EXPECT_EQ(error_of("limit"),
            "CONFIG:1: 'limit' is not 'key = value' | "
            "limit = 5; a line with # is a comment");
  EXPECT_EQ(error_of("limit = many"),
            "CONFIG:1: limit: a number is needed, not 'many' | it is a whole number, such as 5");
  EXPECT_EQ(error_of("json = yes"), "CONFIG:1: json: unknown value 'yes' | known: true, false");
  EXPECT_TRUE(error_of("color = nevr")
                  .starts_with("CONFIG:1: color: unknown value 'nevr' | did you"
                               " mean 'never'?"));
  EXPECT_TRUE(error_of("role = usr").starts_with("CONFIG:1: role: unknown value 'usr' |"));
  EXPECT_TRUE(error_of("since = soonish").starts_with("CONFIG:1: since: "));
  EXPECT_TRUE(error_of("index = here").starts_with("CONFIG:1: index: an absolute path is needed"));
  EXPECT_TRUE(error_of("limit =").starts_with("CONFIG:1: limit: a value is needed"));
  EXPECT_TRUE(error_of("project = \"a").starts_with("CONFIG:1: a quote is not closed"));
  EXPECT_TRUE(error_of("default-stores = nosuch").starts_with("CONFIG:1: unknown store 'nosuch'"));
  EXPECT_TRUE(error_of("default-stores = all").starts_with("CONFIG:1: it names no store"));
  EXPECT_TRUE(error_of("retain = 3 moons").starts_with("CONFIG:1: retain: not a length of time"));
  config("");
  variables_["CGREP_LIMIT"] = "x";
  EXPECT_EQ(error(),
            "CGREP_LIMIT: limit: a number is needed, not 'x' | it is a whole number, such as 5");
}

TEST_F(ConfigTest, SomeOptionsHaveToBeSaidEachTime) {
  for (const std::string key : {"rebuild", "quiet", "help", "version", "regexp", "store", "yes",
                                "exec", "no-redact", "force", "full", "compact"}) {
    config(key + " = true\n");
    EXPECT_TRUE(error().starts_with("CONFIG:1: '" + key + "' cannot stand in the config | "))
        << key;
  }
  config("");
  variables_["CGREP_REBUILD"] = "true";
  EXPECT_EQ(error(), "no error");
}

TEST_F(ConfigTest, TheFileMayBeAbsentOrElsewhere) {
  EXPECT_EQ(merged({}), Words{});
  variables_["CGREP_CONFIG"] = (folder_.path() / "nowhere").string();
  EXPECT_TRUE(error().starts_with("cannot read the config ")) << error();
  variables_["CGREP_CONFIG"] = folder_.path().string();
  EXPECT_NE(error().find("Is a directory | CGREP_CONFIG names another"), std::string::npos)
      << error();
  variables_["CGREP_CONFIG"] = folder_.write("big", std::string(70'000, '#')).string();
  EXPECT_NE(error().find("larger than 64 KB"), std::string::npos) << error();
  const auto fifo = folder_.path() / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  variables_["CGREP_CONFIG"] = fifo.string();
  EXPECT_EQ(error(), "no error");
  config("limit = 5");
  variables_["CGREP_CONFIG"] = "";
  EXPECT_EQ(merged({}), Words{});
}

TEST_F(ConfigTest, SettingsThatAreNoOptions) {
  config("default-stores = transcripts, chats\nexclude = secret\nexclude = a*, b\nretain = 2w\n");
  const Settings settings = read().settings();
  ASSERT_EQ(settings.default_stores.size(), 2u);
  EXPECT_EQ(settings.default_stores[1]->name, "chats");
  EXPECT_EQ(settings.exclude, (Words{"secret", "a*", "b"}));
  EXPECT_EQ(settings.retain, std::chrono::days(14));
  config("retain = forever");
  EXPECT_EQ(read().settings().retain, std::nullopt);
  variables_["CGREP_DEFAULT_STORES"] = "!subagents";
  EXPECT_EQ(read().settings().default_stores.size(), 7u);
}

class ConfiguredCgrepTest : public StandardHome {
 protected:
  void config(const std::string& text) { home_.write(".config/cgrep/config", text); }
};

TEST_F(ConfiguredCgrepTest, TheBinaryFollowsIt) {
  config("list = true\nsort = oldest\nexclude = *gadget\n");
  EXPECT_EQ(cgrep({"login"}).out, "11111111\n");
  EXPECT_EQ(cgrep({"-c", "login"}).out, "11111111:3\n");
  auto environment = options();
  environment.environment["CGREP_EXCLUDE"] = "none-such";
  EXPECT_EQ(run_cgrep({"login"}, environment).out, "11111111\n22222222\n");
}

TEST_F(ConfiguredCgrepTest, ABadConfigStopsASearchButNoHelp) {
  config("limitt = 1\n");
  const auto result = cgrep({"login"});
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("config:1: unknown key 'limitt'\nhint: did you mean 'limit'?"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(cgrep({"help"}).code, 0);
  EXPECT_EQ(cgrep({"--help"}).code, 0);
  EXPECT_EQ(cgrep({"completion", "bash"}).code, 0);
}

class DefaultStoresTest : public CorpusHome {
 protected:
  DefaultStoresTest() { make("home"); }
};

TEST_F(DefaultStoresTest, AreThoseOfAPlainSearch) {
  const auto path = dir_.write("config", "default-stores = transcripts, chats\n").string();
  const auto searched = [&](Words words) {
    words.insert(words.end(), {"--root", home().string(), "--index", (dir_.path() / "i").string()});
    return run_cgrep(words, {.environment = {{"CGREP_CONFIG", path}}});
  };
  EXPECT_EQ(searched({"-l", "favour"}).out, "bd52f19e\n");  // stands only in chats
  const auto summary = searched({"--json", "favour"}).out;
  EXPECT_EQ(summary.find(R"("store":"chats","why")"), std::string::npos) << summary;
  EXPECT_NE(summary.find(R"({"store":"plans","why":"default-stores","sources":)"),
            std::string::npos)
      << summary;
  EXPECT_EQ(summary.find(R"("store":"transcripts","why")"), std::string::npos) << summary;
  EXPECT_EQ(searched({"-l", "--store", "plans", "favour"}).code, 1);
  const auto shown = run_cgrep({"favour", "--color", "never", "--root", home().string(), "--index",
                                (dir_.path() / "i").string()},
                               {.environment = {{"CGREP_CONFIG", path}}, .terminal = true})
                         .out;
  EXPECT_NE(shown.find("not searched (default-stores): subagents and "), std::string::npos)
      << shown;
}

TEST(RetainTest, Durations) {
  using std::chrono::days;
  EXPECT_EQ(parse_retain("90d"), days(90));
  EXPECT_EQ(parse_retain("6mo"), days(180));
  EXPECT_EQ(parse_retain("1y"), days(365));
  for (const char* bad : {"", "90", "d", "-1d", "1x", "99999999y"})
    EXPECT_THROW(parse_retain(bad), Error) << bad;
}

}  // namespace
}  // namespace cgrep::test
