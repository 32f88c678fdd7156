// The table of fields keeps its own rules.
// SPDX-License-Identifier: MIT
#include "query/fields.h"

#include <gtest/gtest.h>

#include "query/parser.h"

namespace cgrep {
namespace {

TEST(FieldsTest, AreFoundByNameAndAlias) {
  ASSERT_NE(find_field("role"), nullptr);
  EXPECT_EQ(find_field("conv"), find_field("conversation"));
  EXPECT_EQ(find_field("after"), find_field("since"));
  EXPECT_EQ(find_field("before"), find_field("until"));
  EXPECT_EQ(find_field(""), nullptr);
  EXPECT_EQ(find_field("Role"), nullptr);
  EXPECT_EQ(find_field("colour"), nullptr);
}

TEST(FieldsTest, EveryExampleIsParsedAsItsField) {
  for (const Field& field : fields()) {
    const Query query = parse_query(field.example).query;
    EXPECT_EQ(query.kind, Query::Kind::field) << field.example;
    EXPECT_EQ(query.field, field.name);
    EXPECT_FALSE(field.help.empty());
  }
}

}  // namespace
}  // namespace cgrep
