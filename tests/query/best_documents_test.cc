// However many cores look for them, the best documents are the same.
#include "query/best_documents.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace cgrep {
namespace {

std::string random_text(std::mt19937& random) {
  std::string text;
  const auto words = 1 + random() % 40;
  for (std::size_t i = 0; i < words; ++i) {
    text += "w";
    text += std::to_string(random() % (1 + random() % 30));
    text += ' ';
  }
  return text;
}

class BestDocumentsTest : public testing::Test {
 protected:
  BestDocumentsTest() {
    std::mt19937 random(7);
    std::vector<cgrep::Run> runs;
    std::int64_t row = 0;
    for (const int documents : {700, 50, 3}) {
      const auto name = "run-" + std::to_string(runs.size() + 1);
      const auto maker = make_run(folder_.path() / name);
      runs.push_back({.name = name, .first = row + 1, .documents = documents});
      for (int i = 0; i < documents; ++i) maker->add({.row = ++row, .text = random_text(random)});
      maker->finish();
      runs.back().last = row;
      runs.back().seal = seal_of(folder_.path() / name);
    }
    runs_.emplace(folder_.path(), runs);
  }

  std::vector<std::pair<std::int64_t, double>> best(const Xapian::Query& query,
                                                    Xapian::doccount most, unsigned parts,
                                                    DocumentsAsked asked = {}) const {
    std::vector<std::pair<std::int64_t, double>> rows;
    for (const auto& [row, weight] : best_documents(*runs_, query, most, asked, parts))
      rows.emplace_back(row, weight);
    return rows;
  }

  test::TempDir folder_{};
  std::optional<Runs> runs_{};
};

TEST_F(BestDocumentsTest, PartsFindTheSameInTheSameOrder) {
  using Xapian::Query;
  const Query several[] = {Query("w1"),
                           Query("w29"),
                           Query("absent"),
                           Query(Query::OP_AND, Query("w0"), Query("w2")),
                           Query(Query::OP_OR, Query("w3"), Query("w17")),
                           Query(Query::OP_AND_NOT, Query("w4"), Query("w5")),
                           Query(Query::OP_SYNONYM, Query("w6"), Query("w7")),
                           Query(Query::OP_WILDCARD, "w1")};
  for (const auto& query : several)
    for (const Xapian::doccount most : {1u, 20u, 1000u})
      for (const unsigned parts : {2u, 3u, 4u})
        EXPECT_EQ(best(query, most, parts), best(query, most, 1))
            << query.get_description() << ", best " << most << " of " << parts << " parts";
  EXPECT_GT(best(several[3], 1000, 4).size(), 100u);
}

TEST_F(BestDocumentsTest, WhoIsAskedIsAskedOfEveryPart) {
  class Even : public Xapian::MatchDecider {
    bool operator()(const Xapian::Document& document) const override {
      return document.get_docid() % 2 == 0;
    }
  };
  const Even even;
  const auto found = best(Xapian::Query("w1"), 1000, 3, {.decider = &even, .by_many = true});
  EXPECT_EQ(found, best(Xapian::Query("w1"), 1000, 1, {.decider = &even}));
  ASSERT_FALSE(found.empty());
  for (const auto& [row, weight] : found) EXPECT_EQ(row % 2, 0);
}

}  // namespace
}  // namespace cgrep
