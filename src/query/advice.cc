#include "query/advice.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "extract/stores.h"
#include "index/words.h"
#include "index/xapian_errors.h"
#include "query/planner.h"
#include "query/spelling.h"

namespace cgrep {

namespace {

struct FilterOption {
  std::string_view name{};
  bool (*set)(const Filters&) = nullptr;
  void (*clear)(Filters&) = nullptr;
};

constexpr std::array<FilterOption, 12> kFilters = {{
    {"--project", [](const Filters& f) { return !f.projects.empty(); },
     [](Filters& f) { f.projects = {}; }},
    {"--here", [](const Filters& f) { return f.here.has_value(); },
     [](Filters& f) { f.here.reset(); }},
    {"--role", [](const Filters& f) { return !f.roles.empty(); }, [](Filters& f) { f.roles = {}; }},
    {"--since", [](const Filters& f) { return f.since.has_value(); },
     [](Filters& f) { f.since.reset(); }},
    {"--until", [](const Filters& f) { return f.until.has_value(); },
     [](Filters& f) { f.until.reset(); }},
    {"--conversation", [](const Filters& f) { return !f.conversations.empty(); },
     [](Filters& f) { f.conversations = {}; }},
    {"--model", [](const Filters& f) { return !f.models.empty(); },
     [](Filters& f) { f.models = {}; }},
    {"--tool", [](const Filters& f) { return !f.tools.empty(); }, [](Filters& f) { f.tools = {}; }},
    {"--file", [](const Filters& f) { return !f.files.empty(); }, [](Filters& f) { f.files = {}; }},
    {"--no-subagents", [](const Filters& f) { return !f.subagents; },
     [](Filters& f) { f.subagents = true; }},
    {"--gone", [](const Filters& f) { return f.gone == true; }, [](Filters& f) { f.gone.reset(); }},
    {"--no-gone", [](const Filters& f) { return f.gone == false; },
     [](Filters& f) { f.gone.reset(); }},
}};

/// The words of the query that no document has in any form, with what was probably meant.
class Misspelt {
 public:
  explicit Misspelt(const Runs& runs) : runs_(runs) {}

  /// Puts what was meant into the tree. False when a word has nothing near it.
  bool correct(Query& query) {
    if (query.kind == Query::Kind::not_of || query.kind == Query::Kind::field) return true;
    if (query.kind == Query::Kind::word && !is_known(query)) {
      const auto meant = nearest_word(runs_, fold(query.text));
      if (!meant) return false;
      words_.emplace_back(query.text, *meant);
      query.text = *meant;
      query.cased = false;
      query.forms.clear();
      query.longer.clear();
    }
    return std::all_of(query.children.begin(), query.children.end(),
                       [&](Query& child) { return correct(child); });
  }

  const std::vector<std::pair<std::string, std::string>>& words() const { return words_; }

 private:
  bool is_known(const Query& word) const {
    const auto known = [&](const std::string& form) { return runs_.database().term_exists(form); };
    return word.forms.empty() || !word.longer.empty() ||
           std::any_of(word.forms.begin(), word.forms.end(), known);
  }

  const Runs& runs_;
  std::vector<std::pair<std::string, std::string>> words_{};
};

class Advisor {
 public:
  Advisor(Snapshot& snapshot, const Request& request, const CountFound& count)
      : snapshot_(snapshot), request_(request), count_(count) {}

  std::vector<Advice> advise(bool stores_named) {
    if (!request_.exact && snapshot_.runs) spelling();
    stores_named_ = stores_named;
    filters();
    if (!stores_named) stores();
    system();
    return std::move(advice_);
  }

 private:
  bool add(Advice advice, const Request& request) {
    advice.conversations = count_(request);
    if (advice.conversations == 0) return false;
    advice_.push_back(std::move(advice));
    return true;
  }

  void spelling() {
    auto request = request_;
    translating_xapian_errors([&] {
      Planner(*snapshot_.runs, snapshot_.conditions).plan(request.query);  // finds the forms
      Misspelt misspelt(*snapshot_.runs);
      if (misspelt.correct(request.query) && !misspelt.words().empty())
        add({.kind = Advice::Kind::spelling, .words = misspelt.words()}, request);
    });
  }

  Request unfiltered() const {
    auto request = request_;
    for (const auto& option : kFilters) option.clear(request.filters);
    if (stores_named_) request.filters.stores = {};
    for (auto at = fields_.rbegin(); at != fields_.rend(); ++at) erase_child(request.query, *at);
    return request;
  }

  static void erase_child(Query& query, std::size_t at) {
    if (query.kind != Query::Kind::all_of) {
      query = {};
      return;
    }
    query.children.erase(query.children.begin() + static_cast<std::ptrdiff_t>(at));
  }

  static bool is_field(const Query& query) {
    return query.kind == Query::Kind::field ||
           ((query.kind == Query::Kind::not_of || query.kind == Query::Kind::any_of) &&
            std::all_of(query.children.begin(), query.children.end(), is_field));
  }

  static std::string printed_field(const Query& query) {
    if (query.kind == Query::Kind::not_of) return "NOT " + printed_field(query.children.front());
    if (query.kind == Query::Kind::field) return query.field + ':' + query.text;
    std::string list;
    for (const auto& child : query.children)
      list += list.empty() ? printed_field(child) : ',' + child.text;
    return list;
  }

  void find_fields() {
    if (request_.exact || request_.query.kind != Query::Kind::all_of) return;
    for (std::size_t i = 0; i < request_.query.children.size(); ++i)
      if (is_field(request_.query.children[i])) fields_.push_back(i);
  }

  // Each alone; when none of them did it alone, all together.
  void filters() {
    find_fields();
    std::size_t set = fields_.size() + (stores_named_ ? 1 : 0);
    for (const auto& option : kFilters) set += option.set(request_.filters) ? 1 : 0;
    if (set == 0 || count_(unfiltered()) == 0) return;
    bool any = false;
    for (const auto& option : kFilters) {
      if (!option.set(request_.filters)) continue;
      auto request = request_;
      option.clear(request.filters);
      any =
          add({.kind = Advice::Kind::filter, .subject = std::string(option.name)}, request) || any;
    }
    if (stores_named_) {
      auto request = request_;
      request.filters.stores = {};
      any = add({.kind = Advice::Kind::filter, .subject = "--store"}, request) || any;
    }
    for (const auto at : fields_) {
      auto request = request_;
      erase_child(request.query, at);
      any =
          add({.kind = Advice::Kind::filter, .subject = printed_field(request_.query.children[at])},
              request) ||
          any;
    }
    if (!any) add({.kind = Advice::Kind::filters}, unfiltered());
  }

  void stores() {
    for (const Store* store : snapshot_.history.opted_in()) {
      auto request = request_;
      request.filters.stores = {.wanted = {store}};
      add({.kind = Advice::Kind::store, .subject = std::string(store->name)}, request);
    }
  }

  void system() {
    if (!request_.filters.roles.empty()) return;
    auto request = request_;
    request.filters.roles.wanted = {Role::system};
    add({.kind = Advice::Kind::system}, request);
  }

  Snapshot& snapshot_;
  const Request& request_;
  const CountFound& count_;
  bool stores_named_ = false;
  std::vector<std::size_t> fields_{};  // children of the query
  std::vector<Advice> advice_{};
};

}  // namespace

std::vector<Advice> advise(Snapshot& snapshot, const Request& request, bool stores_named,
                           const CountFound& count) {
  return Advisor(snapshot, request, count).advise(stores_named);
}

}  // namespace cgrep
