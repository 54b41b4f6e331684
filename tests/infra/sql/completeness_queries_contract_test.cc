// What every store must answer about completeness, and what the certificate makes of it.
#include "app/verify/certify.h"
#include "app/verify/verify_completeness.h"
#include "domain/spec/asked.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra::completeness_queries_contract_test {

using contract::GapKind;
using testing::kHour;
using testing::kStart;

class CompletenessContract : public testing::LedgerTest {
 protected:
  contract::CompletenessQueries& queries() { return ports_->read().completeness(); }

  Result<std::vector<contract::Certificate>> Verify(std::optional<int> from = {},
                                                    std::optional<int> to = {}) {
    app::VerifyCommand command{.source = "demo"};
    if (from) command.from = kStart + *from * kHour;
    if (to) command.to = kStart + *to * kHour;
    return app::VerifyCompleteness(queries(), clock_).Run(command);
  }

  // Ends every claimable task; those of these hours fail.
  void WorkOff(const std::vector<int>& failing = {}) {
    for (const auto& task : Claim(1000)) {
      const auto hour = (task.window().from() - kStart) / kHour;
      const bool fails = std::ranges::find(failing, hour) != failing.end();
      ASSERT_TRUE(
          Finish(task, fails ? domain::TaskStatus::kFailed : domain::TaskStatus::kSucceeded));
    }
  }
};
RUN_ON_EVERY_LEDGER(CompletenessContract);

TEST_P(CompletenessContract, NothingPlannedIsNotFound) {
  EXPECT_EQ(Verify().error().code, ErrorCode::kNotFound);
}

TEST_P(CompletenessContract, WhatWasPlannedAndDoneIsProven) {
  const auto plan = Planned(0, 4);
  WorkOff();
  const auto certificates = *Verify();
  ASSERT_EQ(certificates.size(), 1u);
  const auto& certificate = certificates[0];
  EXPECT_TRUE(certificate.is_complete());
  EXPECT_EQ(certificate.range, (contract::Stretch{kStart, kStart + 4 * kHour}));
  ASSERT_EQ(certificate.proven.size(), 1u);
  ASSERT_EQ(certificate.proven[0].by.size(), 1u);
  EXPECT_EQ(certificate.proven[0].by[0].plan, plan.id);
  EXPECT_EQ(certificate.proven[0].by[0].slices, 4);
  EXPECT_EQ(certificate.proven[0].by[0].by_end_rule, 4) << "this snapshot announces no total";
}

// An update moves its own progress and proves nothing about the source's time.
TEST_P(CompletenessContract, AnUpdateIsNoQueryOfTheSourcesTime) {
  Planned(0, 4);
  WorkOff();
  auto update = Draft(100, 101, "demo", domain::Operation::kUpdate);
  update.query_hash = Sha256Hex("an activity");
  ASSERT_TRUE(ports_->plans().AddIfAbsent(update));
  ASSERT_TRUE(ports_->plans().Move(update.id, domain::PlanStatus::kSlicing));
  auto work = domain::MakeSlice(update,
                                {.dimension = domain::SliceDimension::kId,
                                 .window = update.window,
                                 .ids = domain::IdBounds{}},
                                1, clock_.Now());
  work.slice.id = ids_.Next();
  work.task.id = ids_.Next();
  const app::IdSlice slice{.work = work, .ids = {"a"}};
  ASSERT_TRUE(ports_->plans().AddIdSlices(update, std::span(&slice, 1), update.window.to(), {}));
  const auto certificates = *Verify();
  ASSERT_EQ(certificates.size(), 1u);
  EXPECT_TRUE(certificates[0].is_complete());
}

TEST_P(CompletenessContract, WhatFailedIsAGapUntilAnotherPlanCoversIt) {
  Planned(0, 4);
  WorkOff({1, 2});
  auto certificate = Verify()->at(0);
  ASSERT_EQ(certificate.gaps.size(), 2u);
  EXPECT_EQ(certificate.gaps[0].kind, GapKind::kFailed);
  EXPECT_NE(certificate.gaps[0].task, 0);
  EXPECT_EQ(app::GapsToPlan(certificate), std::vector{testing::Hours(1, 3)});

  Planned(1, 3, "demo", domain::Operation::kBackfill);
  certificate = Verify()->at(0);
  EXPECT_EQ(certificate.gaps.at(0).kind, GapKind::kUnfinished);
  EXPECT_TRUE(app::GapsToPlan(certificate).empty()) << "somebody is at it";
  WorkOff();
  certificate = Verify()->at(0);
  EXPECT_TRUE(certificate.is_complete());
  EXPECT_EQ(certificate.proven.at(0).by.size(), 2u);
}

TEST_P(CompletenessContract, TheRangeMayBeWiderThanWhatWasPlanned) {
  Planned(2, 4);
  WorkOff();
  const auto certificate = Verify(0, 6)->at(0);
  ASSERT_EQ(certificate.gaps.size(), 2u);
  EXPECT_EQ(certificate.gaps[0].kind, GapKind::kNeverPlanned);
  EXPECT_EQ(certificate.gaps[1].stretch.from, kStart + 4 * kHour);
  EXPECT_TRUE(Verify(3, 4)->at(0).is_complete());
}

TEST_P(CompletenessContract, ACertificateBeginsWhereTheNewestHarvestsDefinitionDoes) {
  const auto harvest_from = [&](int from, int begins) {
    auto plan = Draft(from, from + 2);
    plan.snapshot =
        fmt::format(R"({{"window":{{"start":"{}"}}}})", FormatRfc3339(kStart + begins * kHour));
    AddReady(plan);
    WorkOff();
  };
  harvest_from(4, 4);
  EXPECT_TRUE(Verify()->at(0).is_complete());
  harvest_from(6, 1);
  const auto certificate = Verify()->at(0);
  EXPECT_EQ(certificate.range, (contract::Stretch{kStart + 1 * kHour, kStart + 8 * kHour}));
  ASSERT_EQ(certificate.gaps.size(), 1u);
  EXPECT_EQ(certificate.gaps[0].kind, GapKind::kNeverPlanned);
  EXPECT_EQ(app::GapsToPlan(certificate), std::vector{testing::Hours(1, 4)});
  EXPECT_TRUE(Verify(4)->at(0).is_complete()) << "who names a beginning asks for no more";
}

TEST_P(CompletenessContract, WhatAPlanHasNotCutYetIsAGap) {
  const auto plan = Draft(0, 4);
  ASSERT_TRUE(ports_->plans().AddIfAbsent(plan));
  ASSERT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kSlicing));
  auto slices = Cut(plan);
  slices.erase(slices.begin() + 2, slices.end());
  ASSERT_TRUE(ports_->plans().AddSlices(plan, slices, kStart + 2 * kHour));
  WorkOff();
  const auto certificate = Verify()->at(0);
  ASSERT_EQ(certificate.gaps.size(), 1u);
  EXPECT_EQ(certificate.gaps[0].stretch,
            (contract::Stretch{kStart + 2 * kHour, kStart + 4 * kHour}));
}

TEST_P(CompletenessContract, SlicesComeInPagesWithoutLossOrRepetition) {
  Planned(0, 5);
  Planned(0, 5, "demo", domain::Operation::kBackfill);
  const auto key = queries().KnownQueries("demo", "items")->at(0).key;
  const contract::Stretch range{kStart + kHour, kStart + 4 * kHour};
  std::set<Id> seen;
  std::optional<contract::SliceRow> last;
  std::size_t read = 0;
  while (true) {
    const auto page = *queries().SlicesIn(key, range, last, 2);
    for (const auto& slice : page) seen.insert(slice.id);
    read += page.size();
    if (page.size() < 2) break;
    last = page.back();
  }
  EXPECT_EQ(read, 6u) << "three hours, twice";
  EXPECT_EQ(seen.size(), 6u);
}

TEST_P(CompletenessContract, OpenQuarantineOfTheRangeIsCounted) {
  Planned(0, 2);
  for (const auto& task : Claim(2)) {
    const auto run = *ports_->runs().Open(task, kFirstPage);
    auto batch = BatchOf(task, run, {});
    batch.bad_records = {{.path = "$", .rule = "json", .reason = "r", .bytes = "b"}};
    ASSERT_TRUE(ports_->runs().Commit(batch));
    ASSERT_TRUE(ports_->runs().Close({.task = task, .lineage = run.lineage}));
  }
  EXPECT_EQ(Verify()->at(0).quarantine_open, 2);
  EXPECT_EQ(Verify(0, 1)->at(0).quarantine_open, 1);
  EXPECT_TRUE(Verify()->at(0).is_complete());
}

TEST_P(CompletenessContract, WhatTheProviderPromisesIsReadFromThePlan) {
  auto plan = Draft(0, 1);
  plan.snapshot = R"({"response":{"totalKind":"ESTIMATE","totalWithin":0.05}})";
  ASSERT_TRUE(ports_->plans().AddIfAbsent(plan));
  EXPECT_EQ(queries().PromiseOf(plan.id)->kind, "ESTIMATE");
  EXPECT_DOUBLE_EQ(queries().PromiseOf(plan.id)->within, 0.05);
  EXPECT_EQ(queries().PromiseOf(1)->kind, "NONE");
  EXPECT_EQ(queries().PromiseOf(plan.id)->fingerprint, plan.snapshot_hash);
  EXPECT_EQ(*queries().SnapshotOf(plan.id), plan.snapshot);
  EXPECT_EQ(queries().SnapshotOf(1).error().code, ErrorCode::kNotFound);
}

TEST_P(CompletenessContract, WhatAnEarlierDefinitionAskedForIsToldFromWhatThisOneAsks) {
  domain::SpecSnapshot wider{.window = {.start = kStart}};
  wider.http.query = {{"type", "all"}};
  const auto lane = domain::Lane{"demo", "items"};
  const auto query_hash = Sha256Hex("{}");
  const auto window = testing::Hours(0, 4);

  const auto plan = Planned(0, 4);
  WorkOff({3});
  ASSERT_TRUE(ports_->queries().Note(lane, query_hash,
                                     {kStart, PrintJson(domain::ToValue(domain::AskedBy(wider)))}));
  EXPECT_EQ(ports_->queries().Snapshots(lane, query_hash)->size(), 1u);
  const auto proven =
      *ports_->queries().ProvenUnder(lane, query_hash, {plan.snapshot_hash}, window);
  EXPECT_EQ(proven.windows(), std::vector{testing::Hours(0, 3)});
  EXPECT_TRUE(
      ports_->queries().ProvenUnder(lane, query_hash, {"other"}, window)->windows().empty());
  const auto before = Verify()->at(0);
  EXPECT_EQ(before.asked_otherwise, (std::vector<contract::Stretch>{{kStart, kStart + 3 * kHour}}));
  EXPECT_EQ(before.asked_otherwise_by, std::vector<std::string>{"request.query.type"});

  auto again = Draft(0, 2);
  again.key += "/again";
  again.snapshot = CanonicalJson(wider.ToValue());
  again.snapshot_hash = Sha256Hex(again.snapshot);
  AddReady(again);
  WorkOff();
  EXPECT_EQ(ports_->queries().Snapshots(lane, query_hash)->size(), 2u);
  EXPECT_EQ(Verify()->at(0).asked_otherwise,
            (std::vector<contract::Stretch>{{kStart + 2 * kHour, kStart + 3 * kHour}}));
}

TEST_P(CompletenessContract, WhereADefinitionBeginsIsWhatAPlannerNotedLast) {
  Planned(0, 4);
  WorkOff();
  const auto lane = domain::Lane{"demo", "items"};
  EXPECT_EQ(queries().KnownQueries("demo", "items")->at(0).begins, kStart) << "by its newest plan";
  for (const auto begins : {kStart - 5 * kHour, kStart - 2 * kHour})
    ASSERT_TRUE(ports_->queries().Note(lane, Sha256Hex("{}"), {begins, "{}"}));
  EXPECT_EQ(queries().KnownQueries("demo", "items")->at(0).begins, kStart - 2 * kHour);
  const auto status = ports_->read().status().Status(clock_.Now());
  ASSERT_TRUE(status) << status.error().Describe();
  EXPECT_EQ(status->endpoints.at(0).skipped, (contract::Stretch{kStart - 2 * kHour, kStart}));
}

}  // namespace patra::completeness_queries_contract_test
