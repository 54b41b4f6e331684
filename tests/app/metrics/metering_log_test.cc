#include "app/metrics/metering_log.h"

#include <map>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/metrics/meter_rows.h"

namespace patra::app::metering_log_test {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

class SummingMeters final : public Meters {
 public:
  void Add(const Meter& meter, const MeterLabels& labels, double value) override {
    std::string key(meter.name);
    for (const auto& [name, text] : labels) key += fmt::format(" {}={}", name, text);
    sums[key] += value;
  }

  void ForgetGauges() override {}

  std::map<std::string, double> sums;
};

struct MeteringLogTest : ::testing::Test {
  void Write(std::string_view event, const Value::Object& details) {
    log.Write(LogLevel::kInfo, event, lineage, details);
  }

  NoLog rest;
  SummingMeters meters;
  MeteringLog log{rest, meters};
  domain::Lineage lineage{.lane = {"crossref", "works", domain::Operation::kHarvest}};
};

constexpr const char* kLane = " source=crossref endpoint=works op=HARVEST";

TEST_F(MeteringLogTest, ABatchIsCountedWithWhatBecameOfItsRecords) {
  Write("batch.committed", {{"inserted", 7}, {"updated", 2}, {"skipped", 1}, {"tookMs", 40}});
  EXPECT_THAT(meters.sums, Contains(Pair(fmt::format("patra_ingest_batches_total{}", kLane), 1)));
  EXPECT_THAT(meters.sums,
              Contains(Pair(fmt::format("patra_ingest_items_total{} action=insert", kLane), 7)));
  EXPECT_THAT(meters.sums,
              Contains(Pair(fmt::format("patra_ingest_items_total{} action=skip", kLane), 1)));
  EXPECT_THAT(meters.sums,
              Contains(Pair(fmt::format("patra_ingest_batch_latency_ms{}", kLane), 40)));
}

TEST_F(MeteringLogTest, ARequestThatWasWellIsNoError) {
  Write("request.settled", {{"requests", 1}, {"level", ""}, {"throttled", 0}, {"latencyMs", 9}});
  EXPECT_THAT(meters.sums, Contains(Pair(fmt::format("patra_ingest_requests_total{}", kLane), 1)));
  for (const auto& [key, sum] : meters.sums) {
    EXPECT_THAT(key, Not(::testing::StartsWith("patra_ingest_errors"))) << key;
    EXPECT_THAT(key, Not(::testing::StartsWith("patra_ingest_429"))) << key;
  }
}

TEST_F(MeteringLogTest, AnErrorIsCountedByItsLevelAndBadRecordsAreOfTheThird) {
  Write("request.settled", {{"requests", 1}, {"level", "L1"}, {"throttled", 1}});
  Write("batch.committed", {{"quarantined", 3}});
  EXPECT_THAT(meters.sums,
              Contains(Pair(fmt::format("patra_ingest_errors_total{} level=L1", kLane), 1)));
  EXPECT_THAT(meters.sums,
              Contains(Pair(fmt::format("patra_ingest_errors_total{} level=L3", kLane), 3)));
  EXPECT_THAT(meters.sums, Contains(Pair(fmt::format("patra_ingest_429_total{}", kLane), 1)));
}

TEST_F(MeteringLogTest, WhatCameLateOrTwiceOrWasThereAlreadyIsCounted) {
  Write("batch.committed", {{"repeated", 2}, {"late", 3}});
  Write("key.met", {{"kind", "slice"}, {"count", 4}});
  Write("task.claim_lost", {{"claims", 5}});
  EXPECT_THAT(meters.sums,
              Contains(Pair(fmt::format("patra_ingest_items_repeated_total{}", kLane), 2)));
  EXPECT_THAT(meters.sums,
              Contains(Pair(fmt::format("patra_ingest_items_late_total{}", kLane), 3)));
  EXPECT_THAT(
      meters.sums,
      Contains(Pair(fmt::format("patra_ingest_idempotency_hits_total{} key=slice", kLane), 4)));
  EXPECT_THAT(meters.sums, Contains(Pair("patra_ingest_task_claims_lost_total", 5)));
}

TEST_F(MeteringLogTest, WhatHoldsRequestsBackIsCounted) {
  Write("request.settled", {{"requests", 1}, {"retryAfter", 1}});
  Write("gate.slowed", {});
  Write("gate.opened", {});
  Write("quota.reached", {{"kind", "soft"}});
  Write("quota.reached", {{"kind", "hard"}});
  EXPECT_THAT(meters.sums,
              Contains(Pair(fmt::format("patra_ingest_retry_after_total{}", kLane), 1)));
  EXPECT_THAT(meters.sums,
              Contains(Pair(fmt::format("patra_ingest_rate_decreases_total{}", kLane), 1)));
  EXPECT_THAT(meters.sums,
              Contains(Pair(fmt::format("patra_ingest_circuit_opens_total{}", kLane), 1)));
  for (const auto* kind : {"soft", "hard"})
    EXPECT_THAT(
        meters.sums,
        Contains(Pair(fmt::format("patra_ingest_quota_hits_total{} kind={}", kLane, kind), 1)));
}

TEST_F(MeteringLogTest, AnEventThatNobodyCountsIsOnlyPassedOn) {
  Write("gate.away", {{"gate", "shared"}});
  EXPECT_THAT(meters.sums, IsEmpty());
}

TEST_F(MeteringLogTest, WhereTheLineageKnowsNoLaneTheDetailsMay) {
  lineage = {};
  Write("heal.acted", {{"source", "arxiv"}, {"endpoint", "records"}, {"did", "RESLICE"}});
  EXPECT_THAT(meters.sums, Contains(Pair("patra_ingest_self_heal_events_total source=arxiv "
                                         "endpoint=records op= type=RESLICE",
                                         1)));
}

TEST(MeterRows, OneNameIsOneMeter) {
  std::map<std::string_view, const Meter*> known;
  for (const auto& row : kMeterRows) {
    const auto [other, is_new] = known.emplace(row.meter.name, &row.meter);
    EXPECT_EQ(other->second->help, row.meter.help) << row.meter.name;
    EXPECT_EQ(other->second->kind, row.meter.kind) << row.meter.name;
  }
}

}  // namespace patra::app::metering_log_test
