// What fits on a terminal, and what is left as it is elsewhere.
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapter/cli/columns.h"
#include "adapter/cli/live_line.h"
#include "adapter/cli/progress_bar.h"
#include "adapter/cli/table.h"
#include "app/api/operation_report.h"

namespace patra::adapter::cli::terminal_test {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Columns, AreNotBytes) {
  EXPECT_EQ(ColumnsOf("abc"), 3U);
  EXPECT_EQ(ColumnsOf("äö"), 2U);
  EXPECT_EQ(ColumnsOf("論文"), 4U);
  EXPECT_EQ(ColumnsOf("e\u0301"), 1U);
  EXPECT_EQ(FirstColumns("abcdef", 6), "abcdef");
  EXPECT_EQ(FirstColumns("abcdef", 5), "abcd…");
  EXPECT_EQ(FirstColumns("論文論文", 5), "論文…");
  EXPECT_EQ(FirstColumns("論文論文", 4), "論…");
  EXPECT_EQ(FirstColumns("abc", 0), "");
}

class Terminal : public ::testing::Test {
 protected:
  Console Of(std::size_t columns) {
    columns_ = columns;
    return {.out = out_,
            .err = err_,
            .in = in_,
            .out_is_terminal = columns > 0,
            .err_is_terminal = columns > 0,
            .out_columns = [this] { return columns_; },
            .err_columns = [this] { return columns_; }};
  }

  static Table Wide() {
    Table table({"id", "source", "records", "reason"});
    table.Add({"17", "crossref/works", "1,200", std::string(60, 'x')});
    return table;
  }

  std::size_t columns_ = 0;
  std::istringstream in_;
  std::ostringstream out_, err_;
};

TEST_F(Terminal, ATableIsAsWideAsTheTerminalAtMost) {
  EXPECT_EQ(Wide().Print(Of(50)),
            "id  source          records  reason\n"
            "17  crossref/works    1,200  xxxxxxxxxxxxxxxxxxxx…\n");
  EXPECT_EQ(Wide().Print(Of(0)), Wide().Print());
  EXPECT_EQ(Wide().Print(Of(200)), Wide().Print());
}

TEST_F(Terminal, WhatIsTypedAgainIsNotCutAndEmptyColumnsAreLeftOut) {
  Table table({"id", "deleted", "updated", "fields"});
  table.Add({"rest-000000007", "-", "2026-12-05T10:11:12Z", R"({"title":"something long"})"});
  EXPECT_EQ(table.Print(Of(52)),
            "id              updated               fields\n"
            "rest-000000007  2026-12-05T10:11:12Z  {\"title\":\"som…\n");
}

TEST_F(Terminal, ATableWithoutRoomIsABlockOfLinesPerRow) {
  EXPECT_EQ(Wide().Print(Of(24)),
            "id       17\n"
            "source   crossref/works\n"
            "records  1,200\n"
            "reason   xxxxxxxxxxxxxx…\n");
}

TEST_F(Terminal, ProgressIsOneLineThatFollowsTheWidth) {
  const auto plain = Of(40);
  LiveLine line(plain);
  auto console = plain;
  console.line = &line;
  SystemClock clock;
  ProgressBar bar(console, clock);
  bar.Show("crossref/works", 5, 10, std::string(100, 'd'));
  EXPECT_LE(ColumnsOf(err_.str().substr(err_.str().rfind("[K") + 2)), 39U);
  columns_ = 30;
  line.Show(std::string(100, 'd'));
  EXPECT_LE(ColumnsOf(err_.str().substr(err_.str().rfind("[K") + 2)), 29U);
  EXPECT_THAT(err_.str(), Not(HasSubstr("\n")));
}

TEST_F(Terminal, ProgressWithoutATerminalIsALineNowAndThenAndTheLastOneWhateverTheTotals) {
  const auto piped = Of(0);
  VirtualClock clock(Instant{});
  {
    ProgressBar bar(piped, clock);
    for (int i = 1; i <= 100; ++i) bar.Show("demo", i, i, "x");
    bar.Finish();
    bar.Finish();
  }
  EXPECT_EQ(err_.str(), "demo: 1 of 1 records, x\ndemo: 100 of 100 records, x\n");
}

TEST_F(Terminal, LogsGoAboveTheProgress) {
  const auto plain = Of(40);
  LiveLine line(plain);
  line.PrintAbove("first");
  line.Show("progress");
  line.PrintAbove("second");
  line.End();
  line.PrintAbove("third");
  EXPECT_EQ(err_.str(), "first\n\r\x1b[Kprogress\r\x1b[Ksecond\n\r\x1b[Kprogress\nthird\n");
}

TEST_F(Terminal, LogsAreTextForPeopleAndJsonForMachines) {
  auto piped = Of(0);
  EXPECT_FALSE(LogFor({.log_format = "auto"}, piped).as_text);
  EXPECT_TRUE(LogFor({.log_format = "text"}, piped).as_text);
  auto terminal = Of(80);
  LiveLine line(terminal);
  terminal.line = &line;
  EXPECT_TRUE(LogFor({.log_format = "auto"}, terminal).as_text);
  EXPECT_TRUE(LogFor({.log_format = "auto"}, terminal).print);
  EXPECT_FALSE(LogFor({.log_format = "json"}, terminal).as_text);
  EXPECT_FALSE(LogFor({.log_format = "auto"}, terminal).color);
  terminal.color = true;
  EXPECT_TRUE(LogFor({.log_format = "auto"}, terminal).color);
}

TEST(Forecast, GoesByRecordsWhereTotalsAreAnnounced) {
  using namespace std::chrono_literals;
  app::OperationProgress progress{.slices = 10};
  EXPECT_FALSE(progress.Total());
  EXPECT_FALSE(progress.Left(1s));
  // One slice of ten has begun; it announces as much as the others will.
  progress.work.reached = {.slices = 1, .received = 100, .announced = 100};
  progress.work.counts.received = 100;
  EXPECT_EQ(progress.Total(), 1'000);
  EXPECT_EQ(progress.Left(10s), Duration(90s));
  // History knows better what has not begun.
  progress.expected = 2'000;
  EXPECT_EQ(progress.Total(), 2'000);
  progress.expected = 50;
  EXPECT_EQ(progress.Total(), 1'000);
  // What an earlier command brought is done, but says nothing about this one's pace.
  progress.expected.reset();
  progress.work.reached = {.slices = 10, .received = 900, .announced = 1'000};
  EXPECT_EQ(progress.Done(), 900);
  EXPECT_EQ(progress.Left(10s), Duration(10s));
  // A slice that is cut is owed by what it is cut into.
  progress.work.reached = {.slices = 10, .received = 500, .announced = 800, .owed = 200};
  EXPECT_EQ(progress.Total(), 1'000);
}

TEST(Forecast, GoesBySlicesWhereNobodyAnnounces) {
  using namespace std::chrono_literals;
  app::OperationProgress progress{.slices = 10};
  progress.work.slices_done = 4;
  EXPECT_EQ(progress.Left(8s), Duration(12s));
}

}  // namespace patra::adapter::cli::terminal_test
