#include "contract/item_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/value.h"

namespace patra::contract::item_format_test {

ItemRow Item(const std::string& fields) {
  return {.source = "demo",
          .endpoint = "items",
          .id = "10.1/x",
          .updated_at = Instant(std::chrono::seconds(1)),
          .fields = fields};
}

struct CellCase {
  const char* text;
  const char* cell;
};

class CsvCells : public ::testing::TestWithParam<CellCase> {};

TEST_P(CsvCells, AreQuotedWhereRfc4180WantsIt) {
  EXPECT_EQ(CsvCell(GetParam().text), GetParam().cell);
}

INSTANTIATE_TEST_SUITE_P(
    Table, CsvCells,
    ::testing::Values(CellCase{"", ""}, CellCase{"plain", "plain"}, CellCase{"a b", "a b"},
                      CellCase{"a,b", "\"a,b\""}, CellCase{"say \"hi\"", "\"say \"\"hi\"\"\""},
                      CellCase{"two\nlines", "\"two\nlines\""}, CellCase{"cr\rhere", "cr�here"},
                      CellCase{"cr\r\nlf", "\"cr\r\nlf\""}, CellCase{"=1+1", "'=1+1"},
                      CellCase{"=A1,B1", "\"'=A1,B1\""}, CellCase{"-5", "-5"},
                      CellCase{"\x1b[2J", "�[2J"}, CellCase{"日本", "日本"}));

TEST(CsvLine, PutsEachFieldUnderItsName) {
  const auto line = CsvLine(Item(R"({"authors":["A","B"],"ok":true,"title":"t","year":1999})"),
                            {"title", "year", "nothing", "authors", "ok"});
  ASSERT_TRUE(line);
  EXPECT_EQ(*line,
            "demo,items,10.1/x,1970-01-01T00:00:01Z,,,t,1999,,\"[\"\"A\"\",\"\"B\"\"]\",true\r\n");
}

TEST(JsonLine, IsOneCanonicalObject) {
  auto item = Item(R"({"title":"t\n","year":1999})");
  item.deleted_at = Instant(std::chrono::seconds(2));
  item.merged_into = "10.1/y";
  const auto line = JsonLine(item, {});
  ASSERT_TRUE(line);
  EXPECT_EQ(std::ranges::count(*line, '\n'), 1);
  const auto value = ParseJson(*line);
  ASSERT_TRUE(value);
  EXPECT_EQ(*value->Find("deletedAt")->AsString(), "1970-01-01T00:00:02Z");
  EXPECT_EQ(*value->Find("mergedInto")->AsString(), "10.1/y");
  EXPECT_EQ(*value->Find("fields")->Find("title")->AsString(), "t\n");
}

TEST(JsonLine, HasOnlyTheChosenFields) {
  const auto line = JsonLine(Item(R"({"title":"t","year":1999})"), {"year", "nothing"});
  ASSERT_TRUE(line);
  EXPECT_THAT(*line, ::testing::HasSubstr(R"("fields":{"year":1999})"));
}

TEST(ItemFormat, StoredFieldsThatAreNoJsonAreReportedNotWritten) {
  EXPECT_EQ(CsvLine(Item("{"), {"a"}).error().code, ErrorCode::kCorruption);
  EXPECT_EQ(JsonLine(Item("{"), {"a"}).error().code, ErrorCode::kCorruption);
}

}  // namespace patra::contract::item_format_test
