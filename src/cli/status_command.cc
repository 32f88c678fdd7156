// cgrep status: the index in one line. Looks, and never reads what is new. In JSON one event:
//   status  index: its folder; exists; documents conversations stores newest bytes updated: when it
//           was last written; checked: when all sources were last looked at to bring it up to
//           date; stale_sources: newer than the index, null when there is no history to look at.
//           Without an index all but the first two are null.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <sys/stat.h>

#include "cli/chart.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/json_object.h"
#include "cli/options.h"
#include "cli/times.h"
#include "index/checks.h"
#include "index/folder.h"
#include "index/overview.h"
#include "index/staleness.h"

namespace cgrep {
namespace {

struct Options {
  bool json = false;
  PlaceOptions places{};
};

struct Status {
  std::optional<std::size_t> documents{};
  std::optional<std::size_t> conversations{};
  std::optional<std::size_t> stores{};
  std::optional<std::int64_t> newest{};
  std::optional<std::uint64_t> bytes{};
  std::optional<std::int64_t> updated{};
  std::optional<std::int64_t> checked{};
  std::optional<std::size_t> stale{};
};

// The newest change of the database or of what is not yet moved into it.
std::optional<std::int64_t> last_written(const std::filesystem::path& folder) {
  std::optional<std::int64_t> newest;
  for (const char* name : {"history.db", "history.db-wal"}) {
    struct stat status = {};
    if (stat((folder / name).c_str(), &status) != 0) continue;
    if (status.st_size == 0) continue;
    newest = std::max(newest.value_or(0), static_cast<std::int64_t>(status.st_mtime) * 1000);
  }
  return newest;
}

Status look(const Places& places) {
  History history(places.index, History::Mode::read);
  Status status{.documents = history.document_count(),
                .conversations = count_conversations(history),
                .stores = 0,
                .newest = newest_document(history),
                .bytes = index_bytes(places.index),
                .updated = last_written(places.index)};
  if (const auto check = last_check(places.index)) status.checked = *check / 1'000'000;
  for (const StoreCounts& counts : history.store_counts())
    if (counts.documents > 0) ++*status.stores;
  if (places.has_history()) status.stale = stale_sources(history, places.roots, places.exclude);
  return status;
}

std::string freshness(const Status& status) {
  if (!status.stale) return "no history of Cursor found";
  if (*status.stale == 0) return "up to date";
  return fmt::format("{} newer than the index", counted(*status.stale, "source"));
}

ExitCode print_status(const Options& options, Context& context) {
  if (!context.operands.empty())
    throw Error("status takes no operands", search_hint(context.typed));
  const Places places = find_places(options.places, context.environment, context.settings);
  const bool exists = index_exists(places.index);
  Status status;
  if (exists) status = look(places);
  if (options.json) {
    const auto iso = [](const std::optional<std::int64_t>& ms) {
      return ms ? iso_time(*ms) : std::string();
    };
    JsonObject data;
    data.string("index", places.index.string())
        .flag("exists", exists)
        .number("documents", status.documents)
        .number("conversations", status.conversations)
        .number("stores", status.stores)
        .text("newest", iso(status.newest))
        .number("bytes", status.bytes)
        .text("updated", iso(status.updated))
        .text("checked", iso(status.checked))
        .number("stale_sources", status.stale);
    context.out.write(json_event("status", data));
  } else if (!exists) {
    context.out.print("no index yet; cgrep index makes it, and so does the first search\n");
  } else {
    context.out.print("{} in {} of {}, {}{}, {}\n", counted(*status.documents, "document"),
                      counted(*status.conversations, "conversation"),
                      counted(*status.stores, "store"),
                      status.newest ? fmt::format("newest {}, ", local_time(*status.newest)) : "",
                      readable_bytes(*status.bytes), freshness(status));
  }
  return exists ? ExitCode::ok : ExitCode::no_match;
}

}  // namespace

Action declare_status(OptionTable& table) {
  auto options = std::make_shared<Options>();
  table.group("Output");
  table.add_flag("--json", options->json, "The same as a JSON object");
  declare_places(table, options->places);
  return [options](Context& context) { return print_status(*options, context); };
}

}  // namespace cgrep
