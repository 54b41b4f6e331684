// A slice that was cut, and its parts: the transaction that closes the last of them finds whether they announce as much.
#include <latch>
#include <map>
#include <thread>
#include <utility>

#include <gmock/gmock.h>

#include "tests/infra/sql/every_ledger.h"

namespace patra::add_up_contract_test {

using namespace std::chrono_literals;
using domain::TaskStatus;
using testing::Hours;
using testing::kStart;

class AddUpContract : public testing::LedgerTest {
 protected:
  // Cut into so many parts of like width, which owe that much. The parts, claimed.
  std::vector<app::LeasedTask> CutInto(int parts, std::int64_t owed) {
    Planned(0, 8);
    for (const auto& task : Claim(8)) {
      if (task.window().from() == kStart) {
        whole_ = Cut(task, parts, owed);
      } else {
        EXPECT_TRUE(Finish(task));
      }
    }
    return Claim(parts);
  }

  Id Cut(const app::LeasedTask& task, int parts, std::int64_t owed) {
    const auto run = ports_->runs().Open(task, kFirstPage);
    app::SliceClose close{.task = task,
                          .lineage = run->lineage,
                          .status = TaskStatus::kCancelled,
                          .gap = "cut",
                          .owed_by_children = owed};
    const auto width = task.window().width() / parts;
    for (int i = 0; i < parts; ++i) {
      const auto from = task.window().from() + i * width;
      close.children.push_back(
          {.window = *domain::Window::Between(from, from + width), .total_of_whole = owed});
    }
    EXPECT_TRUE(ports_->runs().Close(close));
    return task.lineage.slice;
  }

  // A walk that announces so many. Closed with what is known of wholes; nothing is closed where one is to be asked.
  app::SliceClosed Read(const app::LeasedTask& task, std::int64_t announced,
                        std::vector<app::WholeAsked> wholes = {}) {
    const auto run = Walk(*ports_, task, announced);
    return *ports_->runs().Close(
        {.task = task, .lineage = run, .is_read = true, .wholes = std::move(wholes)});
  }
  // Where it was walked already, the run goes on.
  domain::Lineage Walk(testing::LedgerPorts& ports, const app::LeasedTask& task,
                       std::int64_t announced) {
    const std::pair key(task.lineage.task, task.fence);
    if (const auto known = runs_.find(key); known != runs_.end()) return known->second;
    const auto run = *ports.runs().Open(task, kFirstPage);
    if (!run.is_at_end) {
      auto batch = BatchOf(task, run, {});
      batch.announced = announced;
      EXPECT_TRUE(ports.runs().Commit(batch));
    }
    return runs_[key] = run.lineage;
  }
  app::SliceClosed LeaveShort(const app::LeasedTask& task, std::int64_t now) {
    return *ports_->runs().Close({.task = task,
                                  .lineage = Walk(*ports_, task, 0),
                                  .status = TaskStatus::kPartial,
                                  .gap = "they fall short",
                                  .wholes = {{whole_, now}}});
  }

  std::int64_t Of(Id slice, const std::string& column) {
    return ports_->Count(
        fmt::format("SELECT coalesce({}, -1) FROM ing_plan_slice WHERE id = {}", column, slice));
  }
  std::int64_t Succeeded() {
    return ports_->Count("SELECT count(*) FROM ing_plan_slice WHERE status_code = 'SUCCEEDED'");
  }
  bool IsProven(const app::LeasedTask& task, const domain::Window& window) {
    return ports_->cursors().CoverageIn(task.lane, task.query_hash, window)->GapsIn(window).empty();
  }

  Id whole_ = 0;
  std::map<std::pair<Id, std::int64_t>, domain::Lineage> runs_;
};
RUN_ON_EVERY_LEDGER(AddUpContract);

TEST_P(AddUpContract, PartsThatAnnounceAsMuchAsTheirWholeAreProvenWithoutAQuestion) {
  const auto parts = CutInto(3, 30);
  EXPECT_FALSE(Read(parts[2], 12).short_whole);
  EXPECT_FALSE(Read(parts[0], 8).short_whole);
  EXPECT_EQ(Of(whole_, "parts_total"), -1) << "one is left";
  EXPECT_FALSE(Read(parts[1], 10).short_whole);
  EXPECT_EQ(Of(whole_, "parts_total"), 30);
  EXPECT_EQ(Of(whole_, "whole_total"), -1) << "nobody had to ask";
  EXPECT_TRUE(IsProven(parts[0], Hours(0, 8)));
}

TEST_P(AddUpContract, TheLastPartIsNotClosedBeforeItsWholeWasAskedAgain) {
  const auto parts = CutInto(3, 30);
  EXPECT_FALSE(Read(parts[0], 10).short_whole);
  EXPECT_FALSE(Read(parts[1], 9).short_whole);
  const auto asks = Read(parts[2], 9).short_whole;
  ASSERT_TRUE(asks);
  EXPECT_EQ(asks->slice, whole_);
  EXPECT_EQ(asks->sum.announced, 30);
  EXPECT_EQ(asks->sum.parts, 28);
  EXPECT_FALSE(asks->sum.now);
  EXPECT_EQ(asks->spec.window, Hours(0, 1));
  EXPECT_EQ(Of(parts[2].lineage.slice, "status_code = 'EXECUTING'"), 1) << "nothing was written";
  EXPECT_FALSE(IsProven(parts[2], Hours(0, 1)));

  EXPECT_FALSE(Read(parts[2], 9, {{whole_, 28}}).short_whole) << "two have left";
  EXPECT_EQ(Of(whole_, "parts_total"), 28);
  EXPECT_EQ(Of(whole_, "whole_total"), 28);
  EXPECT_TRUE(IsProven(parts[2], Hours(0, 8)));
}

TEST_P(AddUpContract, WhereTheWholeHasMoreThanItsPartsNothingOfItIsProvenAnyMore) {
  const auto parts = CutInto(2, 30);
  Read(parts[0], 10);
  EXPECT_TRUE(IsProven(parts[0], parts[0].window()));
  ASSERT_TRUE(Read(parts[1], 9).short_whole);
  const auto again = Read(parts[1], 9, {{whole_, 29}}).short_whole;
  ASSERT_TRUE(again);
  EXPECT_EQ(again->sum.now, 29);
  EXPECT_EQ(Of(parts[1].lineage.slice, "status_code = 'EXECUTING'"), 1) << "it is not called done";

  LeaveShort(parts[1], 29);
  EXPECT_EQ(Of(parts[1].lineage.slice, "status_code = 'PARTIAL'"), 1);
  EXPECT_EQ(Of(whole_, "gap = 'they fall short'"), 1);
  EXPECT_EQ(Of(whole_, "whole_total"), 29);
  const auto proven =
      *ports_->cursors().CoverageIn(parts[0].lane, parts[0].query_hash, Hours(0, 8));
  EXPECT_EQ(proven.windows(), std::vector{Hours(1, 8)}) << "what lies beside it stays proven";
  EXPECT_TRUE(*ports_->history().AnyFellShort(parts[0].lane, parts[0].query_hash, Hours(0, 1)));
  EXPECT_FALSE(*ports_->history().AnyFellShort(parts[0].lane, parts[0].query_hash, Hours(1, 8)));

  // Somebody tries it again, and the provider has put itself right.
  ASSERT_TRUE(ports_->queue().Requeue(parts[1].lineage.task, {{"me"}, "again"}));
  const auto once_more = Claim(1).at(0);
  EXPECT_TRUE(Read(once_more, 9).short_whole) << "what was said before counts no longer";
  EXPECT_FALSE(Read(once_more, 9, {{whole_, 19}}).short_whole);
  EXPECT_TRUE(IsProven(once_more, Hours(0, 8))) << "with all of its parts";
  EXPECT_EQ(*ports_->cursors().Watermark(once_more.lane, once_more.cursor), kStart + 8h);
}

TEST_P(AddUpContract, WhereRecordsMayComeInThePartsAreToBeAskedEachWithItsOwnWindow) {
  const auto parts = CutInto(2, 30);
  Read(parts[0], 10);
  const app::SliceClose close{.task = parts[1],
                              .lineage = Walk(*ports_, parts[1], 9),
                              .is_read = true,
                              .may_gain = true,
                              .wholes = {{whole_, 29}}};
  const auto asks = ports_->runs().Close(close)->short_whole;
  ASSERT_TRUE(asks);
  EXPECT_EQ(asks->verdict, domain::PartsVerdict::kAskParts);
  ASSERT_EQ(asks->parts.size(), 2u);
  EXPECT_EQ(asks->parts[0].window, parts[0].window());
  EXPECT_EQ(asks->parts[1].window, parts[1].window());
  EXPECT_FALSE(Read(parts[1], 9, {{whole_, 29, 29}}).short_whole) << "they know of what came in";
  EXPECT_EQ(Of(whole_, "parts_total"), 29);
  EXPECT_TRUE(IsProven(parts[1], Hours(0, 8)));
}

TEST_P(AddUpContract, APartThatWasCutCountsAsWhatItAnnouncedThen) {
  const auto parts = CutInto(2, 30);
  const auto cut = Cut(parts[0], 2, 21);
  const auto smaller = Claim(2);
  EXPECT_FALSE(Read(parts[1], 9).short_whole) << "the other one's parts are not read";
  EXPECT_FALSE(Read(smaller[0], 11).short_whole);
  EXPECT_FALSE(Read(smaller[1], 10).short_whole) << "10 and 11 are 21, and with 9 they are 30";
  EXPECT_EQ(Of(cut, "parts_total"), 21);
  EXPECT_EQ(Of(whole_, "parts_total"), 30);
}

TEST_P(AddUpContract, EachWholeThatALastPartBelongsToIsAskedInTurn) {
  const auto parts = CutInto(2, 30);
  const auto cut = Cut(parts[0], 2, 20);
  const auto smaller = Claim(2);
  Read(parts[1], 9);
  Read(smaller[0], 11);
  const auto first = Read(smaller[1], 8).short_whole;
  ASSERT_TRUE(first);
  EXPECT_EQ(first->slice, cut);
  const auto second = Read(smaller[1], 8, {{cut, 19}}).short_whole;
  ASSERT_TRUE(second);
  EXPECT_EQ(second->slice, whole_);
  EXPECT_EQ(second->sum.parts, 29) << "20 that the one announced when it was cut, and 9";
  EXPECT_EQ(Of(cut, "parts_total"), -1) << "nothing was written";
  EXPECT_FALSE(Read(smaller[1], 8, {{cut, 19}, {whole_, 29}}).short_whole);
  EXPECT_EQ(Of(cut, "parts_total"), 19);
  EXPECT_EQ(Of(whole_, "parts_total"), 29);
}

TEST_P(AddUpContract, WherePartsOweNothingNobodyComparesThem) {
  Planned(0, 1);
  const auto whole = Claim(1).at(0);
  const auto run = ports_->runs().Open(whole, kFirstPage);
  app::SliceClose close{.task = whole, .lineage = run->lineage, .status = TaskStatus::kCancelled};
  for (const auto from : {0min, 30min})
    close.children.push_back(
        {.window = *domain::Window::Between(kStart + from, kStart + from + 30min),
         .total_of_whole = 100});
  ASSERT_TRUE(ports_->runs().Close(close));
  for (const auto& part : Claim(2)) EXPECT_FALSE(Read(part, 1).short_whole);
  EXPECT_TRUE(IsProven(whole, Hours(0, 1)));
}

// Two machines, each with a part that was read: whoever closes second is the last.
TEST_P(AddUpContract, OfTwoThatCloseAtOnceExactlyOneIsTheLast) {
  for (int round = 0; round < 5; ++round) {
    Planned(round * 2, round * 2 + 1, "source-" + std::to_string(round));
    whole_ = Cut(Claim(1).at(0), 2, 30);
    const auto parts = Claim(2);
    ASSERT_EQ(parts.size(), 2u);
    const std::vector runs{Walk(*ports_, parts[0], 10), Walk(*ports_, parts[1], 10)};
    const auto other = backend_->Connect(clock_);
    std::atomic<int> asked = 0;
    {
      std::latch both(2);
      std::vector<std::jthread> threads;
      for (const int i : {0, 1}) {
        threads.emplace_back([&, i] {
          auto& ports = i == 0 ? *ports_ : *other;
          both.arrive_and_wait();
          const auto closed = ports.runs().Close({.task = parts[static_cast<std::size_t>(i)],
                                                  .lineage = runs.at(static_cast<std::size_t>(i)),
                                                  .is_read = true});
          ASSERT_TRUE(closed) << closed.error().Describe();
          if (closed->short_whole) ++asked;
        });
      }
    }
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(Succeeded(), round + 1) << "the other one is closed";
  }
}

}  // namespace patra::add_up_contract_test
