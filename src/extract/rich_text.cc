#include "extract/rich_text.h"

#include "extract/clean.h"
#include "extract/utf8.h"

namespace cgrep {

namespace {

constexpr int kMaxDepth = 100;

void add_leaves(JsonElement node, int depth, std::string& text) {
  if (depth > kMaxDepth) return;
  const auto type = text_of(node, "type");
  const bool line = type == "listitem" || type == "paragraph";
  if (type == "linebreak" || (line && depth > 0 && !text.empty() && !text.ends_with('\n')))
    append_fitting(text, "\n");
  append_fitting(text, text_of(node, "text"));
  for_each_item(node, "children", [&](JsonElement child) { add_leaves(child, depth + 1, text); });
}

}  // namespace

std::string text_of_rich_text(std::string_view state, JsonReader& json) {
  if (!trimmed(state).starts_with('{')) return std::string(fitting(state));
  const auto parsed = json.parse(state);
  if (!parsed) return std::string(fitting(state));
  std::string text;
  const auto root = member(*parsed, "root");
  if (!root) return std::string(fitting(state));
  for_each_item(*root, "children", [&](JsonElement paragraph) {
    if (!text.empty()) append_fitting(text, "\n");
    add_leaves(paragraph, 0, text);
  });
  return text;
}

}  // namespace cgrep
