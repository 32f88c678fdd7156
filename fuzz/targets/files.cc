// Stores of plain files. The first byte says which; the rest is the file.
#include <array>

#include "extract/front_matter.h"
#include "extract/utf8.h"
#include "fuzz/checks.h"
#include "fuzz/target.h"

namespace cgrep::fuzz {
namespace {

struct File {
  std::string_view store{};
  std::string_view path{};
};
constexpr std::array<File, 9> kFiles = {{
    {"plans", ".cursor/plans/auth.plan.md"},
    {"terminals", ".cursor/projects/home-ada-widget/terminals/1.txt"},
    {"agent-tools", ".cursor/projects/home-ada-widget/agent-tools/1.txt"},
    {"uploads", ".cursor/projects/home-ada-widget/uploads/1.md"},
    {"notes", ".cursor/projects/home-ada-widget/agent-notes/shared/1.md"},
    {"skills", ".cursor/skills/tidy/SKILL.md"},
    {"prompts", ".cursor/prompt_history.json"},
    {"repo-meta", ".cursor/projects/home-ada-widget/.workspace-trusted"},
    {"repo-meta", ".cursor/chats/ec8c084499b8df5d440e71a336c4885b/c1/meta.json"},
}};

FUZZ_TARGET(project_file) {
  if (bytes.empty()) return;
  const auto& file = kFiles[static_cast<unsigned char>(bytes.front()) % kFiles.size()];
  bytes.remove_prefix(1);
  const auto path = write_scratch(file.path, bytes);
  CheckingSink sink(bytes.size());
  read_source(file.store, path, sink);
}

FUZZ_TARGET(front_matter) {
  const auto matter = parse_front_matter(bytes);
  std::size_t size = 0;
  for (const auto& field : matter.fields) size += field.key.size() + field.value.size();
  // A byte that is no UTF-8 becomes the three of U+FFFD.
  require(size <= 3 * bytes.size(), "fields hold no more than was there");
  require(matter.body.size() <= bytes.size(), "the body is part of the text");
}

}  // namespace
}  // namespace cgrep::fuzz
