#include "base/parquet_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/parquet_reader.h"

namespace patra::parquet_writer_test {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::Optional;
using testing::ReadParquet;

const auto kNothing = ::testing::Eq(std::nullopt);

class ParquetFile {
 public:
  explicit ParquetFile(std::vector<ParquetColumn> columns, const ParquetBounds& bounds = {})
      : writer(
            std::move(columns),
            [this](std::string_view piece) -> Result<void> {
              bytes += piece;
              largest = std::max(largest, piece.size());
              return {};
            },
            bounds) {}

  testing::ParquetContent Read() {
    EXPECT_TRUE(writer.Finish());
    return ReadParquet(bytes);
  }

  std::string bytes;
  std::size_t largest = 0;
  ParquetWriter writer;
};

TEST(ParquetWriter, EveryTypeComesBackWithItsNameAndItsMeaning) {
  using enum ParquetType;
  ParquetFile file({{"id", kText, true},
                    {"json", kJson},
                    {"whole", kInteger},
                    {"number", kNumber},
                    {"flag", kBoolean},
                    {"moment", kTimestamp},
                    {"day", kDate}});
  file.writer.Text(0, "日本 \U0001F600");
  file.writer.Text(1, R"({"a":[1]})");
  file.writer.Integer(2, std::numeric_limits<std::int64_t>::min());
  file.writer.Number(3, 0.1);
  file.writer.Boolean(4, true);
  file.writer.Timestamp(5, *ParseRfc3339("1969-12-31T23:59:59.999999Z"));
  file.writer.Date(6, std::chrono::sys_days{std::chrono::year{2026} / 1 / 2});
  ASSERT_TRUE(file.writer.EndRow());
  const auto read = file.Read();
  EXPECT_EQ(read.rows, 1);
  EXPECT_THAT(read["id"].values, ElementsAre("日本 \U0001F600"));
  EXPECT_THAT(read["json"].values, ElementsAre(R"({"a":[1]})"));
  EXPECT_THAT(read["whole"].values, ElementsAre("-9223372036854775808"));
  EXPECT_THAT(read["number"].values, ElementsAre("0.1"));
  EXPECT_THAT(read["flag"].values, ElementsAre("true"));
  EXPECT_THAT(read["moment"].values, ElementsAre("-1"));
  EXPECT_THAT(read["day"].values, ElementsAre("20455"));
  EXPECT_FALSE(read["id"].is_optional);
  EXPECT_TRUE(read["json"].is_optional);
  const auto meaning = [&](const char* name) {
    return std::tuple(read[name].converted, read[name].logical);
  };
  EXPECT_EQ(meaning("id"), std::tuple(0, 1));
  EXPECT_EQ(meaning("json"), std::tuple(19, 12));
  EXPECT_EQ(meaning("whole"), std::tuple(-1, 0));
  EXPECT_EQ(meaning("moment"), std::tuple(10, 8));
  EXPECT_EQ(meaning("day"), std::tuple(6, 6));
}

TEST(ParquetWriter, AFileWithoutRowsHasItsColumnsAllTheSame) {
  ParquetFile file({{"id", ParquetType::kText, true}, {"n", ParquetType::kInteger}});
  const auto read = file.Read();
  EXPECT_EQ(read.rows, 0);
  EXPECT_TRUE(read.groups.empty());
  EXPECT_EQ(read.columns.size(), 2u);
}

TEST(ParquetWriter, NothingIsNothingWhereverItStands) {
  using enum ParquetType;
  ParquetFile file({{"never", kText}, {"sometimes", kInteger}, {"flags", kBoolean}});
  for (int i = 0; i < 100; ++i) {
    file.writer.Nothing(0);
    i % 3 == 0 ? file.writer.Nothing(1) : file.writer.Integer(1, i);
    i % 7 == 0 ? file.writer.Nothing(2) : file.writer.Boolean(2, i % 2 == 0);
    ASSERT_TRUE(file.writer.EndRow());
  }
  const auto read = file.Read();
  EXPECT_THAT(read["never"].values, Each(kNothing));
  EXPECT_EQ(read["never"].nothings, 100);
  ASSERT_EQ(read["sometimes"].values.size(), 100u);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(read["sometimes"].values[i],
              i % 3 == 0 ? std::nullopt : std::optional(fmt::to_string(i)));
    EXPECT_EQ(
        read["flags"].values[i],
        i % 7 == 0 ? std::nullopt : std::optional<std::string>(i % 2 == 0 ? "true" : "false"));
  }
}

TEST(ParquetWriter, GroupsEndByRowsAndByBytesAndPagesByBytes) {
  const auto rows_of = [](const ParquetBounds& bounds) {
    ParquetFile file({{"id", ParquetType::kInteger, true}, {"text", ParquetType::kText}}, bounds);
    for (int i = 0; i < 1'000; ++i) {
      file.writer.Integer(0, i);
      file.writer.Text(1, std::string(100, static_cast<char>('a' + i % 26)));
      EXPECT_TRUE(file.writer.EndRow());
    }
    auto read = file.Read();
    for (std::size_t i = 0; i < 1'000; ++i) EXPECT_EQ(read["id"].values.at(i), fmt::to_string(i));
    return read;
  };
  EXPECT_THAT(rows_of({.group_rows_max = 400}).groups, ElementsAre(400, 400, 200));
  EXPECT_GT(rows_of({.group_bytes_max = 20'000}).groups.size(), 4u);
  const auto pages = rows_of({.page_bytes_max = 5'000});
  EXPECT_EQ(pages.groups.size(), 1u);
  EXPECT_GT(pages["text"].pages, 10);
}

TEST(ParquetWriter, MoreColumnsThanAShortListHoldsAndFieldsFarApartAreRead) {
  std::vector<ParquetColumn> columns;
  for (int i = 0; i < 40; ++i) columns.push_back({fmt::format("c{}", i), ParquetType::kInteger});
  ParquetFile file(columns, {.group_rows_max = 1});
  for (int row = 0; row < 20; ++row) {
    for (std::size_t i = 0; i < 40; ++i) file.writer.Integer(i, row * 100 + static_cast<int>(i));
    ASSERT_TRUE(file.writer.EndRow());
  }
  const auto read = file.Read();
  EXPECT_EQ(read.groups.size(), 20u);
  EXPECT_EQ(read["c39"].values.at(19), "1939");
}

TEST(ParquetWriter, WhatTheSinkCannotTakeIsAnError) {
  ParquetWriter writer(
      {{"n", ParquetType::kInteger}},
      [](std::string_view) -> Result<void> { return Fail(ErrorCode::kUnavailable, "full"); },
      {.group_rows_max = 2});
  writer.Integer(0, 1);
  EXPECT_TRUE(writer.EndRow()) << "nothing is written yet";
  writer.Integer(0, 2);
  EXPECT_FALSE(writer.EndRow());
}

}  // namespace patra::parquet_writer_test
