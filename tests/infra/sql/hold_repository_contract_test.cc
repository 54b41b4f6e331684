// What every repository of pauses and fuses must do.
#include <gmock/gmock.h>

#include "app/port/adjustment_repository.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra::hold_repository_contract_test {

using namespace std::chrono_literals;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class HoldRepositoryContract : public testing::LedgerTest {
 protected:
  const app::Decision kAnna{{"anna"}, "because"};
};
RUN_ON_EVERY_LEDGER(HoldRepositoryContract);

TEST_P(HoldRepositoryContract, APausedSourceGivesOutNoTasksUntilItIsResumed) {
  Planned(0, 1, "a");
  Planned(0, 1, "b");
  ASSERT_TRUE(ports_->holds().Pause({.provenance = "a", .reason = "maintenance"}, kAnna));
  const auto claimed = Claim(10);
  ASSERT_THAT(claimed, SizeIs(1));
  EXPECT_EQ(claimed[0].lane.provenance, "b");
  ASSERT_TRUE(ports_->holds().Resume("a", "*", kAnna));
  EXPECT_THAT(Claim(10), SizeIs(1));
}

TEST_P(HoldRepositoryContract, APauseOfAnotherEndpointHoldsNothingBack) {
  Planned(0, 1, "a");
  ASSERT_TRUE(
      ports_->holds().Pause({.provenance = "a", .endpoint = "other", .reason = "r"}, kAnna));
  EXPECT_THAT(Claim(10), SizeIs(1));
}

TEST_P(HoldRepositoryContract, APauseEndsByItselfAtItsTime) {
  Planned(0, 1, "a");
  ASSERT_TRUE(ports_->holds().Pause({.provenance = "a", .reason = "r", .until = clock_.Now() + 60s},
                                    kAnna));
  EXPECT_THAT(Claim(10), IsEmpty());
  clock_.Advance(61s);
  EXPECT_THAT(Claim(10), SizeIs(1));
}

TEST_P(HoldRepositoryContract, ABlownFuseStopsTheSourceAndKeepsItsFirstReasonUntilItIsReset) {
  Planned(0, 1, "a");
  ASSERT_TRUE(ports_->holds().Blow({.provenance = "a", .reason = "401"}, "{}"));
  ASSERT_TRUE(ports_->holds().Blow({.provenance = "a", .reason = "later"}, "{}"));
  EXPECT_THAT(Claim(10), IsEmpty());
  const auto holds = ports_->holds().Holds(domain::Role::kPlanner);
  ASSERT_THAT(*holds, SizeIs(1));
  EXPECT_EQ((*holds)[0].reason, "401");
  EXPECT_TRUE((*holds)[0].is_fuse);
  ASSERT_TRUE(ports_->holds().Reset("a", "*", kAnna));
  EXPECT_THAT(Claim(10), SizeIs(1));
  ASSERT_TRUE(ports_->holds().Blow({.provenance = "a", .reason = "again"}, "{}"));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_fuse"), 2)
      << "what happened before stays on record";
}

TEST_P(HoldRepositoryContract, FusesSayOverWhatTheyBlewAndWhoLetTheSourceGoOnAndWhy) {
  ASSERT_TRUE(ports_->holds().Blow({.provenance = "a", .reason = "401"}, R"({"batch":"7"})"));
  clock_.Advance(1min);
  ASSERT_TRUE(ports_->holds().Reset("a", "*", {{"anna"}, "a new key"}));
  clock_.Advance(1min);
  ASSERT_TRUE(
      ports_->holds().Blow({.provenance = "b", .endpoint = "items", .reason = "403"}, "{}"));

  const auto blown = ports_->holds().Fuses({});
  ASSERT_TRUE(blown && blown->size() == 1);
  EXPECT_EQ(blown->at(0).provenance, "b");
  EXPECT_FALSE(blown->at(0).reset_at);
  const auto all = ports_->holds().Fuses({.with_reset = true});
  ASSERT_TRUE(all && all->size() == 2);
  EXPECT_EQ(all->at(0).provenance, "b") << "the newest first";
  const auto& was = all->at(1);
  EXPECT_EQ(was.evidence, R"({"batch":"7"})");
  EXPECT_EQ(was.reset_at, clock_.Now() - 1min);
  EXPECT_EQ(was.reset_by, "anna");
  EXPECT_EQ(was.reset_reason, "a new key");
  EXPECT_THAT(*ports_->holds().Fuses({.source = "b", .endpoint = "other", .with_reset = true}),
              IsEmpty());
  EXPECT_THAT(*ports_->holds().Fuses({.source = "a", .with_reset = true}), SizeIs(1));

  const auto decisions = ports_->read().ledger().Decisions("SOURCE", "a/*", 10);
  ASSERT_TRUE(decisions && decisions->size() == 1);
  EXPECT_THAT(decisions->at(0).details, ::testing::HasSubstr(R"("evidence":{"batch":"7"})"));
  EXPECT_THAT(decisions->at(0).details, ::testing::HasSubstr(R"("reason":"401")"));
}

TEST_P(HoldRepositoryContract, ABlownFuseRaisesAnAlertThatItsResetResolves) {
  ASSERT_TRUE(ports_->holds().Blow({.provenance = "a", .reason = "401"}, "{}"));
  const auto firing = ports_->alerts().List({});
  ASSERT_THAT(*firing, SizeIs(1));
  EXPECT_EQ((*firing)[0].key, "fuse/a/*");
  EXPECT_THAT((*firing)[0].message, ::testing::HasSubstr("401"));
  ASSERT_TRUE(ports_->holds().Reset("a", "*", kAnna));
  EXPECT_THAT(*ports_->alerts().List({}), IsEmpty());
}

TEST_P(HoldRepositoryContract, OnlyAPauseThatNobodyKnowsOfAndNothingEndsRaisesAnAlert) {
  const app::Decision healing{{std::string(app::kHealActor), domain::Way::kHealing}, "wrong"};
  auto& holds = ports_->holds();
  ASSERT_TRUE(holds.Pause({.provenance = "a", .reason = "maintenance"}, kAnna));
  ASSERT_TRUE(
      holds.Pause({.provenance = "b", .reason = "r", .until = clock_.Now() + 15min}, healing));
  EXPECT_THAT(*ports_->alerts().List({}), IsEmpty());
  const domain::Hold endless{.provenance = "c", .endpoint = "items", .reason = "wrong"};
  ASSERT_TRUE(holds.Pause(endless, healing));
  ASSERT_TRUE(holds.Pause(endless, healing));
  const auto firing = ports_->alerts().List({});
  ASSERT_THAT(*firing, SizeIs(1));
  EXPECT_EQ((*firing)[0].key, "pause/c/items");
  EXPECT_THAT((*firing)[0].message, ::testing::HasSubstr("‹source.resume c/items›"));
  ASSERT_TRUE(holds.Resume("a", "*", kAnna));
  EXPECT_THAT(*ports_->alerts().List({}), SizeIs(1));
  ASSERT_TRUE(holds.Resume("c", "items", kAnna));
  EXPECT_THAT(*ports_->alerts().List({}), IsEmpty());
}

TEST_P(HoldRepositoryContract, LiftingWhatIsNotThereIsSaid) {
  EXPECT_EQ(ports_->holds().Resume("a", "*", kAnna).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(ports_->holds().Reset("a", "*", kAnna).error().code, ErrorCode::kNotFound);
}

TEST_P(HoldRepositoryContract, EveryDecisionIsAudited) {
  ASSERT_TRUE(ports_->holds().Pause({.provenance = "a", .reason = "r"}, kAnna));
  ASSERT_TRUE(ports_->holds().Resume("a", "*", kAnna));
  ASSERT_TRUE(ports_->holds().Blow({.provenance = "a", .reason = "r"}, "{}"));
  ASSERT_TRUE(ports_->holds().Reset("a", "*", kAnna));
  EXPECT_EQ(
      ports_->Count("SELECT count(*) FROM ing_audit WHERE actor = 'anna' AND reason = 'because'"),
      3);
}

}  // namespace patra::hold_repository_contract_test
