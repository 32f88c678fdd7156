#include "extract/conversation_id.h"

#include <fmt/format.h>

#include "extract/store.h"
#include "extract/utf8.h"
#include "hash.h"

namespace cgrep {

std::string conversation_id(std::string_view raw) {
  std::string id = repaired_utf8(raw);
  for (char& c : id)
    if (static_cast<unsigned char>(c) <= ' ' || c == 0x7f || c == ':') c = '_';
  return id;
}

std::string made_up_conversation(const Source& source) {
  const auto place = source.root.filename() / source.path.lexically_relative(source.root);
  return fmt::format("{}-{:016x}", source.store->name, hash64(place.generic_string()));
}

}  // namespace cgrep
