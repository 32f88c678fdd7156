// The makers of runs, and the probe of the fast one.
#include <exception>
#include <string_view>

#include <fmt/format.h>

#include "extract/tools.h"
#include "index/files.h"
#include "index/glass_writer.h"
#include "index/inverter.h"
#include "index/runs.h"
#include "index/terms.h"
#include "index/words.h"
#include "index/xapian_errors.h"

namespace cgrep {

namespace {

// More at once is slower: Xapian's maps in memory grow.
constexpr unsigned kFlushDocuments = 2000;

/// Calls visit(term, wdf) for each term of the document, once for each time it occurs.
template <typename Visit>
void for_each_term(const RunDocument& document, TermCutter& cutter, Visit&& visit) {
  bool overlong = false;
  cutter.cut(
      document.text, [&](std::string_view term) { visit(term, 1); }, overlong);
  visit(role_term(document.role), 0);
  visit(conversation_term(document.conversation), 0);
  if (overlong) visit(kOverlongTerm, 0);
  if (!document.tool.empty()) {
    visit(tool_term(fold(document.tool)), 0);
    visit(tool_term(fold(normalised_tool(document.tool))), 0);
  }
}

/// The reference: what Xapian's own writer makes of the documents.
class AddDocumentMaker : public RunMaker {
 public:
  explicit AddDocumentMaker(const std::filesystem::path& folder) : folder_(folder) {
    make_private_folder(folder_);
    translating_xapian_errors([&] {
      database_ = Xapian::WritableDatabase(
          folder_.string(), Xapian::DB_CREATE | Xapian::DB_BACKEND_GLASS | Xapian::DB_NO_TERMLIST |
                                Xapian::DB_NO_SYNC);
    });
  }

  void add(const RunDocument& document) override {
    Xapian::Document terms;
    for_each_term(document, cutter_, [&](std::string_view term, Xapian::termcount wdf) {
      terms.add_term(buffer_.assign(term), wdf);
    });
    translating_xapian_errors([&] {
      database_.replace_document(static_cast<Xapian::docid>(document.row), terms);
      if (++unflushed_ >= kFlushDocuments) {
        database_.commit();
        unflushed_ = 0;
      }
    });
  }

  void finish() override {
    translating_xapian_errors([&] {
      database_.commit();
      VocabularyBuilder vocabulary;
      for (auto term = database_.allterms_begin(); term != database_.allterms_end(); ++term)
        if (const auto word = *term; is_word_term(word)) vocabulary.add(word);
      vocabulary.write(folder_ / kVocabularyFile);
      database_.close();
    });
    std::filesystem::remove(folder_ / "flintlock");
    sync_files_of(folder_);
  }

 private:
  std::filesystem::path folder_;
  Xapian::WritableDatabase database_{};
  TermCutter cutter_{};
  std::string buffer_{};
  unsigned unflushed_ = 0;
};

class DirectMaker : public RunMaker {
 public:
  explicit DirectMaker(const std::filesystem::path& folder) : folder_(folder) {
    make_private_folder(folder_);
  }

  void add(const RunDocument& document) override {
    inverter_.begin_document(static_cast<std::uint32_t>(document.row));
    for_each_term(document, cutter_,
                  [&](std::string_view term, std::uint32_t wdf) { inverter_.add(term, wdf); });
  }

  void finish() override {
    GlassWriter writer(folder_);
    VocabularyBuilder vocabulary;
    const auto statistics = inverter_.write(writer, [&](std::string_view term) {
      if (is_word_term(term)) vocabulary.add(term);
    });
    vocabulary.write(folder_ / kVocabularyFile);
    writer.finish(statistics);
    sync_files_of(folder_);
  }

 private:
  std::filesystem::path folder_;
  TermCutter cutter_{};
  Inverter inverter_{};
};

std::string described(const Xapian::Database& database) {
  std::string all = fmt::format("{} {} {}\n", database.get_doccount(), database.get_lastdocid(),
                                database.get_total_length());
  for (auto term = database.allterms_begin(); term != database.allterms_end(); ++term)
    for (auto post = database.postlist_begin(*term); post != database.postlist_end(*term); ++post)
      all += fmt::format("{} {} {} {}\n", *term, *post, post.get_wdf(), post.get_doclength());
  return all;
}

// Two documents far apart, a word twice, one in both, and a term of another kind.
constexpr std::string_view kProbed =
    "2 70000 4\n"
    "C1 3 0 3\nC1 70000 0 1\n"
    "Ruser 3 0 3\nRuser 70000 0 1\n"
    "one 3 1 3\none 70000 1 1\n"
    "two 3 2 3\n";

}  // namespace

std::unique_ptr<RunMaker> make_run(const std::filesystem::path& folder, RunWay way) {
  if (way == RunWay::add_document) return std::make_unique<AddDocumentMaker>(folder);
  return std::make_unique<DirectMaker>(folder);
}

std::int64_t direct_runs_version() {
  constexpr std::int64_t kOurs = 1;
  return ((Xapian::major_version() * 1000 + Xapian::minor_version()) * 1000 + Xapian::revision()) *
             100 +
         kOurs;
}

bool reads_back(
    const std::filesystem::path& folder,
    const std::function<std::unique_ptr<RunMaker>(const std::filesystem::path&)>& make) {
  const auto maker = make(folder);
  maker->add({.row = 3, .conversation = 1, .text = "two one two"});
  maker->add({.row = 70'000, .conversation = 1, .text = "one"});
  maker->finish();
  std::string read;
  try {
    read = described(Xapian::Database(folder.string(), Xapian::DB_BACKEND_GLASS));
  } catch (const Xapian::Error&) {
  } catch (const std::exception&) {  // what it takes for sizes may be anything
  }
  std::filesystem::remove_all(folder);
  return read == kProbed;
}

}  // namespace cgrep
