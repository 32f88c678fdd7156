#include "query/best_documents.h"

#include <algorithm>
#include <future>
#include <string>
#include <system_error>
#include <thread>

namespace cgrep {

namespace {

// Of so many matching documents the postings are worth a thread, which opens the runs once more;
// how many match is asked only where there are so many documents that it may be so.
constexpr Xapian::doccount kWorthAThread = 10'000;
constexpr Xapian::doccount kManyDocuments = 200'000;
constexpr unsigned kMostParts = 4;

/// The rows from `first` to before `end`. It says that there are many, so that Xapian asks it last,
/// and leaps over what is outside.
class Rows : public Xapian::PostingSource {
 public:
  Rows(Xapian::docid first, Xapian::docid end) : first_(first), end_(end) {}

  void init(const Xapian::Database& database) override {
    documents_ = database.get_doccount();
    at_ = 0;
  }
  Xapian::doccount get_termfreq_min() const override { return 0; }
  Xapian::doccount get_termfreq_est() const override { return documents_; }
  Xapian::doccount get_termfreq_max() const override { return documents_; }

  void next(double) override { at_ = std::max(first_, at_ + 1); }
  void skip_to(Xapian::docid row, double) override { at_ = std::max({first_, at_, row}); }
  bool at_end() const override { return at_ >= end_; }
  Xapian::docid get_docid() const override { return at_; }
  PostingSource* clone() const override { return new Rows(first_, end_); }

 private:
  Xapian::docid first_;
  Xapian::docid end_;
  Xapian::docid at_ = 0;
  Xapian::doccount documents_ = 0;
};

struct Found {
  Xapian::docid id = 0;
  double weight = 0;
};

bool better(const Found& a, const Found& b) {
  return a.weight != b.weight ? a.weight > b.weight : a.id < b.id;
}

std::vector<Found> ask(const Xapian::Database& database, const Xapian::Query& query,
                       Xapian::doccount most, const Xapian::MatchDecider* decider) {
  Xapian::Enquire enquire(database);
  enquire.set_query(query);
  const auto matches = enquire.get_mset(0, most, 0, nullptr, decider);
  std::vector<Found> found;
  found.reserve(matches.size());
  for (auto match = matches.begin(); match != matches.end(); ++match)
    found.push_back({*match, match.get_weight()});
  return found;
}

unsigned parts_worth(const Runs& runs, const Xapian::Query& query) {
  if (runs.database().get_doccount() < kManyDocuments) return 1;
  Xapian::Enquire enquire(runs.database());
  enquire.set_query(query);
  const auto matches = enquire.get_mset(0, 0).get_matches_upper_bound();
  const auto worth = std::min<Xapian::doccount>(matches / kWorthAThread, kMostParts);
  if (worth < 2) return 1;
  return std::min<unsigned>(worth, std::max(1u, std::thread::hardware_concurrency()));
}

// Xapian's objects are for one thread each, also what they share: so each part has its own.
std::vector<Found> ask_in_parts(const Runs& runs, const Xapian::Query& query, Xapian::doccount most,
                                const Xapian::MatchDecider* decider, unsigned parts) {
  const auto last = runs.row_of(runs.database().get_lastdocid());
  const auto begin_of = [&](unsigned part) {
    return static_cast<Xapian::docid>(last / parts * part + 1);
  };
  const auto within = [&](const Xapian::Query& own, unsigned part) {
    const auto end = part + 1 < parts ? begin_of(part + 1) : static_cast<Xapian::docid>(last + 1);
    auto* rows = (new Rows(begin_of(part), end))->release();  // Xapian's from now on
    return Xapian::Query(Xapian::Query::OP_FILTER, own, Xapian::Query(rows));
  };
  const std::string as_text = query.serialise();
  std::vector<std::future<std::vector<Found>>> others;
  auto policy = std::launch::async;
  for (unsigned part = 1; part < parts; ++part) {
    const auto work = [&runs, &as_text, &within, most, decider, part] {
      return ask(runs.opened_again(), within(Xapian::Query::unserialise(as_text), part), most,
                 decider);
    };
    try {
      others.push_back(std::async(policy, work));
    } catch (const std::system_error&) {
      policy = std::launch::deferred;  // by this thread, then
      others.push_back(std::async(policy, work));
    }
  }
  auto found = ask(runs.database(), within(query, 0), most, decider);
  for (auto& other : others) {
    const auto more = other.get();
    found.insert(found.end(), more.begin(), more.end());
  }
  std::sort(found.begin(), found.end(), better);
  if (found.size() > most) found.resize(most);
  return found;
}

}  // namespace

std::vector<BestDocument> best_documents(const Runs& runs, const Xapian::Query& query,
                                         Xapian::doccount most, DocumentsAsked asked,
                                         unsigned parts) {
  if (asked.decider != nullptr && !asked.by_many) parts = 1;
  if (parts == 0) parts = parts_worth(runs, query);
  const auto found = parts > 1 ? ask_in_parts(runs, query, most, asked.decider, parts)
                               : ask(runs.database(), query, most, asked.decider);
  std::vector<BestDocument> best;
  best.reserve(found.size());
  for (const auto& each : found) best.push_back({runs.row_of(each.id), each.weight});
  return best;
}

}  // namespace cgrep
