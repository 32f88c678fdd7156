#include "index/runs.h"

#include <algorithm>
#include <future>

#include "index/files.h"
#include "index/xapian_errors.h"

namespace cgrep {

namespace {

// A run that is rewritten too often costs more than what it saves; below this the tiers do.
constexpr std::int64_t kBigRun = 10'000;
constexpr std::int64_t kFewDropped = 100;
constexpr std::size_t kRunsPerTier = 8;

std::size_t tier_of(const Run& run) {
  std::size_t tier = 0;
  for (auto size = run.documents; size >= static_cast<std::int64_t>(kRunsPerTier);
       size /= static_cast<std::int64_t>(kRunsPerTier))
    ++tier;
  return tier;
}

Xapian::Database open_run(const std::filesystem::path& folder) {
  return Xapian::Database(folder.string(), Xapian::DB_BACKEND_GLASS);
}

}  // namespace

Run merge_runs(const std::filesystem::path& words, const std::vector<Run>& sources,
               const std::string& name) {
  const auto folder = words / name;
  make_private_folder(folder);
  Run merged{.name = name, .first = sources.front().first, .last = sources.back().last};
  for (const auto& source : sources) merged.documents += source.documents;

  const Runs opened(words, sources, SealCheck::thorough);
  std::vector<const Vocabulary*> vocabularies;
  for (const auto& vocabulary : opened.vocabularies()) vocabularies.push_back(&vocabulary);
  // Large ones beside the postings: nobody else has anything to do at the end of a first index.
  auto words_merged =
      std::async(merged.documents < kBigRun ? std::launch::deferred : std::launch::async,
                 [&] { Vocabulary::merge(folder / kVocabularyFile, vocabularies); });
  translating_xapian_errors([&] {
    Xapian::Database(opened.database()).compact(folder.string(), Xapian::DBCOMPACT_NO_RENUMBER);
  });
  words_merged.get();
  sync_files_of(folder);

  merged.seal = seal_of(folder);
  return merged;
}

MergePlan plan_merge(const std::vector<Run>& runs, std::int64_t dropped) {
  if (runs.empty()) return {};
  std::int64_t all = 0;
  for (const auto& run : runs) all += run.documents;
  const auto biggest = std::max_element(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
    return a.documents < b.documents;
  });
  if (dropped > std::max(kFewDropped, all / 10)) return {.runs = runs, .rewrite = true};
  if (biggest->documents >= kBigRun && (all - biggest->documents) * 10 > biggest->documents)
    return {.runs = runs};

  const std::size_t highest = tier_of(*biggest);
  for (std::size_t tier = 0; tier <= highest; ++tier) {
    const auto bigger = std::find_if(runs.rbegin(), runs.rend(),
                                     [&](const Run& run) { return tier_of(run) > tier; });
    const std::vector<Run> youngest(bigger.base(), runs.end());
    const auto of_tier = std::count_if(youngest.begin(), youngest.end(),
                                       [&](const Run& run) { return tier_of(run) == tier; });
    if (static_cast<std::size_t>(of_tier) >= kRunsPerTier) return {.runs = youngest};
  }
  return {};
}

Runs::Runs(const std::filesystem::path& words, const std::vector<Run>& runs, SealCheck check) {
  translating_xapian_errors([&] {
    for (const auto& run : runs) {
      folders_.push_back(words / run.name);
      if (!check_seal(folders_.back(), run.seal, check)) to_seal_.push_back(run.name);
      database_.add_database(open_run(folders_.back()));
    }
  });
}

Xapian::Database Runs::opened_again() const {
  Xapian::Database database;
  for (const auto& folder : folders_) database.add_database(open_run(folder));
  return database;
}

std::int64_t Runs::row_of(Xapian::docid id) const {
  return (static_cast<std::int64_t>(id) - 1) / static_cast<std::int64_t>(folders_.size()) + 1;
}

const std::vector<Vocabulary>& Runs::vocabularies() const {
  if (vocabularies_.empty())
    for (const auto& folder : folders_) vocabularies_.emplace_back(folder / kVocabularyFile);
  return vocabularies_;
}

}  // namespace cgrep
