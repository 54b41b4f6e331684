// What every repository of scheduled jobs must do.
#include <gmock/gmock.h>

#include "tests/infra/sql/every_ledger.h"

namespace patra::job_repository_contract_test {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class JobRepositoryContract : public testing::LedgerTest {
 protected:
  domain::Job Daily(const std::string& id) {
    return {
        .id = id, .provenance = "crossref", .cron = "0 3 * * *", .next_fire_at = clock_.Now() + 1h};
  }
  domain::Job Found(const std::string& id) { return **ports_->jobs().Find(id); }
  const app::Decision kAnna{{"anna"}, "because"};
};
RUN_ON_EVERY_LEDGER(JobRepositoryContract);

TEST_P(JobRepositoryContract, AJobIsFoundAsItWasPutAndEveryChangeIsAudited) {
  auto job = Daily("daily");
  job.endpoint = "works";
  job.operation = domain::Operation::kUpdate;
  job.params = R"({"stale":"30d"})";
  job.query = "filter=type:journal";
  job.misfire = domain::Misfire::kSkip;
  job.jitter = 10min;
  job.origin = domain::JobOrigin::kFile;
  job.decided = true;
  ASSERT_TRUE(ports_->jobs().Put(job, kAnna));
  auto found = Found("daily");
  EXPECT_EQ(found.Target(), "crossref/works");
  EXPECT_EQ(found.operation, domain::Operation::kUpdate);
  EXPECT_EQ(found.params, job.params);
  EXPECT_EQ(found.query, job.query);
  EXPECT_EQ(found.misfire, domain::Misfire::kSkip);
  EXPECT_EQ(found.jitter, 10min);
  EXPECT_EQ(found.origin, domain::JobOrigin::kFile);
  EXPECT_TRUE(found.decided);
  EXPECT_EQ(found.next_fire_at, job.next_fire_at);
  found.enabled = false;
  found.disabled_reason = "no key";
  ASSERT_TRUE(ports_->jobs().Put(found, kAnna));
  EXPECT_FALSE(Found("daily").enabled);
  EXPECT_EQ(Found("daily").disabled_reason, "no key");
  ASSERT_TRUE(ports_->jobs().Remove("daily", kAnna));
  EXPECT_FALSE(*ports_->jobs().Find("daily"));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit WHERE object_type = 'JOB'"), 3);
}

TEST_P(JobRepositoryContract, AChangeOfWhatSomebodyElseChangedIsRefused) {
  ASSERT_TRUE(ports_->jobs().Put(Daily("daily"), kAnna));
  EXPECT_EQ(ports_->jobs().Put(Daily("daily"), kAnna).error().code, ErrorCode::kConflict);
  const auto read = Found("daily");
  ASSERT_TRUE(ports_->jobs().Put(read, kAnna));
  EXPECT_EQ(ports_->jobs().Put(read, kAnna).error().code, ErrorCode::kConflict);
  EXPECT_EQ(ports_->jobs().Remove("other", kAnna).error().code, ErrorCode::kNotFound);
}

TEST_P(JobRepositoryContract, OfSeveralAllArePutOrNone) {
  ASSERT_TRUE(ports_->jobs().Put(Daily("there"), kAnna));
  const std::vector jobs{Daily("new"), Daily("there")};
  EXPECT_EQ(ports_->jobs().Put(jobs, kAnna).error().code, ErrorCode::kConflict);
  EXPECT_FALSE(*ports_->jobs().Find("new"));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit WHERE object_id = 'new'"), 0);
}

TEST_P(JobRepositoryContract, OnlyEnabledJobsComeDue) {
  ASSERT_TRUE(ports_->jobs().Put(Daily("on"), kAnna));
  auto off = Daily("off");
  off.enabled = false;
  ASSERT_TRUE(ports_->jobs().Put(off, kAnna));
  EXPECT_THAT(*ports_->jobs().Due(10), IsEmpty());
  clock_.Advance(1h);
  EXPECT_THAT(*ports_->jobs().Due(10), ElementsAre(Field(&domain::Job::id, "on")));
  EXPECT_THAT(*ports_->jobs().List(), SizeIs(2));
}

TEST_P(JobRepositoryContract, ADefaultThatIsRemovedIsRememberedAndCanComeBack) {
  auto job = Daily("crossref");
  job.origin = domain::JobOrigin::kDefault;
  ASSERT_TRUE(ports_->jobs().Put(job, kAnna));
  ASSERT_TRUE(ports_->jobs().Remove("crossref", kAnna));
  EXPECT_EQ(ports_->jobs().Remove("crossref", kAnna).error().code, ErrorCode::kNotFound);
  clock_.Advance(2h);
  EXPECT_THAT(*ports_->jobs().List(), IsEmpty());
  EXPECT_THAT(*ports_->jobs().Due(10), IsEmpty());
  auto removed = Found("crossref");
  ASSERT_TRUE(removed.removed_at);
  removed.origin = domain::JobOrigin::kPerson;
  removed.enabled = true;
  ASSERT_TRUE(ports_->jobs().Put(removed, kAnna));
  EXPECT_FALSE(Found("crossref").removed_at);
  EXPECT_THAT(*ports_->jobs().List(), SizeIs(1));
}

}  // namespace patra::job_repository_contract_test
