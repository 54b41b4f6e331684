// What every repository of alerts and silences must do.
#include <gmock/gmock.h>

#include "tests/infra/sql/every_ledger.h"

namespace patra::alert_repository_contract_test {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class AlertRepositoryContract : public testing::LedgerTest {
 protected:
  std::vector<domain::Alert> Firing() { return *ports_->alerts().List({}); }
};
RUN_ON_EVERY_LEDGER(AlertRepositoryContract);

TEST_P(AlertRepositoryContract, TheSameTroubleIsOneAlertHoweverOftenItIsSeen) {
  ASSERT_TRUE(ports_->alerts().Raise({.key = "k", .message = "first"}));
  clock_.Advance(60s);
  ASSERT_TRUE(ports_->alerts().Raise(
      {.key = "k", .severity = domain::Severity::kCritical, .message = "worse"}));
  const auto firing = Firing();
  ASSERT_THAT(firing, SizeIs(1));
  EXPECT_EQ(firing[0].times_seen, 2);
  EXPECT_EQ(firing[0].message, "worse");
  EXPECT_EQ(firing[0].severity, domain::Severity::kCritical);
  EXPECT_EQ(firing[0].last_seen_at - firing[0].first_seen_at, 60s);
}

TEST_P(AlertRepositoryContract, AResolvedAlertStaysOnRecordAndTheNextOneIsNew) {
  ASSERT_TRUE(ports_->alerts().Raise({.key = "k", .message = "m"}));
  ASSERT_TRUE(*ports_->alerts().Resolve("k"));
  EXPECT_THAT(Firing(), IsEmpty());
  clock_.Advance(1s);
  ASSERT_TRUE(ports_->alerts().Raise({.key = "k", .message = "again"}));
  EXPECT_THAT(Firing(), SizeIs(1));
  const auto all = *ports_->alerts().List({.only_firing = false});
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].message, "again");
  EXPECT_TRUE(all[1].resolved_at);
}

TEST_P(AlertRepositoryContract, ResolvingWhatDoesNotFireChangesNothing) {
  EXPECT_FALSE(*ports_->alerts().Resolve("nobody"));
  EXPECT_THAT(*ports_->alerts().List({.only_firing = false}), IsEmpty());
}

TEST_P(AlertRepositoryContract, TheNewestStandsFirstAndAListIsBounded) {
  for (const auto* key : {"a", "b", "c"}) {
    ASSERT_TRUE(ports_->alerts().Raise({.key = key, .message = "m"}));
    clock_.Advance(1s);
  }
  EXPECT_THAT(*ports_->alerts().List({.alerts_max = 2}),
              ElementsAre(Field(&domain::Alert::key, "c"), Field(&domain::Alert::key, "b")));
}

TEST_P(AlertRepositoryContract, ASilenceHoldsUntilItsTimeAndIsAudited) {
  ASSERT_TRUE(
      ports_->alerts().Silence("credential/*", clock_.Now() + 1h, {{"anna"}, "being replaced"}));
  const auto silences = *ports_->alerts().Silences();
  ASSERT_THAT(silences, SizeIs(1));
  EXPECT_TRUE(silences[0].Covers({.key = "credential/crossref/main"}));
  EXPECT_FALSE(silences[0].Covers({.key = "fuse/crossref"}));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit WHERE action = 'SILENCE'"), 1);
  clock_.Advance(1h);
  EXPECT_THAT(*ports_->alerts().Silences(), IsEmpty());
}

}  // namespace patra::alert_repository_contract_test
