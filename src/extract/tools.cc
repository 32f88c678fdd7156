#include "extract/tools.h"

#include <algorithm>
#include <array>
#include <string>

namespace cgrep {

namespace {

struct ToolName {
  std::string_view plain;  // lower case, letters and digits only, without a version
  std::string_view normalised;
};

// Internal names, display names, and what people type.
constexpr std::array kToolNames = std::to_array<ToolName>({
    {"applypatch", "Edit"},
    {"askfollowupquestion", "AskQuestion"},
    {"askquestion", "AskQuestion"},
    {"bash", "Shell"},
    {"callmcptool", "MCP"},
    {"codebasesearch", "SemanticSearch"},
    {"createfile", "Write"},
    {"createplan", "CreatePlan"},
    {"delete", "Delete"},
    {"deletefile", "Delete"},
    {"edit", "Edit"},
    {"editfile", "Edit"},
    {"filesearch", "Glob"},
    {"glob", "Glob"},
    {"globfilesearch", "Glob"},
    {"grep", "Grep"},
    {"grepsearch", "Grep"},
    {"listdir", "LS"},
    {"ls", "LS"},
    {"mcp", "MCP"},
    {"multiedit", "Edit"},
    {"read", "Read"},
    {"readfile", "Read"},
    {"readlints", "ReadLints"},
    {"rg", "Grep"},
    {"ripgrep", "Grep"},
    {"ripgreprawsearch", "Grep"},
    {"runterminalcmd", "Shell"},
    {"runterminalcommand", "Shell"},
    {"searchreplace", "Edit"},
    {"semanticsearch", "SemanticSearch"},
    {"semanticsearchfull", "SemanticSearch"},
    {"shell", "Shell"},
    {"strreplace", "Edit"},
    {"subagent", "Task"},
    {"task", "Task"},
    {"terminal", "Shell"},
    {"todowrite", "TodoWrite"},
    {"webfetch", "WebFetch"},
    {"websearch", "WebSearch"},
    {"write", "Write"},
    {"writefile", "Write"},
});

constexpr bool by_plain(const ToolName& a, const ToolName& b) {
  return a.plain < b.plain;
}
static_assert(std::is_sorted(kToolNames.begin(), kToolNames.end(), by_plain));

// `read_file_v2` → `readfile`
std::string plain_form(std::string_view raw) {
  std::string plain;
  for (const char c : raw) {
    if (c >= 'A' && c <= 'Z')
      plain += static_cast<char>(c - 'A' + 'a');
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      plain += c;
  }
  const auto size = plain.size();
  if (size > 2 && plain[size - 2] == 'v' && plain[size - 1] >= '0' && plain[size - 1] <= '9')
    plain.resize(size - 2);
  return plain;
}

}  // namespace

std::string_view normalised_tool(std::string_view raw) {
  constexpr std::size_t kLongest = 64;
  if (raw.starts_with("mcp-") || raw.starts_with("mcp_")) return "MCP";
  if (raw.size() > kLongest) return raw;
  const std::string plain = plain_form(raw);
  const auto* const found =
      std::lower_bound(kToolNames.begin(), kToolNames.end(), ToolName{plain, {}}, by_plain);
  if (found != kToolNames.end() && found->plain == plain) return found->normalised;
  return raw;
}

}  // namespace cgrep
