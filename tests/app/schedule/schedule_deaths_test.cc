// Two instances over a day of virtual time, each of which may die before or after any call to the store: every occurrence fires
// exactly once, and every execution comes to an end.
#include <set>

#include <gmock/gmock.h>

#include "base/random.h"
#include "tests/app/schedule/schedule_fixture.h"

namespace patra::app::schedule_deaths_test {

using namespace std::chrono_literals;
using domain::ExecutionStatus;

struct Death {};

// Every so many calls, one is the last of its process: half of them happen, and nobody hears of it.
class Fate {
 public:
  Fate(std::uint64_t seed, std::uint64_t one_in) : random_(seed), one_in_(one_in) {}

  template <typename Call>
  auto Around(Call call) {
    if (Strikes()) throw Death{};
    auto result = call();
    if (Strikes()) throw Death{};
    return result;
  }
  void Spare() { one_in_ = 0; }
  int deaths() const { return deaths_; }

 private:
  bool Strikes() {
    if (one_in_ == 0 || random_.Next() % (2 * one_in_) != 0) return false;
    ++deaths_;
    return true;
  }

  SeededRandom random_;
  std::uint64_t one_in_;
  int deaths_ = 0;
};

class MortalJobs final : public JobRepository {
 public:
  MortalJobs(JobRepository& inner, Fate& fate) : inner_(inner), fate_(fate) {}
  Result<void> Put(std::span<const Job> jobs, const Decision& decision) override {
    return fate_.Around([&] { return inner_.Put(jobs, decision); });
  }
  Result<void> Remove(const std::string& job, const Decision& decision) override {
    return fate_.Around([&] { return inner_.Remove(job, decision); });
  }
  Result<std::optional<Job>> Find(const std::string& job) override {
    return fate_.Around([&] { return inner_.Find(job); });
  }
  Result<std::vector<Job>> List() override {
    return fate_.Around([&] { return inner_.List(); });
  }
  Result<std::vector<Job>> Due(int jobs_max) override {
    return fate_.Around([&] { return inner_.Due(jobs_max); });
  }

 private:
  JobRepository& inner_;
  Fate& fate_;
};

class MortalExecutions final : public ExecutionRepository {
 public:
  MortalExecutions(ExecutionRepository& inner, Fate& fate) : inner_(inner), fate_(fate) {}
  Result<std::vector<Execution>> Claim(std::span<const DueJob> due,
                                       const std::string& owner) override {
    return fate_.Around([&] { return inner_.Claim(due, owner); });
  }
  Result<Execution> AddManual(const std::string& job, const Decision& decision) override {
    return fate_.Around([&] { return inner_.AddManual(job, decision); });
  }
  Result<std::optional<Execution>> Take(const std::string& owner, Duration lease) override {
    return fate_.Around([&] { return inner_.Take(owner, lease); });
  }
  Result<void> GiveBack(const Execution& taken, Instant until, const std::string& note) override {
    return fate_.Around([&] { return inner_.GiveBack(taken, until, note); });
  }
  Result<std::optional<PlannedBefore>> FindPlanned(const Execution& execution) override {
    return fate_.Around([&] { return inner_.FindPlanned(execution); });
  }
  Result<bool> Start(const Execution& taken, const ExecutionPlanned& planned) override {
    return fate_.Around([&] { return inner_.Start(taken, planned); });
  }
  Result<bool> End(const Execution& execution, ExecutionStatus status,
                   const std::string& reason) override {
    return fate_.Around([&] { return inner_.End(execution, status, reason); });
  }
  Result<std::optional<Execution>> TakeRest(Instant untouched_since) override {
    return fate_.Around([&] { return inner_.TakeRest(untouched_since); });
  }
  Result<std::vector<Execution>> Running(Id after, int executions_max) override {
    return fate_.Around([&] { return inner_.Running(after, executions_max); });
  }
  Result<std::optional<PlanLook>> LookAt(Id plan, bool who) override {
    return fate_.Around([&] { return inner_.LookAt(plan, who); });
  }
  Result<std::vector<Execution>> Log(const ExecutionFilter& filter) override {
    return fate_.Around([&] { return inner_.Log(filter); });
  }
  Result<int> Forget(Instant before, int executions_max) override {
    return fate_.Around([&] { return inner_.Forget(before, executions_max); });
  }

 private:
  ExecutionRepository& inner_;
  Fate& fate_;
};

class ScheduleDeathsTest : public ScheduleTest, public ::testing::WithParamInterface<int> {
 protected:
  // One round of everything by one instance, until it dies or is done.
  void Live(const std::string& name) {
    try {
      EXPECT_TRUE(FireJobs(jobs_, executions_, clock_, name).Round());
      EXPECT_TRUE(PlanExecutions({planning_, jobs_, executions_, clock_}, name).Round());
      WorkEverythingOff();
      const auto watched = WatchExecutions({executions_, ports_->plans(), ports_->cursors(),
                                            ports_->executors(), ports_->holds(), clock_})
                               .Round();
      EXPECT_TRUE(watched);
    } catch (const Death&) {
    }
  }

  Fate fate_{static_cast<std::uint64_t>(GetParam()), 12};
  MortalJobs jobs_{ports_->jobs(), fate_};
  MortalExecutions executions_{ports_->executions(), fate_};
};
INSTANTIATE_TEST_SUITE_P(Seeds, ScheduleDeathsTest, ::testing::Range(1, 4));

TEST_P(ScheduleDeathsTest, EveryOccurrenceFiresExactlyOnceAndComesToAnEnd) {
  planning_.plan = [&](const PlanRequest& request) {
    return fate_.Around([&] { return Harvest(request); });
  };
  const auto begin = clock_.Now();
  const std::vector<std::pair<std::string, std::string>> timetables{
      {"hourly", "0 * * * *"}, {"half", "15,45 * * * *"}, {"evening", "30 20 * * *"}};
  for (const auto& [name, cron] : timetables) SetJob(name, cron);
  const auto end = begin + 24h;
  for (int turn = 0; clock_.Now() < end; ++turn) {
    clock_.Advance(1min);
    Live(turn % 2 == 0 ? "one" : "two");
  }
  EXPECT_GT(fate_.deaths(), 50);
  fate_.Spare();
  for (int minute = 0; minute < 12; ++minute) {
    Live("one");
    clock_.Advance(1min);
  }

  for (const auto& [name, cron] : timetables) {
    const auto timetable = domain::Timetable::Of(cron, "UTC");
    std::multiset<Instant> expected;
    for (auto at = timetable->FirstAfter(begin); *at <= end; at = timetable->FirstAfter(*at))
      expected.insert(*at);
    std::multiset<Instant> fired;
    for (const auto& execution : Log(name)) {
      if (execution.fired_at <= end) fired.insert(execution.fired_at);
      EXPECT_TRUE(domain::IsOver(execution.status)) << name;
      EXPECT_NE(execution.status, ExecutionStatus::kFailed) << execution.reason;
    }
    EXPECT_EQ(fired, expected) << name;
  }
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code <> 'COMPLETED'"), 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_schedule_instance WHERE scheduler_log_id IS NULL"), 0);
}

}  // namespace patra::app::schedule_deaths_test
