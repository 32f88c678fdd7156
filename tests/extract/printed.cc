#include "printed.h"

#include <array>
#include <chrono>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "extract/folders.h"
#include "extract/json.h"
#include "extract/roots.h"

namespace cgrep::test {

namespace {

std::string printed_time(const std::optional<Time>& time) {
  if (!time) return "-";
  const auto seconds = static_cast<std::time_t>(time->ms / 1000);
  return fmt::format("{:%FT%T}.{:03}Z/{}", fmt::gmtime(seconds), time->ms % 1000,
                     name_of(time->origin));
}

// Keys may hold newlines.
std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\n')
      line += "\\n";
    else
      line += c;
  }
  return line;
}

std::string printed_list(const std::vector<std::string>& items) {
  std::string list;
  for (const auto& item : items) list += (list.empty() ? "" : ",") + json_quote(item);
  return "[" + list + "]";
}

std::string_view name_of(Fact fact) {
  constexpr std::array<std::string_view, 15> kNames = {
      "project", "slug",    "title", "parent",   "model",     "mode",  "branch", "surface",
      "created", "updated", "seen",  "archived", "workspace", "files", "tokens"};
  return kNames.at(static_cast<std::size_t>(fact));
}

}  // namespace

std::string printed(const Document& document) {
  std::string line = fmt::format("{} {} {}", document.conversation, name_of(document.role),
                                 printed_time(document.time));
  if (!document.tool.empty()) line += " tool=" + document.tool;
  if (!document.files.empty()) line += " files=" + printed_list(document.files);
  if (!document.identity.key.empty()) line += " key=" + on_one_line(document.identity.key);
  if (document.delegated) line += " delegated";
  if (document.orphan) line += " orphan";
  if (document.truncated) line += " truncated";
  constexpr std::size_t kReadable = 100'000;
  if (document.text.size() <= kReadable) return line + " " + json_quote(document.text);
  return line + " " + json_quote(document.text.substr(0, 40)) + "… " +
         std::to_string(document.text.size()) + " bytes";
}

std::string printed(const Claim& claim) {
  const auto value = claim.fact == Fact::seen    ? std::string()
                     : claim.fact == Fact::files ? "=" + json_quote(claim.value)
                                                 : "=" + claim.value;
  return fmt::format("{} claim {}{} @{}", claim.conversation, name_of(claim.fact), value,
                     claim.rung);
}

std::string printed(const Problem& problem) {
  return fmt::format("problem {} at {}{}", json_quote(problem.what), on_one_line(problem.example),
                     problem.passing ? " passing" : "");
}

std::string extract_all(const Store& store, const std::filesystem::path& home) {
  const auto no_environment = [](const char*) -> std::optional<std::string> { return {}; };
  Folders folders;
  std::vector<Source> sources;
  store.discover(find_roots(no_environment, home), folders, sources);
  PrintingSink sink;
  for (const Source& source : sources) {
    sink.line("source " + source.path.lexically_relative(home).string());
    if (!store.readable()) {
      if (store.count != nullptr) sink.line(fmt::format("holds {}", store.count(source)));
      continue;
    }
    try {
      store.extract(source, sink);
    } catch (const Unreadable&) {
      sink.line("unreadable");
    }
  }
  return sink.text();
}

}  // namespace cgrep::test
