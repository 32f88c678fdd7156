#include "index/copies.h"

#include <bit>

#include "hash.h"
#include "index/flags.h"

namespace cgrep {

CopyKey copy_by_key(std::string_view key) {
  return {.identity = static_cast<std::int64_t>(hash64(key))};
}

CopyKey copy_by_text(std::int64_t conversation, std::int64_t hash, std::uint32_t nth) {
  const std::int64_t parts[] = {conversation, hash, nth};
  return {.identity = static_cast<std::int64_t>(
              hash64({reinterpret_cast<const char*>(parts), sizeof parts}, /*seed=*/0x74657874)),
          .nth = nth};
}

void part_copy(Database& database, std::int64_t document) {
  auto found = database.prepare(
      "SELECT conversation, hash, identity, nth, stores FROM documents WHERE id = ?1 AND source IS "
      "NOT NULL");
  found.bind(1, document);
  if (!found.step()) return;
  const auto identity = found.is_null(2) ? copy_by_text(found.int64(0), found.int64(1),
                                                        static_cast<std::uint32_t>(found.int64(3)))
                                               .identity
                                         : found.int64(2);
  const auto store = std::countr_zero(static_cast<std::uint32_t>(found.int64(4)));
  found.reset();
  auto copy = database.prepare(
      "INSERT INTO copies (source, identity, document, store, position, flags, time, origin) "
      "SELECT source, ?2, id, ?3, coalesce(place, position), flags & ?4, time, origin "
      "FROM documents WHERE id = ?1");
  copy.bind(1, document);
  copy.bind(2, identity);
  copy.bind(3, store);
  copy.bind(4, flag::told);
  copy.run();
  auto parted = database.prepare(
      "UPDATE documents SET source = NULL, identity = NULL, nth = NULL, place = NULL WHERE id = "
      "?1");
  parted.bind(1, document);
  parted.run();
}

}  // namespace cgrep
