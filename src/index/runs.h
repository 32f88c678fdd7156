// Runs: immutable Xapian databases of words, each in a folder of its own under words/, with its
// vocabulary beside it. A document's id there is its row in history.db.
//
// Terms: words (words.h) with their count, and the boolean terms of terms.h. No positions, no
// stems, no term lists, no values, no data: what they would answer, the text in history.db does.
// Runs cover ranges of rows that do not overlap.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <xapian.h>

#include "document.h"
#include "index/seal.h"
#include "index/vocabulary.h"

namespace cgrep {

struct Run {
  std::string name{};      // its folder under words/
  std::int64_t first = 0;  // rows
  std::int64_t last = 0;
  std::int64_t documents = 0;
  std::string seal{};  // of its files (seal.h)
};

/// What a run needs of a document.
struct RunDocument {
  std::int64_t row = 0;
  std::int64_t conversation = 0;  // row
  Role role = Role::user;
  std::string tool{};
  std::string text{};
};

/// The vocabulary's file in a run's folder.
inline constexpr const char* kVocabularyFile = "vocabulary";

/// The ways of making a run. All give the same database, term by term.
enum class RunWay : std::uint8_t {
  direct,        // written in Xapian's format by ourselves (glass_writer.h): fast
  add_document,  // by Xapian's own writer: the reference, for a Xapian that cannot read the other
};

/// Makes one run.
class RunMaker {
 public:
  virtual ~RunMaker() = default;

  /// Rows must ascend.
  virtual void add(const RunDocument& document) = 0;

  /// Writes and syncs all of it. What is not finished is litter.
  virtual void finish() = 0;
};

/// Makes the run in `folder`, which must not exist yet. One maker may run per thread.
std::unique_ptr<RunMaker> make_run(const std::filesystem::path& folder,
                                   RunWay way = RunWay::direct);

/// What a probe of the direct way is good for: this Xapian, and our own writer.
std::int64_t direct_runs_version();

/// Whether Xapian reads what a maker of runs wrote: makes a tiny one in `folder`, which must not
/// exist yet, reads it back and removes it.
bool reads_back(const std::filesystem::path& folder,
                const std::function<std::unique_ptr<RunMaker>(const std::filesystem::path&)>& make);

/// Makes one run of several; `sources` are sorted by row. Throws Damaged when one cannot be read.
Run merge_runs(const std::filesystem::path& words, const std::vector<Run>& sources,
               const std::string& name);

/// Which runs to merge now, given all of them sorted by row and how many documents of them are no
/// longer current; neighbours always. Empty: none. `rewrite` is set when the result should be made
/// anew from history.db instead, to be rid of what is no longer current.
struct MergePlan {
  std::vector<Run> runs{};
  bool rewrite = false;
};
MergePlan plan_merge(const std::vector<Run>& runs, std::int64_t dropped);

/// The runs of one snapshot, opened together. Throws Damaged.
class Runs {
 public:
  Runs(const std::filesystem::path& words, const std::vector<Run>& runs,
       SealCheck check = SealCheck::quick);

  /// Runs whose files have other mtimes than their seals say.
  const std::vector<std::string>& to_seal() const { return to_seal_; }

  const Xapian::Database& database() const { return database_; }

  /// The same once more, for another thread.
  Xapian::Database opened_again() const;

  /// Xapian numbers the documents of several databases in turns.
  std::int64_t row_of(Xapian::docid id) const;

  /// Opened when first asked for.
  const std::vector<Vocabulary>& vocabularies() const;

 private:
  std::vector<std::filesystem::path> folders_;
  std::vector<std::string> to_seal_{};
  Xapian::Database database_{};
  mutable std::vector<Vocabulary> vocabularies_{};
};

}  // namespace cgrep
