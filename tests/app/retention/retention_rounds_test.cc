// Once a day, by one process at a time.
#include "app/retention/retention_rounds.h"

#include <gmock/gmock.h>

#include "tests/infra/sqlite/sqlite_backend.h"

namespace patra::app::retention_rounds_test {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

class EventNames final : public Log {
 public:
  void Write(LogLevel, std::string_view event, const domain::Lineage&,
             const Value::Object&) override {
    names.emplace_back(event);
  }
  std::vector<std::string> Take() { return std::exchange(names, {}); }

  std::vector<std::string> names;
};

// Fails while it is told to.
class FlakyFiles final : public ArchiveFiles {
 public:
  std::string folder() const override { return "flaky"; }
  Result<void> Write(const std::string& name, std::string_view bytes) override {
    return is_away ? Away() : inner.Write(name, bytes);
  }
  Result<std::string> Read(const std::string& name, std::int64_t bytes_max) override {
    if (is_away) return Fail(ErrorCode::kUnavailable, "the folder is away");
    return inner.Read(name, bytes_max);
  }
  Result<void> Remove(const std::string& name) override {
    return is_away ? Away() : inner.Remove(name);
  }

  static Result<void> Away() { return Fail(ErrorCode::kUnavailable, "the folder is away"); }

  bool is_away = false;
  testing::MemoryArchive inner;
};

struct RetentionRoundsTest : ::testing::Test {
  RetentionPorts Ports() {
    auto& store = ports->store();
    return {.store = store.archive(),
            .files = files,
            .old_rows = store.old_rows(),
            .forgetting = store.forgetting(),
            .outbox = store.outbox(),
            .duties = store.duties(),
            .ids = store.ids(),
            .clock = clock,
            .log = log,
            .stop = stop};
  }
  void NoteSomething() {
    ASSERT_TRUE(ports->journal().Add(
        {.lane = {"demo", "items"}, .saw = "{}", .did = "{}", .at = clock.Now()}));
  }

  testing::TemporaryFolder folder;
  VirtualClock clock{testing::kStart};
  std::unique_ptr<testing::SqlitePorts> ports = *testing::SqlitePorts::Open(
      {.path = folder.Path("patra.db"), .synchronous_full = false}, clock);
  FlakyFiles files;
  EventNames log;
  StopRequest stop;
  const domain::RetentionPolicy daily{.archive_daily = true, .gc_daily = true};
};

TEST_F(RetentionRoundsTest, NothingIsDoneUnlessSomebodyWantsIt) {
  RetentionRounds rounds(Ports(), {}, "a");
  EXPECT_FALSE(rounds.is_wanted());
  rounds.RunIfDue();
  EXPECT_THAT(log.Take(), IsEmpty());
  EXPECT_TRUE(RetentionRounds(Ports(), {.archive_daily = true}, "a").is_wanted());
  EXPECT_TRUE(RetentionRounds(Ports(), {.gc_daily = true}, "a").is_wanted());
}

TEST_F(RetentionRoundsTest, OnceADayByWhoeverIsFirst) {
  RetentionRounds a(Ports(), daily, "a");
  RetentionRounds b(Ports(), daily, "b");
  a.RunIfDue();
  EXPECT_THAT(log.Take(), ElementsAre("retention.done"));
  for (int look = 0; look < 100; ++look) {
    clock.Advance(minutes(10));
    a.RunIfDue();
    b.RunIfDue();
  }
  EXPECT_THAT(log.Take(), IsEmpty());
  clock.Advance(hours(8));
  b.RunIfDue();
  a.RunIfDue();
  EXPECT_THAT(log.Take(), ElementsAre("retention.done"));
}

TEST_F(RetentionRoundsTest, WhatIsOldGoes) {
  NoteSomething();
  clock.Advance(days(200));
  RetentionRounds(Ports(), {.archive_daily = true}, "a").RunIfDue();
  EXPECT_THAT(log.Take(), ElementsAre("retention.done"));
  clock.Advance(days(1));
  RetentionRounds(Ports(), daily, "a").RunIfDue();
  EXPECT_THAT(log.Take(), ElementsAre("gc.done", "retention.done"));
  EXPECT_EQ(ports->Count("SELECT count(*) FROM ing_heal_journal"), 0);
}

TEST_F(RetentionRoundsTest, TroubleIsToldAndTriedAgainAfterAWhile) {
  ASSERT_TRUE(*ports->duties().Take("retention", "a person", clock.Now() + minutes(30)));
  RetentionRounds rounds(Ports(), daily, "a");
  rounds.RunIfDue();
  EXPECT_THAT(log.Take(), ElementsAre("retention.failed"));
  clock.Advance(minutes(40));
  rounds.RunIfDue();
  EXPECT_THAT(log.Take(), IsEmpty()) << "it waits";
  clock.Advance(minutes(30));
  rounds.RunIfDue();
  EXPECT_THAT(log.Take(), ElementsAre("retention.done"));
}

TEST_F(RetentionRoundsTest, WhoEndsLeavesTheRestToTheNext) {
  RetentionRounds rounds(Ports(), daily, "a");
  stop.Ask();
  rounds.RunIfDue();
  EXPECT_THAT(log.Take(), IsEmpty());
  StopRequest nobody;
  auto again = Ports();
  RetentionRounds after({.store = again.store,
                         .files = again.files,
                         .old_rows = again.old_rows,
                         .forgetting = again.forgetting,
                         .outbox = again.outbox,
                         .duties = again.duties,
                         .ids = again.ids,
                         .clock = clock,
                         .log = log,
                         .stop = nobody},
                        daily, "b");
  after.RunIfDue();
  EXPECT_THAT(log.Take(), ElementsAre("retention.done"));
}

}  // namespace patra::app::retention_rounds_test
