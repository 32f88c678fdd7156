#include "extract/tools.h"

#include <algorithm>
#include <array>

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

constexpr std::size_t kLongest = 64;

// `read_file_v2` → `readfile`
std::string_view plain_form(std::string_view raw, std::array<char, kLongest>& to) {
  std::size_t size = 0;
  for (const char c : raw) {
    if (c >= 'A' && c <= 'Z')
      to[size++] = static_cast<char>(c - 'A' + 'a');
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      to[size++] = c;
  }
  if (size > 2 && to[size - 2] == 'v' && to[size - 1] >= '0' && to[size - 1] <= '9') size -= 2;
  return {to.data(), size};
}

}  // namespace

std::string_view normalised_tool(std::string_view raw) {
  if (raw.starts_with("mcp-") || raw.starts_with("mcp_")) return "MCP";
  if (raw.size() > kLongest) return raw;
  std::array<char, kLongest> memory;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  const auto plain = plain_form(raw, memory);
  const auto* const found =
      std::lower_bound(kToolNames.begin(), kToolNames.end(), ToolName{plain, {}}, by_plain);
  if (found != kToolNames.end() && found->plain == plain) return found->normalised;
  return raw;
}

}  // namespace cgrep
