// What every repository of scheduled jobs must do.
#include <gmock/gmock.h>

#include "tests/infra/sql/every_ledger.h"

namespace patra {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class JobRepositoryContract : public testing::LedgerTest {
 protected:
  app::Job Daily(const std::string& id) {
    return {
        .id = id, .provenance = "crossref", .cron = "0 3 * * *", .next_fire_at = clock_.Now() + 1h};
  }
  const app::Decision kAnna{{"anna"}, "because"};
};
RUN_ON_EVERY_LEDGER(JobRepositoryContract);

TEST_P(JobRepositoryContract, AJobIsFoundAsItWasPutAndEveryChangeIsAudited) {
  ASSERT_TRUE(ports_->jobs().Put(Daily("daily"), kAnna));
  auto job = **ports_->jobs().Find("daily");
  EXPECT_EQ(job.cron, "0 3 * * *");
  EXPECT_EQ(job.operation, domain::Operation::kHarvest);
  job.enabled = false;
  ASSERT_TRUE(ports_->jobs().Put(job, kAnna));
  EXPECT_FALSE((*ports_->jobs().Find("daily"))->enabled);
  ASSERT_TRUE(ports_->jobs().Remove("daily", kAnna));
  EXPECT_FALSE(*ports_->jobs().Find("daily"));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit WHERE object_type = 'JOB'"), 3);
}

TEST_P(JobRepositoryContract, AChangeOfWhatSomebodyElseChangedIsRefused) {
  ASSERT_TRUE(ports_->jobs().Put(Daily("daily"), kAnna));
  EXPECT_EQ(ports_->jobs().Put(Daily("daily"), kAnna).error().code, ErrorCode::kConflict);
  const auto read = **ports_->jobs().Find("daily");
  ASSERT_TRUE(ports_->jobs().Put(read, kAnna));
  EXPECT_EQ(ports_->jobs().Put(read, kAnna).error().code, ErrorCode::kConflict);
  EXPECT_EQ(ports_->jobs().Remove("other", kAnna).error().code, ErrorCode::kNotFound);
}

TEST_P(JobRepositoryContract, OnlyEnabledJobsComeDue) {
  ASSERT_TRUE(ports_->jobs().Put(Daily("on"), kAnna));
  auto off = Daily("off");
  off.enabled = false;
  ASSERT_TRUE(ports_->jobs().Put(off, kAnna));
  EXPECT_THAT(*ports_->jobs().Due(10), IsEmpty());
  clock_.Advance(1h);
  EXPECT_THAT(*ports_->jobs().Due(10), ElementsAre(Field(&app::Job::id, "on")));
  EXPECT_THAT(*ports_->jobs().List(), SizeIs(2));
}

TEST_P(JobRepositoryContract, AFiringBelongsToWhoeverClaimsItFirst) {
  ASSERT_TRUE(ports_->jobs().Put(Daily("daily"), kAnna));
  clock_.Advance(1h);
  const auto job = ports_->jobs().Due(10)->at(0);
  const auto next = clock_.Now() + 24h;
  const auto first = *ports_->jobs().Claim(job, next, "one");
  ASSERT_TRUE(first);
  EXPECT_EQ(first->fired_at, *job.next_fire_at);
  EXPECT_FALSE(*ports_->jobs().Claim(job, next, "two"));
  EXPECT_THAT(*ports_->jobs().Due(10), IsEmpty());
  EXPECT_EQ((*ports_->jobs().Find("daily"))->next_fire_at, next);
}

TEST_P(JobRepositoryContract, AJobThatWasSetBackDoesNotFireTwiceAtTheSameMoment) {
  ASSERT_TRUE(ports_->jobs().Put(Daily("daily"), kAnna));
  clock_.Advance(1h);
  const auto due = ports_->jobs().Due(10)->at(0);
  ASSERT_TRUE(*ports_->jobs().Claim(due, clock_.Now() + 24h, "one"));
  auto set_back = **ports_->jobs().Find("daily");
  set_back.next_fire_at = due.next_fire_at;
  ASSERT_TRUE(ports_->jobs().Put(set_back, kAnna));
  const auto again = ports_->jobs().Due(10)->at(0);
  EXPECT_FALSE(*ports_->jobs().Claim(again, clock_.Now() + 24h, "one"));
  EXPECT_THAT(*ports_->jobs().Due(10), IsEmpty());
}

TEST_P(JobRepositoryContract, TheLogTellsHowFiringsEnded) {
  ASSERT_TRUE(ports_->jobs().Put(Daily("daily"), kAnna));
  for (int day = 0; day < 2; ++day) {
    clock_.Advance(24h);
    const auto job = ports_->jobs().Due(10)->at(0);
    const auto firing = **ports_->jobs().Claim(job, clock_.Now() + 1h, "one");
    const auto error = day == 0 ? std::nullopt : std::optional<std::string>("no such source");
    ASSERT_TRUE(ports_->jobs().Finish(firing, 42, error));
    EXPECT_EQ(ports_->jobs().Finish(firing, 42, error).error().code, ErrorCode::kConflict);
  }
  EXPECT_THAT(
      *ports_->jobs().Log("daily", 10),
      ElementsAre(Field(&app::Firing::status, "FAILED"), Field(&app::Firing::status, "SUCCESS")));
}

}  // namespace
}  // namespace patra
