// What --json prints is what --json-schema says.
#include "cli/json_schema.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "cli/commands.h"
#include "cli/corpus_home.h"
#include "extract/json.h"

namespace cgrep::test {
namespace {

bool equal(const Json& a, const Json& b) {
  if (a.string() != nullptr && b.string() != nullptr) return *a.string() == *b.string();
  return a.value().index() == b.value().index() && a.number() == b.number();
}

bool has_type(const Json& value, const std::string& type) {
  if (type == "null") return value.is_null();
  if (type == "boolean") return value.boolean().has_value();
  if (type == "integer") return !value.boolean() && value.integer().has_value();
  if (type == "number") return !value.boolean() && value.number().has_value();
  if (type == "string") return value.string() != nullptr;
  if (type == "array") return value.array() != nullptr;
  return type == "object" && value.object() != nullptr;
}

// The keywords that the schema uses; another one is an error of the test. Returns what is wrong.
class Validator {
 public:
  std::string check(const Json& schema, const Json& value, const std::string& at = "$") {
    for (const auto& [keyword, rule] : *schema.object()) {
      const auto problem = check_keyword(keyword, rule, schema, value, at);
      if (!problem.empty()) return problem;
    }
    return {};
  }

 private:
  std::string check_keyword(const std::string& keyword, const Json& rule, const Json& schema,
                            const Json& value, const std::string& at) {
    const auto wrong = [&](bool is_wrong) {
      return is_wrong ? at + " breaks " + keyword : std::string();
    };
    if (keyword == "type") return wrong(!any_type(rule, value));
    if (keyword == "const") return wrong(!equal(rule, value));
    if (keyword == "enum")
      return wrong(std::none_of(rule.array()->begin(), rule.array()->end(),
                                [&](const Json& choice) { return equal(choice, value); }));
    if (keyword == "minimum") return wrong(value.number() && *value.number() < *rule.number());
    if (keyword == "minLength")
      return wrong(value.string() != nullptr &&
                   static_cast<std::int64_t>(value.string()->size()) < *rule.integer());
    if (keyword == "required") return required(rule, value, at);
    if (keyword == "additionalProperties") return additional(schema, value, at);
    if (keyword == "properties") return properties(rule, value, at);
    if (keyword == "items") return items(rule, value, at);
    if (keyword == "oneOf") return one_of(rule, value, at);
    const std::vector<std::string> said{"$schema", "title", "description", "format"};
    return wrong(std::find(said.begin(), said.end(), keyword) == said.end());
  }

  static bool any_type(const Json& rule, const Json& value) {
    if (rule.string() != nullptr) return has_type(value, *rule.string());
    return std::any_of(rule.array()->begin(), rule.array()->end(),
                       [&](const Json& type) { return has_type(value, *type.string()); });
  }

  static std::string required(const Json& rule, const Json& value, const std::string& at) {
    for (const Json& name : *rule.array())
      if (value.find(*name.string()) == nullptr) return at + " lacks " + *name.string();
    return {};
  }

  static std::string additional(const Json& schema, const Json& value, const std::string& at) {
    if (value.object() == nullptr) return {};
    for (const auto& [name, member] : *value.object())
      if (schema.find("properties")->find(name) == nullptr) return at + " has a member " + name;
    return {};
  }

  std::string properties(const Json& rule, const Json& value, const std::string& at) {
    for (const auto& [name, schema] : *rule.object())
      if (const Json* member = value.find(name)) {
        const auto problem = check(schema, *member, at + "." + name);
        if (!problem.empty()) return problem;
      }
    return {};
  }

  std::string items(const Json& rule, const Json& value, const std::string& at) {
    if (value.array() == nullptr) return {};
    for (const Json& item : *value.array())
      if (const auto problem = check(rule, item, at + "[]"); !problem.empty()) return problem;
    return {};
  }

  // Tells of the alternative with the same `type`.
  std::string one_of(const Json& rule, const Json& value, const std::string& at) {
    for (const Json& schema : *rule.array())
      if (schema.find("properties")->find("type")->text("const") == value.text("type"))
        return check(schema, value, at);
    return at + " has an unknown type '" + std::string(value.text("type")) + "'";
  }
};

std::string problem_of(const std::string& line) {
  static const Json schema = Json::parse(json_schema()).value();
  const auto event = Json::parse(line);
  if (!event) return "not JSON: " + line;
  return Validator().check(schema, *event);
}

class JsonSchemaTest : public CorpusHome {};

// A command with --json that is not asked here, or prints what the schema does not know, fails.
TEST_F(JsonSchemaTest, HoldsForWhatEveryCommandPrints) {
  std::map<std::string, Lines> operands{{"hook", {"hook", "status"}},
                                        {"search", {"search", "-C", "1", "lanternpost"}},
                                        {"show", {"show", "bd52f19e"}}};
  make("home");
  cgrep({"index", "-q", "--store", "all,chats"});
  std::map<std::string, int> seen;
  for (const Command& command : all_commands()) {
    OptionTable table;
    command.declare(table);
    if (table.find("--json") == nullptr) continue;
    const std::string name(command.name);
    Lines words = operands.contains(name) ? operands[name] : Lines{name};
    words.emplace_back("--json");
    const bool reads = table.find("--root") != nullptr;
    const auto printed = reads ? lines(words) : lines_of(run_cgrep(words, {}).out);
    EXPECT_EQ(printed.empty(), name == "doctor") << name;  // which finds nothing wrong here
    for (const std::string& line : printed) {
      EXPECT_EQ(problem_of(line), "") << line;
      if (const auto event = Json::parse(line)) ++seen[std::string(event->text("type"))];
    }
  }
  for (const char* type : {"begin", "match", "context", "end", "summary", "document", "store",
                           "conversation", "count", "totals", "status", "field"})
    EXPECT_GT(seen[type], 0) << type;
}

TEST_F(JsonSchemaTest, HoldsForCountsAndWhatTheConfigLeavesOut) {
  make("home");
  const auto config = dir_.write("config", "default-stores = transcripts\n").string();
  const auto printed =
      lines_of(run_cgrep({"token", "--by", "role", "--json", "--root", home().string(), "--index",
                          (dir_.path() / "index").string()},
                         {.environment = {{"CGREP_CONFIG", config}}})
                   .out);
  ASSERT_GT(printed.size(), 1u);
  for (const std::string& line : printed) EXPECT_EQ(problem_of(line), "") << line;
  EXPECT_NE(printed.back().find(R"("type":"summary")"), std::string::npos);
  EXPECT_NE(printed.back().find(R"("why":"default-stores")"), std::string::npos);
}

TEST_F(JsonSchemaTest, HoldsForFindings) {
  make("bubbles/damaged/home");
  const auto findings = lines({"doctor", "--json"});
  ASSERT_FALSE(findings.empty());
  for (const std::string& line : findings) EXPECT_EQ(problem_of(line), "") << line;
}

TEST_F(JsonSchemaTest, IsPrintedByEachCommandThatHasIt) {
  EXPECT_EQ(cgrep({"--json-schema"}).out, json_schema());
  EXPECT_EQ(cgrep({"stores", "--json-schema"}).out, json_schema());
  EXPECT_EQ(cgrep({"index", "--json-schema"}).code, 2);
}

TEST(JsonSchemaValidatorTest, BrokenEventsFail) {
  const std::string whole =
      R"({"type":"end","data":{"address":"3f2a9c1e:1","conversation":"3f2a9c1e-1"}})";
  EXPECT_EQ(problem_of(whole), "");
  EXPECT_EQ(problem_of(R"({"type":"fin","data":{}})"), "$ has an unknown type 'fin'");
  EXPECT_EQ(problem_of(R"({"type":"end"})"), "$ lacks data");
  EXPECT_EQ(problem_of(R"({"type":"end","data":{"address":"x"}})"), "$.data lacks conversation");
  EXPECT_EQ(problem_of(R"({"type":"end","data":{"address":1,"conversation":"x"}})"),
            "$.data.address breaks type");
  EXPECT_EQ(problem_of(R"({"type":"end","data":{"address":"x","conversation":"x","more":1}})"),
            "$.data has a member more");
  const auto finding = [](const std::string& level, const std::string& count) {
    return problem_of(
        R"({"type":"finding","data":{"what":"x","advice":null,"store":null,"count":)" + count +
        R"(,"example":null,"source":null,"level":")" + level + "\"}}");
  };
  EXPECT_EQ(finding("note", "1"), "");
  EXPECT_EQ(finding("bad", "1"), "$.data.level breaks enum");
  EXPECT_EQ(finding("note", "-1"), "$.data.count breaks minimum");
  EXPECT_EQ(finding("note", "1.5"), "$.data.count breaks type");
}

}  // namespace
}  // namespace cgrep::test
