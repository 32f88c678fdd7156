// Runs that are written directly are those that Xapian's own writer makes: the same terms,
// postings, lengths and statistics, before and after they are merged, and the same answers.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <xapian.h>

#include "corpus/make_home.h"
#include "error.h"
#include "extract/folders.h"
#include "extract/printed.h"
#include "extract/roots.h"
#include "extract/stores.h"
#include "index/glass_writer.h"
#include "index/inverter.h"
#include "index/runs.h"
#include "index/terms.h"
#include "support/sanitizers.h"
#include "support/temp_dir.h"

namespace cgrep::test {
namespace {

namespace fs = std::filesystem;

std::string statistics_of(const Xapian::Database& database) {
  return fmt::format("documents {} last {} lengths {} {} {} {} wdf {} positions {}",
                     database.get_doccount(), database.get_lastdocid(), database.get_total_length(),
                     database.get_avlength(), database.get_doclength_lower_bound(),
                     database.get_doclength_upper_bound(), database.get_wdf_upper_bound(""),
                     database.has_positions());
}

std::string statistics_of(const Xapian::Database& database, const std::string& term) {
  return fmt::format("{} documents {} collection {} wdf {}", term, database.get_termfreq(term),
                     database.get_collection_freq(term), database.get_wdf_upper_bound(term));
}

/// The first difference of two lists of postings; "" lists all documents with their lengths.
std::string difference(const Xapian::Database& a, const Xapian::Database& b,
                       const std::string& term) {
  auto left = a.postlist_begin(term);
  auto right = b.postlist_begin(term);
  for (; left != a.postlist_end(term); ++left, ++right) {
    if (right == b.postlist_end(term)) return fmt::format("{}: {} is missing", term, *left);
    if (*left != *right || left.get_wdf() != right.get_wdf() ||
        left.get_doclength() != right.get_doclength())
      return fmt::format("{}: {} {} {} and {} {} {}", term, *left, left.get_wdf(),
                         left.get_doclength(), *right, right.get_wdf(), right.get_doclength());
  }
  return right == b.postlist_end(term) ? "" : fmt::format("{}: {} is too much", term, *right);
}

/// The first difference of two databases, or nothing.
std::string difference(const Xapian::Database& a, const Xapian::Database& b) {
  if (statistics_of(a) != statistics_of(b)) return statistics_of(a) + " and " + statistics_of(b);
  if (auto lengths = difference(a, b, ""); !lengths.empty()) return lengths;
  auto left = a.allterms_begin();
  auto right = b.allterms_begin();
  for (; left != a.allterms_end() && right != b.allterms_end(); ++left, ++right) {
    if (statistics_of(a, *left) != statistics_of(b, *right))
      return statistics_of(a, *left) + " and " + statistics_of(b, *right);
    if (auto postings = difference(a, b, *left); !postings.empty()) return postings;
  }
  if (left != a.allterms_end()) return fmt::format("{} is missing", *left);
  return right == b.allterms_end() ? "" : fmt::format("{} is too much", *right);
}

Xapian::Database opened(const fs::path& path) {
  return Xapian::Database(path.string(), Xapian::DB_BACKEND_GLASS);
}

std::size_t errors_in(const fs::path& path) {
  return Xapian::Database::check(path.string(), 0, nullptr);
}

void expect_same(const fs::path& direct, const fs::path& reference) {
  EXPECT_EQ(errors_in(direct), 0u);
  EXPECT_EQ(difference(opened(direct), opened(reference)), "");
}

// ---------------------------------------------------------------- terms, as Xapian takes them

struct Terms {
  std::uint32_t document = 0;
  std::map<std::string, std::uint32_t> wdfs{};
};

void write_directly(const fs::path& folder, const std::vector<Terms>& documents) {
  fs::create_directory(folder);
  Inverter inverter;
  for (const auto& terms : documents) {
    inverter.begin_document(terms.document);
    for (const auto& [term, wdf] : terms.wdfs) inverter.add(term, wdf);
  }
  GlassWriter writer(folder);
  writer.finish(inverter.write(writer, [](std::string_view) {}));
}

void write_by_xapian(const fs::path& folder, const std::vector<Terms>& documents) {
  Xapian::WritableDatabase database(
      folder.string(), Xapian::DB_CREATE | Xapian::DB_BACKEND_GLASS | Xapian::DB_NO_TERMLIST);
  for (const auto& terms : documents) {
    Xapian::Document document;
    for (const auto& [term, wdf] : terms.wdfs) document.add_term(term, wdf);
    database.replace_document(terms.document, document);
  }
  database.commit();
}

void compare(const std::vector<Terms>& documents) {
  const TempDir dir;
  write_directly(dir.path() / "direct", documents);
  write_by_xapian(dir.path() / "reference", documents);
  expect_same(dir.path() / "direct", dir.path() / "reference");
}

constexpr std::uint32_t kLastDocument = 0xffffffff;

TEST(GlassWriterTest, WritesOneDocumentWithOneTerm) {
  compare({{1, {{"a", 1}}}});
  compare({{77, {{"a", 0}}}});
}

TEST(GlassWriterTest, WritesDocumentsWithoutTerms) {
  compare({{5, {}}});
  compare({{1, {}}, {2, {{"a", 3}}}, {4, {}}});
  compare({{1, {{"a", 3}}}, {2, {}}, {3, {{"b", 2}}}});
}

TEST(GlassWriterTest, WritesTermsOfTheGreatestLength) {
  std::vector<Terms> documents;
  for (std::uint32_t document = 1; document < 200; ++document)
    documents.push_back({document,
                         {{std::string(245, 'x'), 2},
                          {std::string(241, 'y') + std::to_string(1000 + document), 1}}});
  compare(documents);
}

TEST(GlassWriterTest, RefusesLongerTerms) {
  const TempDir dir;
  EXPECT_THROW(write_directly(dir.path() / "a", {{1, {{std::string(246, 'x'), 1}}}}), Error);
}

TEST(GlassWriterTest, WritesTermsWithAllBytes) {
  Terms terms{.document = 9};
  for (int byte = 0; byte < 256; ++byte) {
    terms.wdfs[std::string(1, static_cast<char>(byte))] = 1;
    terms.wdfs[std::string("a") + static_cast<char>(byte)] = 2;
    terms.wdfs[std::string("a\0", 2) + static_cast<char>(byte)] = 3;
  }
  Terms later = terms;
  later.document = 0x12345;
  compare({terms, later});
}

TEST(GlassWriterTest, WritesTermsWithZeroBytesInSeveralChunks) {
  std::vector<Terms> documents;
  for (std::uint32_t document = 1; document < 3000; ++document)
    documents.push_back(
        {document * 70'001,
         {{std::string("a\0", 2), 1}, {std::string("a\0b", 3), document}, {"a", 1}}});
  compare(documents);
}

TEST(GlassWriterTest, WritesGreatWdfs) {
  compare({{1, {{"a", 0x7fffffff}}}, {2, {{"a", 1}, {"b", 0x70000000}}}, {3, {{"a", 128}}}});
}

TEST(GlassWriterTest, WritesDocumentsFarApart) {
  compare({{1, {{"a", 1}}}, {0x80000001, {{"a", 2}, {"b", 1}}}, {kLastDocument, {{"a", 3}}}});
  compare({{kLastDocument, {{"a", 1}}}});
}

// Where the number of a chunk's first document takes another byte.
TEST(GlassWriterTest, WritesChunksAtAllSizesOfDocumentNumbers) {
  for (const std::uint32_t around : {0x8000u, 1u << 22, 1u << 29}) {
    std::vector<Terms> documents;
    for (std::uint32_t document = around - 3000; document < around + 3000; ++document)
      documents.push_back({document, {{"a", 1}, {"b", document % 300}}});
    compare(documents);
  }
}

TEST(GlassWriterTest, WritesSeveralLevelsOfBlocks) {
  std::vector<Terms> documents;
  for (std::uint32_t document = 1; document <= 300; ++document) {
    Terms terms{.document = document * 3};
    for (int i = 0; i < 100; ++i)  // long common beginnings: few keys fit in a branch
      terms.wdfs[std::string(230, 'k') +
                 std::to_string(document * 1000 + static_cast<unsigned>(i))] = 1;
    documents.push_back(terms);
  }
  compare(documents);
}

std::vector<Terms> random_documents(std::uint32_t seed, std::size_t count) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  std::vector<Terms> documents;
  std::uint32_t document = below(1u << (1 + seed % 31));
  for (std::size_t i = 0; i < count; ++i) {
    document += 1 + (below(10) == 0 ? below(1u << below(16)) : 0);
    Terms terms{.document = document};
    for (std::uint32_t left = below(1u << below(9)); left > 0; --left) {
      const auto rank = below(1u << (1 + below(16)));
      terms.wdfs["w" + std::to_string(rank * 2654435761u % 100'000)] +=
          below(30) == 0 ? below(500) : 1;
    }
    documents.push_back(terms);
  }
  return documents;
}

TEST(GlassWriterTest, WritesThousandsOfRandomDocuments) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    compare(random_documents(seed, 20 + seed * 20));
  }
  compare(random_documents(1000, 5000));
}

void compact(const fs::path& folder, const std::vector<fs::path>& sources) {
  Xapian::Database all;
  for (const auto& source : sources) all.add_database(opened(source));
  all.compact(folder.string(), Xapian::DBCOMPACT_NO_RENUMBER);
}

TEST(GlassWriterTest, IsMergedByXapianLikeItsOwn) {
  const TempDir dir;
  const auto in = [&](const std::string& name) { return dir.path() / name; };
  const auto all = random_documents(7, 4000);
  std::vector<fs::path> direct;
  std::vector<fs::path> reference;
  for (std::size_t at = 0, part = 1; at < all.size(); at += part, part *= 3) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min(part, all.size() - at));
    direct.push_back(in("direct" + std::to_string(part)));
    reference.push_back(in("reference" + std::to_string(part)));
    write_directly(direct.back(), {begin, end});
    write_by_xapian(reference.back(), {begin, end});
  }
  compact(in("direct"), direct);
  compact(in("reference"), reference);
  expect_same(in("direct"), in("reference"));
  write_by_xapian(in("whole"), all);
  expect_same(in("direct"), in("whole"));
  auto mixed = direct;
  mixed.back() = reference.back();
  compact(in("mixed"), mixed);
  expect_same(in("mixed"), in("whole"));
  compact(in("again"), {in("direct")});
  expect_same(in("again"), in("whole"));
}

std::string answer(const Xapian::Database& database, const Xapian::Query& query) {
  Xapian::Enquire enquire(database);
  enquire.set_query(query);
  std::string lines;
  const auto hits = enquire.get_mset(0, 50);
  for (auto hit = hits.begin(); hit != hits.end(); ++hit)
    lines += fmt::format("{} {}\n", *hit, hit.get_weight());
  return lines;
}

TEST(GlassWriterTest, AnswersQueriesAlike) {
  const TempDir dir;
  const auto documents = random_documents(3, 3000);
  write_directly(dir.path() / "direct", documents);
  write_by_xapian(dir.path() / "reference", documents);
  const auto direct = opened(dir.path() / "direct");
  const auto reference = opened(dir.path() / "reference");
  std::mt19937 random(5);
  std::vector<std::string> words;
  for (auto term = reference.allterms_begin(); term != reference.allterms_end(); ++term)
    if (random() % 40 == 0) words.push_back(*term);
  for (const auto& word : words)
    for (const auto& other : {words.front(), words[words.size() / 2]})
      for (const auto op : {Xapian::Query::OP_AND, Xapian::Query::OP_OR, Xapian::Query::OP_AND_NOT,
                            Xapian::Query::OP_SYNONYM}) {
        const Xapian::Query query(op, Xapian::Query(word), Xapian::Query(other));
        ASSERT_EQ(answer(direct, query), answer(reference, query)) << query.get_description();
      }
}

// ---------------------------------------------------------------- runs

class DocumentSink : public PrintingSink {
 public:
  explicit DocumentSink(std::vector<RunDocument>& documents) : documents_(documents) {}
  void document(Document&& document) override {
    const auto row = static_cast<std::int64_t>(documents_.size()) * 2 + 11;
    documents_.push_back({.row = row,
                          .conversation = row % 13,
                          .role = document.role,
                          .tool = document.tool,
                          .text = document.text});
  }

 private:
  std::vector<RunDocument>& documents_;
};

void extract_all(const fs::path& home, std::vector<RunDocument>& documents) {
  const auto roots = find_roots([](const char*) { return std::nullopt; }, home);
  for (const Store* store : all_stores()) {
    if (store->discover == nullptr || !store->readable()) continue;
    std::vector<Source> sources;
    Folders folders;
    store->discover(roots, folders, sources);
    DocumentSink sink(documents);
    for (const Source& source : sources) {
      try {
        store->extract(source, sink);
      } catch (const Unreadable&) {
      }
    }
  }
}

std::vector<RunDocument> documents_of_corpus() {
  std::vector<RunDocument> documents;
  for (const auto& entry : fs::recursive_directory_iterator(CGREP_CORPUS)) {
    if (!entry.is_directory() || entry.path().filename() != "home") continue;
    const TempDir made;
    corpus::make_home(entry.path(), made.path() / "home");
    extract_all(made.path() / "home", documents);
  }
  return documents;
}

void make(const fs::path& folder, RunWay way, const std::vector<RunDocument>& documents) {
  const auto maker = make_run(folder, way);
  for (const auto& document : documents) maker->add(document);
  maker->finish();
}

TEST(RunMakersTest, MakeTheSameRunOfTheWholeCorpus) {
  const auto documents = documents_of_corpus();
  ASSERT_GT(documents.size(), 200u);
  const TempDir dir;
  make(dir.path() / "direct", RunWay::direct, documents);
  make(dir.path() / "reference", RunWay::add_document, documents);
  expect_same(dir.path() / "direct", dir.path() / "reference");
  EXPECT_EQ(read_file(dir.path() / "direct" / kVocabularyFile),
            read_file(dir.path() / "reference" / kVocabularyFile));
}

TEST(RunMakersTest, TakeAnyNameOfATool) {
  const TempDir dir;
  const std::vector<RunDocument> documents = {
      {.row = 1, .tool = std::string(300, '\0'), .text = "a"},
      {.row = 2, .tool = std::string("Read\0File", 9), .text = "b"},
      {.row = 3, .tool = std::string(5000, 'x'), .text = "c"}};
  make(dir.path() / "direct", RunWay::direct, documents);
  make(dir.path() / "reference", RunWay::add_document, documents);
  expect_same(dir.path() / "direct", dir.path() / "reference");
}

TEST(RunMakersTest, WriteLittleForOneMessage) {
  const TempDir dir;
  make(dir.path() / "run", RunWay::direct, {{.row = 1'000'000, .text = "the auth bug"}});
  std::uintmax_t bytes = 0;
  for (const auto& file : fs::directory_iterator(dir.path() / "run")) bytes += file.file_size();
  EXPECT_LT(bytes, 10'000u);
}

TEST(RunMakersTest, AreReadBack) {
  const TempDir dir;
  for (const auto way : {RunWay::direct, RunWay::add_document})
    EXPECT_TRUE(reads_back(dir.path() / "probe",
                           [&](const fs::path& folder) { return make_run(folder, way); }));
  EXPECT_TRUE(fs::is_empty(dir.path()));
}

/// Makes runs that a Xapian to come may not understand, or may understand otherwise.
class Spoiling : public RunMaker {
 public:
  Spoiling(const fs::path& folder, const char* file, std::size_t byte)
      : folder_(folder), file_(file), byte_(byte), maker_(make_run(folder)) {}
  void add(const RunDocument& document) override { maker_->add(document); }
  void finish() override {
    maker_->finish();
    auto bytes = read_file(folder_ / file_);
    bytes.at(byte_) ^= 1;
    std::ofstream(folder_ / file_, std::ios::binary) << bytes;
  }

 private:
  fs::path folder_;
  const char* file_;
  std::size_t byte_;
  std::unique_ptr<RunMaker> maker_;
};

TEST(RunMakersTest, AreNotReadBackWhenXapianSeesAnotherThing) {
  if (kAddressSanitizer) GTEST_SKIP() << "Xapian reads beyond a spoilt block";
  const TempDir dir;
  const std::pair<const char*, std::size_t> spoilt[] = {
      {"iamglass", 15},          // number of the format
      {"iamglass", 33},          // root
      {"postlist.glass", 8191},  // a tag
  };
  for (const auto& [file, byte] : spoilt) {
    SCOPED_TRACE(fmt::format("{} {}", file, byte));
    const auto spoil = [file = file, byte = byte](const fs::path& folder) {
      return std::make_unique<Spoiling>(folder, file, byte);
    };
    EXPECT_FALSE(reads_back(dir.path() / "probe", spoil));
    EXPECT_TRUE(fs::is_empty(dir.path()));
  }
}

}  // namespace
}  // namespace cgrep::test
