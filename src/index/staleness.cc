#include "index/staleness.h"

#include "index/changes.h"
#include "index/history.h"
#include "index/look.h"
#include "index/update.h"

namespace cgrep {

std::size_t stale_sources(History& history, const Roots& roots,
                          const std::vector<std::string>& exclude) {
  Look look(history.folder(), roots, exclude);
  if (const Looked& looked = look.finish(); looked.knows_all(generation_of(history)))
    return looked.sources.size();
  const UpdateOptions options{.exclude = exclude};
  Changes changes(history, roots, options);
  StoreSummary counted;
  for (const Store* store : stores_to_read(history, options)) changes.find(*store, counted);
  return changes.sources().size() + changes.vanished().size();
}

std::map<const Store*, std::size_t> stale_by_store(History& history, const Roots& roots,
                                                   const std::vector<std::string>& exclude) {
  const UpdateOptions options{.exclude = exclude};
  Changes changes(history, roots, options);
  StoreSummary counted;
  std::map<const Store*, std::size_t> stale;
  std::size_t before = 0;
  for (const Store* store : stores_to_read(history, options)) {
    changes.find(*store, counted);
    const auto all = changes.sources().size() + changes.vanished().size();
    stale[store] = all - before;
    before = all;
  }
  return stale;
}

}  // namespace cgrep
