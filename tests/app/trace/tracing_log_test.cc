#include "app/trace/tracing_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "app/trace/trace_ids.h"
#include "tests/world_clock.h"

namespace patra::app::tracing_log_test {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

class KeptSpans final : public SpanSink {
 public:
  void Take(Span span) override { spans.push_back(std::move(span)); }

  std::vector<Span> spans;
};

struct Tracing : ::testing::Test {
  void Write(std::string_view event, const Value::Object& details = {},
             LogLevel level = LogLevel::kInfo) {
    auto about = lineage;
    if (event.starts_with("task.")) about.run = 0;  // whoever claims a task knows of no run
    log.Write(level, event, about, details);
  }
  const Span& Named(const std::string& name) const {
    const auto found = std::ranges::find(kept.spans, name, &Span::name);
    EXPECT_NE(found, kept.spans.end()) << name;
    return *found;
  }

  VirtualClock clock{Instant(std::chrono::sys_days{std::chrono::year{2026} / 1 / 1})};
  const Instant begin = clock.Now();
  NoLog rest;
  KeptSpans kept;
  TracingLog log{rest, kept, clock};
  domain::Lineage lineage{.trigger = 1,
                          .plan = 2,
                          .slice = 3,
                          .task = 4,
                          .run = 5,
                          .lane = {"crossref", "works", domain::Operation::kHarvest}};
};

TEST_F(Tracing, ATaskIsATreeOfRunBatchesAndCalls) {
  Write("task.claimed", {{"priority", 3}});
  clock.Advance(1s);
  Write("run.opened");
  clock.Advance(3s);
  Write("request.settled",
        {{"span", "00000000000000aa"}, {"batchNo", 1}, {"tookMs", 2'000}, {"status", 200}},
        LogLevel::kDebug);
  clock.Advance(1s);
  Write("batch.committed", {{"batchNo", 1}, {"tookMs", 3'000}, {"received", 7}});
  Write("slice.closed", {{"status", "SUCCEEDED"}});
  clock.Advance(1s);
  Write("task.released", {{"status", "SUCCEEDED"}, {"owner", "w"}});

  ASSERT_THAT(kept.spans, SizeIs(4));
  for (const auto& span : kept.spans) {
    EXPECT_EQ(span.trace, TraceOfRun(4, 5)) << span.name;
    EXPECT_FALSE(span.is_failure) << span.name;
    EXPECT_THAT(span.attributes, Contains(Pair("source", "crossref"))) << span.name;
  }
  EXPECT_EQ(Named("task").parent, "");
  EXPECT_THAT(Named("task").attributes, Contains(Pair("priority", "3")));
  EXPECT_EQ(Named("run").parent, Named("task").id);
  EXPECT_EQ(Named("batch").parent, Named("run").id);
  EXPECT_EQ(Named("HTTP call").parent, Named("batch").id);
  EXPECT_EQ(Named("HTTP call").id, "00000000000000aa") << "as the provider was told";
  EXPECT_EQ(Named("HTTP call").kind, Span::Kind::kClient);
  EXPECT_EQ(Named("task").from, begin);
  EXPECT_EQ(Named("task").to, begin + 6s);
  EXPECT_EQ(Named("run").from, begin + 1s);
  EXPECT_EQ(Named("batch").from, begin + 1s);
  EXPECT_EQ(Named("batch").to, begin + 5s);
  EXPECT_EQ(Named("HTTP call").from, begin + 2s);
  EXPECT_EQ(Named("HTTP call").to, begin + 4s);
  EXPECT_THAT(Named("batch").attributes, Contains(Pair("records", "7")));
}

TEST_F(Tracing, ABatchThatCameToNothingIsThereWithItsCallsAndFailed) {
  Write("task.claimed");
  Write("run.opened");
  Write("batch.committed", {{"batchNo", 1}});
  clock.Advance(1s);
  Write("request.settled",
        {{"span", "00000000000000bb"}, {"batchNo", 2}, {"tookMs", 500}, {"level", "L1"}});
  Write("run.given_back", {{"reason", "503"}}, LogLevel::kWarn);
  Write("task.released", {{"status", "QUEUED"}});
  EXPECT_TRUE(Named("HTTP call").is_failure);
  EXPECT_EQ(Named("HTTP call").parent, SpanOfBatch(5, 2));
  const auto lost = std::ranges::find(kept.spans, SpanOfBatch(5, 2), &Span::id);
  ASSERT_NE(lost, kept.spans.end());
  EXPECT_TRUE(lost->is_failure);
  EXPECT_TRUE(Named("run").is_failure);
}

// The next page is asked for while the one before it is stored.
TEST_F(Tracing, ABatchEnclosesItsCallsAlsoThoseThatBeganBeforeTheOneBeforeItWasCommitted) {
  Write("task.claimed");
  Write("run.opened");
  clock.Advance(1s);
  Write("request.settled", {{"span", "00000000000000d1"}, {"batchNo", 1}, {"tookMs", 1'000}});
  clock.Advance(2s);
  Write("request.settled", {{"span", "00000000000000d2"}, {"batchNo", 2}, {"tookMs", 1'000}});
  clock.Advance(1s);
  Write("batch.committed", {{"batchNo", 1}});
  clock.Advance(1s);
  Write("request.settled", {{"span", "00000000000000d3"}, {"batchNo", 3}, {"tookMs", 1'000}});
  Write("batch.committed", {{"batchNo", 2}});
  clock.Advance(1s);
  Write("run.given_back", {}, LogLevel::kWarn);

  std::map<std::string, Span> spans;
  for (const auto& span : kept.spans) spans[span.id] = span;
  ASSERT_THAT(spans, SizeIs(7)) << "three calls, three batches, a run";
  for (const auto& [id, span] : spans) {
    if (span.parent == SpanOfTask(5)) continue;
    const auto parent = spans.find(span.parent);
    ASSERT_NE(parent, spans.end()) << span.name << " " << id;
    EXPECT_LE(parent->second.from, span.from) << span.name << " " << id;
    EXPECT_GE(parent->second.to, span.to) << span.name << " " << id;
  }
  EXPECT_TRUE(spans.at(SpanOfBatch(5, 3)).is_failure);
  EXPECT_FALSE(spans.at(SpanOfBatch(5, 2)).is_failure);
}

TEST_F(Tracing, ATaskThatLedToNoRunAndARequestOfNoRunAreNoTrace) {
  Write("task.claimed");
  Write("task.released", {{"status", "QUEUED"}});
  lineage.run = 0;
  Write("request.settled", {{"span", "00000000000000cc"}, {"tookMs", 1}});
  EXPECT_THAT(kept.spans, IsEmpty());
}

TEST_F(Tracing, ARunThatLostItsLeaseEndsWithItsTask) {
  Write("task.claimed");
  Write("run.opened");
  Write("task.lease_lost", {}, LogLevel::kWarn);
  ASSERT_THAT(kept.spans, SizeIs(2));
  EXPECT_TRUE(Named("run").is_failure);
  EXPECT_TRUE(Named("task").is_failure);
}

TEST_F(Tracing, ATriggerIsATreeOfItsCompilingAndItsSlices) {
  lineage.run = 0;
  clock.Advance(5s);
  Write("slice.planned", {}, LogLevel::kDebug);
  Write("trigger.planned", {{"slices", 1}, {"compiledInMs", 1'000}, {"tookMs", 4'000}});
  ASSERT_THAT(kept.spans, SizeIs(3));
  for (const auto& span : kept.spans) EXPECT_EQ(span.trace, TraceOfTrigger(1)) << span.name;
  EXPECT_EQ(Named("trigger").parent, "");
  EXPECT_EQ(Named("trigger").from, begin + 1s);
  EXPECT_EQ(Named("compile").parent, Named("trigger").id);
  EXPECT_EQ(Named("compile").to, begin + 2s);
  EXPECT_EQ(Named("slice").parent, Named("trigger").id);
  EXPECT_EQ(Named("slice").id, SpanOfSlice(3));
}

TEST_F(Tracing, WhatIsNeverToldToBeOverIsForgottenInTheEnd) {
  for (Id task = 1; task <= 3 * static_cast<Id>(TracingLog::kUnderWayMax); ++task) {
    lineage.task = task;
    lineage.run = task;
    Write("task.claimed");
    Write("run.opened");
  }
  Write("task.released", {{"status", "SUCCEEDED"}});
  EXPECT_THAT(kept.spans, SizeIs(2));
}

TEST(TraceIds, AreOfTheFormThatTraceContextWants) {
  for (const Id id : {Id{0}, Id{1}, Id{9'007'199'254'740'993}}) {
    EXPECT_THAT(TraceOfRun(id, id), ::testing::MatchesRegex("[0-9a-f]{32}"));
    EXPECT_THAT(SpanOfBatch(id, 1), ::testing::MatchesRegex("[0-9a-f]{16}"));
  }
  EXPECT_NE(SpanOfBatch(5, 1), SpanOfBatch(5, 2));
  EXPECT_NE(SpanOfTask(5), SpanOfRun(5));
}

}  // namespace patra::app::tracing_log_test
