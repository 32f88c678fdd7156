// Reading: what the extractor of one source delivers → rows of history.db.
//
// A document that is read for the first time gets a row, the next number of its conversation and a
// copy that says which source holds it. A document that another source already delivered (same
// conversation, role and text, k-th with k-th) only gets another copy. What is delivered again
// keeps its row; what changed gets a new one. What is not delivered again is gone.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "extract/sqlite.h"
#include "extract/store.h"
#include "index/copies.h"
#include "index/frames.h"
#include "index/join.h"
#include "index/kept_out.h"
#include "index/runs.h"
#include "index/text_table.h"

namespace cgrep {

/// What a reading changed.
struct ReadingCounts {
  std::size_t documents = 0;  // added or changed
  std::size_t gone = 0;
  std::size_t problems = 0;
};

/// What a reading needs of the writer it is part of.
class ReadingHost {
 public:
  virtual ~ReadingHost() = default;
  /// Rows are about to change.
  virtual void begin_transaction() = 0;
  virtual std::int64_t next_document_row() = 0;
  virtual void index_words(RunDocument document) = 0;
  /// All rows are consistent, and the reading could be carried on with this mark. `advanced`: it
  /// would then have less to do than this one had.
  virtual void may_commit(std::string_view mark, bool advanced) = 0;
};

/// One source after the other. Not for several threads.
class Reading : public Sink {
 public:
  Reading(Database& database, ReadingHost& host, Unjoined& unjoined, KeptOut& kept_out);

  enum class Start : std::uint8_t {
    fresh,  // nothing of this source is in the index
    again,  // all of it is read, from its start
    on,     // only what is new since the last reading
    part,   // only one conversation, beside any reading of all
  };
  void begin(std::int64_t source, const Store& store, Start start);

  /// Whether texts, and what else is kept of a document, are compared with what is delivered again,
  /// and replaced if they are damaged; else a text with the same hash is the same.
  void check_texts(bool check) {
    check_texts_ = check;
    repaired_.clear();
  }

  /// Everything was delivered.
  ReadingCounts end();

  /// The rest could not be read: what was delivered stays, nothing else is gone.
  ReadingCounts abandon();

  /// The rest is read another time, which goes on from the mark that was given last.
  ReadingCounts leave_off();

  /// The source is no longer there: all that only it had is gone.
  ReadingCounts lose_source(std::int64_t source);

  /// The source is left out from now on; what it had of the conversation and others have not: rows
  /// of documents that are to be removed. May be called while another source is read.
  std::vector<std::int64_t> withdraw(std::int64_t source, std::int64_t conversation);

  /// All texts are in the table. To be called before others look there, and before a commit.
  void flush_texts() { texts_.flush(); }

  /// Equal words of a conversation are paired between its sources, k-th with k-th, also where some
  /// came, moved or were lost since. To be called before conversations are joined.
  void pair_again();

  /// Whether something was delivered that is kept out.
  bool kept_any_out() const { return kept_any_out_; }

  std::int64_t source() const { return source_; }
  const Store& store() const { return *store_; }

  void document(Document&& document) override;
  void claim(Claim claim) override;
  void problem(Problem problem) override;
  void whole(std::string_view subject) override;
  void more(std::string_view conversation) override;
  void vanished(std::string_view key) override;
  std::optional<std::string> noted(std::string_view part) override;
  void note(std::string_view part, std::string_view text) override;
  void forget_note(std::string_view part) override;
  std::vector<std::string> noted_parts() override;
  void so_far(std::string_view mark) override;

 private:
  /// What is known of one conversation.
  struct Part {
    std::int64_t row = 0;
    bool created = false;  // by this reading: no other source has it
    bool whole = false;
    bool held = false;  // the source is known to have it
    bool had = false;   // it had before this reading
    // Of one that was created, what its row does not say yet; see save().
    std::uint32_t next = 1;
    std::uint32_t stores = 0;
    std::optional<std::int64_t> first{};
    std::optional<std::int64_t> last{};
    std::unordered_map<std::int64_t, std::uint32_t> counts{};  // hash → documents so far
    std::unordered_set<std::int64_t> seen{};                   // identities, when whole
  };

  /// What a copy says of its document.
  struct Copy {
    std::int64_t position = 0;
    std::uint32_t flags = 0;
    std::optional<Time> time{};
    friend bool operator==(const Copy&, const Copy&) = default;
  };

  /// A document's row as it stands, for comparing.
  struct Existing {
    std::int64_t row = 0;
    std::int64_t hash = 0;
    std::uint32_t number = 0;
    std::uint32_t stores = 0;
    std::uint32_t flags = 0;
    std::int64_t position = 0;
    Role role = Role::user;
    std::optional<Time> time{};
    bool own = false;  // its only copy is part of its row
    std::int64_t conversation = 0;
    std::optional<Copy> copy{};  // in the source that is read
    friend bool operator==(const Existing&, const Existing&) = default;
  };

  static std::optional<Existing> existing_from(Statement& found, bool copy);
  static Copy copy_from(const Statement& found, int at);
  static void bind_time(Statement& statement, int at, const std::optional<Time>& time);

  std::int64_t hash_of(const Document& document);
  Part& part_of(std::string_view conversation);
  bool has_held(const Part& part);
  void note_sources(const Part& part);
  CopyKey key_of(const Document& document, Part& part, std::int64_t hash);
  std::uint32_t copies_by_text(std::int64_t conversation, std::int64_t hash);
  std::optional<Existing> find_copy(const CopyKey& key, std::int64_t conversation,
                                    std::int64_t hash);
  std::optional<Existing> find_twin(std::int64_t conversation, std::int64_t hash);
  std::int64_t insert(Document document, Part& part, std::int64_t hash,
                      std::optional<std::uint32_t> number, const CopyKey* own);
  void hold(Part& part);
  void add_copy(const CopyKey& key, std::int64_t row, const Document& document, Part& part);
  Copy copy_of(const Document& document) const;
  void touch(const Existing& existing, const Document& document, const CopyKey& key,
             std::int64_t conversation);
  static std::int64_t place_of(const Existing& existing, std::vector<std::int64_t> places);
  struct Said {
    std::uint32_t stores = 0;
    Copy copy{};
  };
  std::vector<Said> said_of(std::int64_t row);
  void settle(const Existing& existing, std::int64_t conversation, const std::vector<Said>& said);
  void touch_conversation(std::int64_t conversation, const Document& document,
                          const std::optional<Time>& time);
  void replace(const Existing& old, const Document& document, Part& part, std::int64_t hash,
               const CopyKey& key);
  void reread(const Existing& existing, const Document& document, Part& part, std::int64_t hash,
              const CopyKey& key);
  void join(const Existing& twin, const Document& document, Part& part, const CopyKey& key);
  void take_over(const Existing& old, const Document& document, Part& part, std::int64_t hash,
                 const CopyKey& key);
  bool says_more(const Document& document, const Existing& existing);
  std::int64_t copies_of(const Existing& existing);
  std::string text_of(std::int64_t row);
  std::size_t text_size(std::int64_t row);
  bool note_repaired(std::int64_t of);
  void repair(const Existing& existing, const Document& document);
  void repair_text(const Existing& existing, const Document& document);
  void drop_row(std::int64_t row);
  void lose_copy(std::int64_t identity, std::int64_t row);
  void pair_again(std::int64_t conversation, std::int64_t hash);
  void note_gone(std::int64_t row);
  std::vector<std::pair<std::int64_t, std::int64_t>> copies_in(std::int64_t conversation);
  void lose_unseen(const Part& part);
  void lose_untold();
  void recall_told(Start start);
  bool is_hidden(std::string_view conversation);
  bool lies_in_project();
  bool is_kept_out(const Document& document, std::int64_t hash);
  bool is_kept_out(Claim& claim);
  void withdraw_claims();
  std::string_view teller_of(const Claim& claim) const;
  bool is_gone(std::string_view conversation);
  void unjoin(std::string_view subject);
  void end_part();
  std::uint32_t take_number(Part& part);
  void tell_conversation(Part& part, const Document& document);
  void save(Part& part);
  void save_parts();
  const Store& store_of(const Document& document) const;
  ReadingCounts close();

  Database& database_;
  ReadingHost& host_;
  Unjoined& unjoined_;
  KeptOut& kept_out_;
  Frames frames_{};
  TextTable texts_;

  std::int64_t source_ = 0;
  const Store* store_ = nullptr;
  bool fresh_ = false;
  bool again_ = false;
  bool check_texts_ = false;
  std::vector<bool> repaired_{};  // rows; none is compared twice
  bool advanced_ = false;         // a part was noted that never was before
  bool skipped_ = false;          // something that is excluded
  bool kept_any_out_ = false;
  std::unordered_set<std::string> told_{};          // conversations, when all is read again
  std::unordered_map<std::string, bool> hidden_{};  // conversations → whether they are kept out
  std::set<std::pair<std::int64_t, std::int64_t>> unpaired_{};  // conversation and hash
  ReadingCounts counts_{};
  std::unordered_map<std::string, Part> parts_{};
  std::string teller_{};                         // whose part of the source is being told
  bool teller_whole_ = false;                    // from its start
  std::unordered_set<std::uint64_t> claimed_{};  // by the teller, when whole
  std::string buffer_{};

  LazyStatement find_conversation_;
  LazyStatement new_conversation_;
  LazyStatement new_document_;
  LazyStatement new_copy_;
  LazyStatement move_copy_;
  LazyStatement copy_by_identity_;
  LazyStatement own_by_identity_;
  LazyStatement own_by_text_;
  LazyStatement new_held_;
  LazyStatement copies_of_document_;
  LazyStatement document_by_row_;
  LazyStatement twin_;
  LazyStatement alike_;
  LazyStatement touch_document_;
  LazyStatement touch_conversation_;
  LazyStatement number_of_conversation_;
  LazyStatement save_conversation_;
  LazyStatement text_size_;
  LazyStatement known_claim_;
  LazyStatement new_claim_;
  LazyStatement new_problem_;
  LazyStatement find_note_;
  LazyStatement new_note_;
};

}  // namespace cgrep
