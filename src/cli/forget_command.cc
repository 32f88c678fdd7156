// cgrep forget: remove documents from the index, and keep them out.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <unordered_map>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/display.h"
#include "cli/filter_options.h"
#include "cli/options.h"
#include "cli/refresh.h"
#include "index/checks.h"
#include "index/folder.h"
#include "index/forget.h"
#include "index/update.h"
#include "query/parser.h"
#include "query/searcher.h"

namespace cgrep {
namespace {

struct Options {
  std::optional<std::string> query{};
  bool gone = false;
  FilterOptions filters{};
  bool yes = false;
  bool dry_run = false;
  PlaceOptions places{};
};

constexpr std::size_t kShownConversations = 10;

bool on_terminal() {
  return isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
}

class ForgetRun {
 public:
  ForgetRun(const Options& options, Context& context) : options_(options), context_(context) {}

  ExitCode run() {
    require_one_way();
    const auto addresses = addresses_of_operands();
    const auto stores = select_stores(options_.filters.stores);
    const auto places = find_places(options_.places, context_.environment, context_.settings);
    if (!index_exists(places.index))
      throw Error(fmt::format("no index at {}", places.index.string()), "cgrep index makes one");
    // What was not read yet is to be forgotten, too.
    if (store_ == nullptr) refresh_index(places, {.when = Refresh::always}, {});
    ForgetRequest request{.store = store_};
    if (!look(places, addresses, stores, request)) return nothing();
    if (options_.dry_run) return ExitCode::ok;
    if (!options_.yes && !confirmed()) {
      context_.out.write("nothing was forgotten\n");
      return ExitCode::no_match;
    }
    return forget_now(places, request);
  }

 private:
  void require_one_way() {
    const bool by_store = !options_.filters.stores.empty() && !options_.query;
    const int ways = (context_.operands.empty() ? 0 : 1) + (options_.query ? 1 : 0) +
                     (options_.gone ? 1 : 0) + (by_store ? 1 : 0);
    if (ways == 0)
      throw Error("forget needs to know what",
                  "cgrep forget ADDRESS..., --query WORDS, --gone or --store STORE");
    if (ways > 1)
      throw Error("forget takes addresses, --query, --gone or --store, one of them",
                  "run it once for each");
    const auto& filters = options_.filters;
    const bool filtered =
        !filters.projects.empty() || !filters.roles.empty() || filters.since || filters.until;
    if (filtered && !options_.query)
      throw Error("-p, --role, --since and --until narrow what --query finds",
                  "cgrep forget --query project:widget takes a whole project");
    if (by_store) store_ = &only_store();
    if (!options_.yes && !options_.dry_run && !on_terminal())
      throw Error("forget asks before it removes, and there is no terminal to ask on",
                  "--yes does it without asking, --dry-run shows what would be removed");
  }

  const Store& only_store() const {
    const auto names = split_lists(options_.filters.stores);
    const auto selection = select_stores(options_.filters.stores);
    if (names.size() != 1 || names.front() == "all" || names.front().starts_with('!'))
      throw Error("forget takes one store at a time", "cgrep forget --store chats");
    return *selection.choice.wanted.front();
  }

  std::vector<Address> addresses_of_operands() const {
    std::vector<Address> addresses;
    for (const std::string& operand : context_.operands) {
      auto address = parse_address(operand);
      if (!address)
        throw Error(fmt::format("not an address: '{}'", operand),
                    "an address looks like 3f2a9c1e, 3f2a9c1e:17 or 3f2a9c1e:10-20; words are "
                    "given with --query");
      addresses.push_back(*std::move(address));
    }
    return addresses;
  }

  // Says what will be removed; false when there is nothing. Ends its reading before anything is.
  bool look(const Places& places, const std::vector<Address>& addresses,
            const StoreSelection& stores, ForgetRequest& request) {
    History history(places.index, History::Mode::read);
    Searcher searcher(history);
    for (const Address& address : addresses) add(searcher, address, request);
    if (options_.gone) add_gone(history, request);
    if (options_.query) add_found(searcher, stores, request);
    const auto plan = plan_forget(history, request);
    if (plan.empty() && !has_sources(history)) return false;
    print(history, plan);
    return true;
  }

  // A store that holds nothing of its own can still be opted out of.
  bool has_sources(History& history) const {
    if (store_ == nullptr) return false;
    const auto opted_in = history.opted_in();
    if (std::find(opted_in.begin(), opted_in.end(), store_) != opted_in.end()) return true;
    const auto counts = history.store_counts();
    return std::any_of(counts.begin(), counts.end(), [&](const StoreCounts& count) {
      return count.store == store_ && (count.sources > 0 || count.documents > 0);
    });
  }

  static void add(Searcher& searcher, const Address& address, ForgetRequest& request) {
    if (!address.first) {
      request.conversations.push_back(searcher.find_conversation(address).key);
      return;
    }
    searcher.read(address, [&](const Hit& hit) {
      request.documents.emplace_back(hit.conversation->key, hit.number);
      return true;
    });
  }

  static void add_gone(History& history, ForgetRequest& request) {
    std::unordered_map<std::int64_t, std::string> keys;
    history.for_each_document([&](const StoredDocument& document) {
      if (!document.gone) return true;
      auto& key = keys[document.conversation];
      if (key.empty()) key = history.conversation(document.conversation).key;
      request.documents.emplace_back(key, document.number);
      return true;
    });
  }

  // Also what a plain search leaves out: other stores, repeated prompts, messages of the system.
  void add_found(Searcher& searcher, const StoreSelection& stores, ForgetRequest& request) const {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto now_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
    Request search{.query = parse_query(*options_.query).query,
                   .filters = make_filters(options_.filters, stores, now_ms),
                   .sort = Sort::newest,
                   .spread = false};
    if (options_.filters.stores.empty()) search.filters.stores = {};
    search.filters.repeated = true;
    const auto add = [&](const Hit& hit) {
      request.documents.emplace_back(hit.conversation->key, hit.number);
      return true;
    };
    searcher.search(search, add);
    if (!search.filters.roles.empty()) return;
    search.filters.roles.wanted = {Role::system};
    searcher.search(search, add);
  }

  void print(History& history, const ForgetPlan& plan) {
    context_.out.print("{}{} in {}\n", options_.dry_run ? "would forget " : "to forget: ",
                       counted(plan.document_count, "document"),
                       counted(plan.touched.size(), "conversation"));
    std::size_t shown = 0;
    for (const auto& [row, documents] : plan.touched) {
      if (++shown > kShownConversations) break;
      const auto conversation = history.conversation(row);
      context_.out.print("  {}  {}  {}\n", visible(conversation.address),
                         counted(documents, "document"),
                         visible(conversation.title.empty() ? "(no title)" : conversation.title));
    }
    if (plan.touched.size() > kShownConversations)
      context_.out.print("  and {}\n",
                         counted(plan.touched.size() - kShownConversations, "more conversation"));
    if (store_ != nullptr && !options_.dry_run)
      context_.out.print("store {} is not read any more\n", store_->name);
  }

  bool confirmed() {
    context_.out.write("Forget this for good? [y/N] ");
    context_.out.flush();
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
  }

  ExitCode forget_now(const Places& places, const ForgetRequest& request) {
    const auto result =
        forget(places.index, request, [] { warn("another process is writing; waiting for it"); });
    if (result.copies) warn("the damaged history.db that was kept aside was removed as well");
    if (!result.clean)
      warn("another process still reads the index; cgrep index removes the rest when it has ended");
    // What other stores hold of a text that this one had, too, is told by them again.
    // Somebody lazy may have asked while nobody else could write.
    const bool look = store_ != nullptr || is_check_asked_for(places.index);
    if (look && places.has_history()) refresh_index(places, {.when = Refresh::always}, {});
    context_.out.print("forgot {}\n", counted(result.plan.document_count, "document"));
    return ExitCode::ok;
  }

  ExitCode nothing() {
    context_.out.write("nothing to forget\n");
    return ExitCode::no_match;
  }

  const Options& options_;
  Context& context_;
  const Store* store_ = nullptr;
};

}  // namespace

Action declare_forget(OptionTable& table) {
  auto options = std::make_shared<Options>();
  table.group("Forget");
  table.add_value("--query", options->query, "WORDS",
                  "All documents that a search for WORDS finds");
  table.add_flag("--gone", options->gone, "All documents that Cursor no longer has");
  table.add_list(
      "--store", options->filters.stores, "STORE",
      "All that only STORE holds, and read it no more; with --query: only of these stores");
  table.add_flag("--yes", options->yes, "Do not ask");
  table.add_flag("--dry-run", options->dry_run, "Only say what would be removed");
  table.group("Filters");
  table.add_list("-p,--project", options->filters.projects, "PROJECT",
                 "With --query: only these projects");
  table.add_list("--role", options->filters.roles, "ROLE", "With --query: only these roles");
  table.add_value("--since", options->filters.since, "TIME", "With --query: not before TIME");
  table.add_value("--until", options->filters.until, "TIME", "With --query: not after TIME");
  declare_places(table, options->places);
  return [options](Context& context) { return ForgetRun(*options, context).run(); };
}

}  // namespace cgrep
