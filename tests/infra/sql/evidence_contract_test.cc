// What a store keeps of how pages were asked for, of those that came and of those that did not.
#include <gmock/gmock.h>

#include "base/value.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra::evidence_contract_test {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

class EvidenceContract : public testing::LedgerTest {
 protected:
  static domain::Evidence Evidence() {
    domain::Evidence evidence{
        .request = R"({"method":"GET","urlTemplate":"https://x/items"})",
        .response = {{"status", 503}, {"firstBytes", "b\xEF\xBF\xBD busy \u0437"}},
        .status = 503,
        .latency = 120ms,
        .sent =
            {.requests = 3,
             .retries = 2,
             .throttled = 1,
             .waited = 1500ms,
             .backed_off = 2s,
             .latency = 300ms,
             .met = {.retry_after = 1, .slowed = 1, .opened = 1, .soft_quota = 2, .hard_quota = 3},
             .failed = {2, 0, 0, 1}},
        .credential = "key-1",
        .are_requests_fewer = true};
    evidence.failures.Add({.at = kAt, .batch_no = 1, .status = 429, .reason = "HTTP 429"});
    evidence.failures.newest().backed_off = 2s;
    evidence.failures.Add({.at = kAt + 1s, .batch_no = 1, .status = 503, .reason = "HTTP 503"});
    return evidence;
  }

  Value Json(const std::string& text) {
    auto value = ParseJson(text);
    EXPECT_TRUE(value) << text;
    return value.value_or(Value());
  }

  contract::BatchRow OnlyBatch(Id run) {
    const auto batches = ports_->read().ledger().Batches({.run = run});
    EXPECT_TRUE(batches && batches->size() == 1) << "one batch";
    return batches->at(0);
  }

  std::int64_t Rollup(const std::string& column) {
    return ports_->Count("SELECT sum(" + column + ") FROM ing_batch_rollup");
  }

  Value PlanRemarks(Id plan) { return Json(ports_->read().ledger().Plan(plan)->remarks); }

  static inline const Instant kAt{testing::kStart + 1h};
};

TEST_P(EvidenceContract, ABatchThatCameToNothingKeepsWhatWasAskedAndWhatCame) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = *ports_->runs().Open(task, kFirstPage);
  ASSERT_TRUE(ports_->runs().GiveBack({.task = task,
                                       .lineage = run.lineage,
                                       .status = domain::RunStatus::kFailed,
                                       .reason = "HTTP 503",
                                       .code = "RETRIES_EXHAUSTED",
                                       .level = domain::ErrorLevel::kL1,
                                       .again_at = clock_.Now(),
                                       .evidence = Evidence()}));
  const auto batch = OnlyBatch(run.lineage.run);
  EXPECT_EQ(batch.status, "FAILED");
  EXPECT_EQ(batch.request_digest, Evidence().request);
  EXPECT_EQ(Json(batch.response_digest), Value(Evidence().response)) << "in whatever characters";
  const auto stats = Json(batch.stats);
  for (const auto& [name, count] : std::map<std::string, int>{{"reqCount", 3},
                                                              {"retryCount", 2},
                                                              {"429Count", 1},
                                                              {"waitTotalMs", 1500},
                                                              {"backoffTotalMs", 2000},
                                                              {"latencyMs", 120},
                                                              {"retryAfterHits", 1},
                                                              {"demoteEvents", 1},
                                                              {"circuitOpened", 1},
                                                              {"quotaSoftHits", 2},
                                                              {"quotaHardHits", 3}}) {
    ASSERT_NE(stats.Find(name), nullptr) << name;
    EXPECT_EQ(*stats.Find(name), Value(count)) << name;
  }
  EXPECT_EQ(*stats.Find("selfHealing"), Value(Value::Object{{"qpsDownshift", true},
                                                            {"circuitOpen", true},
                                                            {"pageSizeShrink", false},
                                                            {"concurrencyDownshift", true},
                                                            {"reslice", false}}));
  EXPECT_EQ(*stats.Find("errorCounts"), Value(Value::Object{{"L1", 2}, {"L4", 1}}));
  const auto& errors = *stats.Find("errors")->AsArray();
  ASSERT_THAT(errors, SizeIs(2));
  EXPECT_EQ(errors[0], Value(Value::Object{{"at", FormatRfc3339(kAt)},
                                           {"batchNo", 1},
                                           {"level", "L1"},
                                           {"status", 429},
                                           {"reason", "HTTP 429"},
                                           {"backoffMs", 2000}}));
  EXPECT_EQ(ports_->read().ledger().Task(task.lineage.task)->credential, "key-1");
}

TEST_P(EvidenceContract, TheRollupCountsWhatRequestsMetWhateverBecameOfTheirBatch) {
  Planned(0, 3);
  auto tasks = Claim(3);
  const auto opened = [&](int i) {
    return *ports_->runs().Open(tasks.at(static_cast<std::size_t>(i)), kFirstPage);
  };
  auto batch = BatchOf(tasks[0], opened(0), {RecordOf("a", testing::kStart)});
  batch.evidence = Evidence();
  ASSERT_TRUE(ports_->runs().Commit(batch));
  ASSERT_TRUE(ports_->runs().Close({.task = tasks[1],
                                    .lineage = opened(1).lineage,
                                    .status = domain::TaskStatus::kFailed,
                                    .error = "HTTP 401",
                                    .level = domain::ErrorLevel::kL4,
                                    .evidence = Evidence()}));
  ASSERT_TRUE(ports_->runs().GiveBack({.task = tasks[2],
                                       .lineage = opened(2).lineage,
                                       .reason = "COOL_DOWN",
                                       .again_at = clock_.Now(),
                                       .evidence = Evidence()}));
  for (const auto& [column, of_one] : std::map<std::string, int>{{"requests", 3},
                                                                 {"retries", 2},
                                                                 {"throttled", 1},
                                                                 {"wait_ms", 1500},
                                                                 {"backoff_ms", 2000},
                                                                 {"retry_after", 1},
                                                                 {"slowed", 1},
                                                                 {"circuit_opened", 1},
                                                                 {"soft_quota", 2},
                                                                 {"hard_quota", 3},
                                                                 {"failed_l1", 2},
                                                                 {"failed_l2", 0},
                                                                 {"failed_l3", 0},
                                                                 {"failed_l4", 1}})
    EXPECT_EQ(Rollup(column), 3 * of_one) << column;
  const auto queue = ports_->read().dashboard().Queue({}, {clock_.Now() - 1h, clock_.Now() + 1h});
  ASSERT_TRUE(queue && queue->rows.size() == 1);
  EXPECT_EQ(queue->rows[0].wait_ms, 4500);
  EXPECT_EQ(queue->rows[0].hard_quota, 9);
  EXPECT_EQ(queue->rows[0].failed[3], 3);
}

TEST_P(EvidenceContract, ThePlanRemembersTheNewestSlowDowns) {
  const auto plan = Planned(0, 30);
  EXPECT_EQ(PlanRemarks(plan.id).Find("slowDowns"), nullptr);
  for (const auto& task : Claim(30)) {
    const auto run = *ports_->runs().Open(task, kFirstPage);
    auto batch = BatchOf(task, run, {});
    batch.evidence.sent.met.slowed = 1;
    ASSERT_TRUE(ports_->runs().Commit(batch));
    clock_.Advance(1s);
  }
  const auto remarks = PlanRemarks(plan.id);
  const auto& slow_downs = *remarks.Find("slowDowns")->AsArray();
  ASSERT_THAT(slow_downs, SizeIs(20)) << "no more are kept";
  EXPECT_EQ(*slow_downs.back().Find("at"), Value(FormatRfc3339(clock_.Now() - 1s)));
  EXPECT_EQ(*slow_downs.back().Find("slower"), Value(1));
}

TEST_P(EvidenceContract, ABatchWithoutTroubleSaysSo) {
  const auto plan = Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = *ports_->runs().Open(task, kFirstPage);
  ASSERT_TRUE(ports_->runs().Commit(BatchOf(task, run, {RecordOf("a", testing::kStart)})));
  const auto stats = Json(OnlyBatch(run.lineage.run).stats);
  EXPECT_THAT(*stats.Find("errors")->AsArray(), IsEmpty());
  EXPECT_EQ(*stats.Find("errorCounts"), Value(Value::Object{}));
  EXPECT_EQ(PlanRemarks(plan.id).Find("slowDowns"), nullptr);
}

TEST_P(EvidenceContract, TheFirstDecisionsAreKeptWithTheVersionsThatTheyWereAbout) {
  Planned(0, 2);
  const auto store = [&](std::vector<domain::Record> records) {
    const auto task = Claim(1).at(0);
    const auto run = *ports_->runs().Open(task, kFirstPage);
    EXPECT_TRUE(ports_->runs().Commit(BatchOf(task, run, std::move(records))));
    return Json(OnlyBatch(run.lineage.run).stats);
  };
  store({RecordOf("a", kAt), RecordOf("b", kAt), RecordOf("c", kAt)});
  const auto stats = store({RecordOf("a", kAt + 1s, "newer"), RecordOf("b", kAt),
                            RecordOf("new", kAt), RecordOf("c", kAt - 1s, "older")});
  const auto& decisions = *stats.Find("decisions")->AsArray();
  ASSERT_THAT(decisions, SizeIs(3));
  const auto version = [](Instant at) {
    return Value(Value::Object{{"updatedAt", FormatRfc3339(at)}});
  };
  EXPECT_EQ(
      decisions[0],
      Value(Value::Object{
          {"id", "a"}, {"decision", "UPDATE"}, {"from", version(kAt)}, {"to", version(kAt + 1s)}}));
  EXPECT_EQ(*decisions[1].Find("decision"), Value("UNCHANGED"));
  EXPECT_EQ(decisions[2],
            Value(Value::Object{
                {"id", "new"}, {"decision", "INSERT"}, {"from", Value()}, {"to", version(kAt)}}));
}

TEST_P(EvidenceContract, ARunThatIsGivenUpKeepsWhatItDid) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = *ports_->runs().Open(task, kFirstPage);
  ASSERT_TRUE(ports_->runs().GiveUp({.task = task,
                                     .reason = "tokens go in a circle",
                                     .stats = R"({"reqCount":3})",
                                     .evidence = Evidence()}));
  EXPECT_EQ(Json(ports_->read().ledger().Run(run.lineage.run)->stats),
            Value(Value::Object{{"reqCount", 3}}));
  EXPECT_EQ(ports_->read().ledger().Run(run.lineage.run)->error, "tokens go in a circle");
  const auto batch = OnlyBatch(run.lineage.run);
  EXPECT_EQ(batch.status, "FAILED");
  EXPECT_EQ(batch.request_digest, Evidence().request);
  EXPECT_EQ(Rollup("requests"), 3);
}

TEST_P(EvidenceContract, OfADeadExecutorsBatchNobodyClaimsToKnowAnything) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = *ports_->runs().Open(task, kFirstPage);
  clock_.Advance(16s);
  ASSERT_TRUE(ports_->queue().RescueExpired());
  ASSERT_TRUE(ports_->runs().Open(Claim(1).at(0), kFirstPage));
  const auto batch = OnlyBatch(run.lineage.run);
  EXPECT_EQ(batch.status, "GIVEN_BACK") << "it does not look as if it went on";
  EXPECT_THAT(batch.error, Optional(HasSubstr("its executor stopped")));
  EXPECT_EQ(batch.request_digest, "");
  EXPECT_EQ(ports_->read().ledger().Run(run.lineage.run)->stats, "{}")
      << "nor that nothing was sent";
}

RUN_ON_EVERY_LEDGER(EvidenceContract);

}  // namespace patra::evidence_contract_test
