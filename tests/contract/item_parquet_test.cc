#include "contract/item_parquet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/parquet_reader.h"

namespace patra::contract::item_parquet_test {

using ::testing::ElementsAre;
using Others = ItemParquet::Others;

class ItemsAsParquet : public ::testing::Test {
 protected:
  static ItemRow Item(const std::string& id, const std::string& fields) {
    return {.source = "demo",
            .endpoint = "items",
            .id = id,
            .updated_at = Instant(std::chrono::seconds(1)),
            .fields = fields};
  }

  testing::ParquetContent Written(const std::vector<ItemField>& fields,
                                  const std::vector<ItemRow>& items,
                                  Others others = Others::kLeaveOut) {
    std::string bytes;
    ItemParquet table(fields, others, [&](std::string_view piece) -> Result<void> {
      bytes += piece;
      return {};
    });
    for (const auto& item : items) {
      const auto added = table.Add(item);
      EXPECT_TRUE(added) << added.error().Describe();
      EXPECT_FALSE(*added) << (*added)->field;
    }
    EXPECT_TRUE(table.Finish());
    return testing::ReadParquet(bytes);
  }
};

TEST_F(ItemsAsParquet, FieldsAreColumnsOfTheTypeThatTheirDefinitionSays) {
  using enum FieldKind;
  auto gone = Item("b", "{}");
  gone.deleted_at = Instant(std::chrono::seconds(2));
  gone.merged_into = "c";
  const auto read = Written(
      {{"title", kText},
       {"any", kAny},
       {"year", kInteger},
       {"score", kNumber},
       {"open", kBoolean},
       {"seen", kInstant},
       {"issued", kDate},
       {"authors", kList}},
      {Item("a", R"({"any":{"b":[1,"é"]},"authors":["A","B"],"issued":"2026-01-02","open":false,)"
                 R"("score":2,"seen":"1970-01-01T00:00:01.5Z","title":"t \"q\"","year":1999})"),
       gone});
  EXPECT_EQ(read.rows, 2);
  EXPECT_THAT(read["id"].values, ElementsAre("a", "b"));
  EXPECT_THAT(read["updatedAt"].values, ElementsAre("1000000", "1000000"));
  EXPECT_THAT(read["deletedAt"].values, ElementsAre(std::nullopt, "2000000"));
  EXPECT_THAT(read["mergedInto"].values, ElementsAre(std::nullopt, "c"));
  EXPECT_THAT(read["title"].values, ElementsAre("t \"q\"", std::nullopt));
  EXPECT_THAT(read["any"].values, ElementsAre(R"({"b":[1,"é"]})", std::nullopt));
  EXPECT_THAT(read["year"].values, ElementsAre("1999", std::nullopt));
  EXPECT_THAT(read["score"].values, ElementsAre("2", std::nullopt));
  EXPECT_THAT(read["open"].values, ElementsAre("false", std::nullopt));
  EXPECT_THAT(read["seen"].values, ElementsAre("1500000", std::nullopt));
  EXPECT_THAT(read["issued"].values, ElementsAre("20455", std::nullopt));
  EXPECT_THAT(read["authors"].values, ElementsAre(R"(["A","B"])", std::nullopt));
}

struct MisfitCase {
  FieldKind kind;
  const char* value;
};

class Misfits : public ::testing::TestWithParam<MisfitCase> {};

TEST_P(Misfits, AreNamedAndNothingOfTheirRecordIsWritten) {
  std::string bytes;
  ItemParquet table({{"id", FieldKind::kText}, {"x", GetParam().kind}}, Others::kLeaveOut,
                    [&](std::string_view piece) -> Result<void> {
                      bytes += piece;
                      return {};
                    });
  const auto added = table.Add(
      {.id = "10.1/a", .updated_at = {}, .fields = fmt::format(R"({{"x":{}}})", GetParam().value)});
  ASSERT_TRUE(added);
  ASSERT_TRUE(*added);
  EXPECT_EQ((*added)->item, "10.1/a");
  EXPECT_EQ((*added)->field, "x");
  EXPECT_EQ((*added)->value, GetParam().value);
  ASSERT_TRUE(table.Finish());
  EXPECT_EQ(testing::ReadParquet(bytes).rows, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Table, Misfits,
    ::testing::Values(MisfitCase{FieldKind::kInteger, "1.5"},
                      MisfitCase{FieldKind::kInteger, "\"1\""},
                      MisfitCase{FieldKind::kInteger, "100000000000000000000"},
                      MisfitCase{FieldKind::kNumber, "9007199254740993"},
                      MisfitCase{FieldKind::kNumber, "\"n/a\""},
                      MisfitCase{FieldKind::kBoolean, "1"}, MisfitCase{FieldKind::kInstant, "7"},
                      MisfitCase{FieldKind::kInstant, "\"2026\""},
                      MisfitCase{FieldKind::kInstant, "\"2026-01-01T00:00:00+00:00\""},
                      MisfitCase{FieldKind::kDate, "\"2026-01\""},
                      MisfitCase{FieldKind::kDate, "\"2026-02-30\""}));

TEST_F(ItemsAsParquet, WhatNoDefinitionMapsAnyMoreStandsInAColumnOfItsOwn) {
  const auto read = Written(
      {{"title", FieldKind::kText}},
      {Item("a", R"({"old":[1],"title":"t"})"), Item("b", R"({"title":"u"})")}, Others::kKeep);
  EXPECT_THAT(read["otherFields"].values, ElementsAre(R"({"old":[1]})", std::nullopt));
}

TEST_F(ItemsAsParquet, AFieldThatIsCalledLikeAColumnHasAnotherName) {
  const auto read = Written({{"ID", FieldKind::kText}, {"field_ID", FieldKind::kText}},
                            {Item("a", R"({"ID":"mine","field_ID":"other"})")});
  EXPECT_THAT(read["id"].values, ElementsAre("a"));
  EXPECT_THAT(read["field_ID"].values, ElementsAre("mine"));
  EXPECT_THAT(read["field_field_ID"].values, ElementsAre("other"));
}

}  // namespace patra::contract::item_parquet_test
