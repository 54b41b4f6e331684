// What every repository of quarantined records must do.
#include <gmock/gmock.h>

#include "tests/infra/sql/every_ledger.h"

namespace patra::quarantine_repository_contract_test {

using app::QuarantineStatus;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class QuarantineRepositoryContract : public testing::LedgerTest {
 protected:
  // Commits a page of these bad records.
  void Quarantine(std::vector<domain::BadRecord> bad, const std::string& source = "demo",
                  domain::Operation operation = domain::Operation::kHarvest,
                  std::vector<domain::Record> good = {}) {
    Planned(hour_, hour_ + 1, source, operation);
    ++hour_;
    const auto tasks = Claim(1);
    ASSERT_THAT(tasks, SizeIs(1));
    const auto run = ports_->runs().Open(tasks[0], kFirstPage);
    ASSERT_TRUE(run);
    auto batch = BatchOf(tasks[0], *run, std::move(good));
    batch.bad_records = std::move(bad);
    batch.raw_page = app::RawPage{"application/json", "{}", kFetched};
    ASSERT_TRUE(ports_->runs().Commit(batch));
    ASSERT_TRUE(ports_->runs().Close({.task = tasks[0], .lineage = run->lineage}));
  }

  domain::BadRecord Bad(const std::string& id, const std::string& rule = "required",
                        const std::string& path = "$.title") {
    return {.id = id,
            .path = path,
            .rule = rule,
            .reason = "'title' is missing",
            .bytes = R"({"id":")" + id + "\"}"};
  }

  std::vector<app::QuarantineEntry> List(const app::QuarantineFilter& filter = {}, Id before = 0,
                                         int max = 100) {
    auto entries = ports_->quarantine().List(filter, before, max);
    EXPECT_TRUE(entries) << entries.error().Describe();
    return entries ? *std::move(entries) : std::vector<app::QuarantineEntry>{};
  }

  int hour_ = 0;
  const Instant kFetched = testing::kStart + std::chrono::days(29);
  const app::Decision kAnna{{"anna"}, "because"};
};
RUN_ON_EVERY_LEDGER(QuarantineRepositoryContract);

TEST_P(QuarantineRepositoryContract, KeepsLineageBytesAndTheTimeOfThePage) {
  Quarantine({Bad("a")});
  const auto entries = List();
  ASSERT_THAT(entries, SizeIs(1));
  const auto found = ports_->quarantine().Find(entries[0].id);
  ASSERT_TRUE(found && *found);
  const auto& [entry, bytes, fetched_at, around, why_alone] = **found;
  EXPECT_EQ(bytes, R"({"id":"a"})");
  EXPECT_EQ(fetched_at, kFetched);
  EXPECT_EQ(entry.item_id, "a");
  EXPECT_EQ(entry.rule, "required");
  EXPECT_EQ(entry.path, "$.title");
  EXPECT_EQ(entry.level, "RECORD");
  EXPECT_EQ(entry.lane.provenance, "demo");
  for (const Id id : {entry.lineage.plan, entry.lineage.slice, entry.lineage.task,
                      entry.lineage.run, entry.lineage.batch})
    EXPECT_NE(id, 0);
  EXPECT_FALSE(*ports_->quarantine().Find(12345));
  EXPECT_EQ(**ports_->quarantine().PageOf(entry.lineage.batch), "{}");
  EXPECT_FALSE(*ports_->quarantine().PageOf(12345)) << "it is not kept";
}

TEST_P(QuarantineRepositoryContract, ListsNewestFirstAPageAtATimeAndByFilter) {
  Quarantine({Bad("a"), Bad("b", "date", "$.at")});
  Quarantine({Bad("c")}, "other");
  const auto id_of = [](const app::QuarantineEntry& entry) { return entry.item_id.value_or(""); };
  const auto all = List();
  ASSERT_THAT(all, SizeIs(3));
  EXPECT_EQ(id_of(all[0]), "c");
  EXPECT_EQ(id_of(all[2]), "a");
  EXPECT_THAT(List({}, all[0].id, 1), ElementsAre(Field(&app::QuarantineEntry::id, all[1].id)));
  EXPECT_THAT(List({.provenance = "demo"}), SizeIs(2));
  EXPECT_THAT(List({.provenance = "demo", .endpoint = "none"}), IsEmpty());
  EXPECT_THAT(List({.rule = "date"}), ElementsAre(Field(&app::QuarantineEntry::id, all[1].id)));
  EXPECT_THAT(List({.provenance = "demo", .path = "$.title"}), SizeIs(1));
  EXPECT_THAT(List({.item_id = "c"}), SizeIs(1));
  EXPECT_THAT(List({.status = QuarantineStatus::kRejected}), IsEmpty());
}

TEST_P(QuarantineRepositoryContract, CountsByRuleAndPath) {
  Quarantine({Bad("a"), Bad("b"), Bad("c", "date", "$.at")});
  const auto kinds = ports_->quarantine().CountKinds(QuarantineStatus::kOpen, 10);
  ASSERT_TRUE(kinds);
  ASSERT_THAT(*kinds, SizeIs(2));
  EXPECT_EQ((*kinds)[0].rule, "date");
  EXPECT_EQ((*kinds)[0].count, 1);
  EXPECT_EQ((*kinds)[1].rule, "required");
  EXPECT_EQ((*kinds)[1].count, 2);
}

TEST_P(QuarantineRepositoryContract, AnApprovedRecordIsTakenInByTheOverwriteRule) {
  Quarantine({Bad("a"), Bad("a")});
  const auto entries = List();
  const auto newer = RecordOf("a", testing::kStart + 2 * testing::kHour, "newer");
  const auto older = RecordOf("a", testing::kStart + testing::kHour, "older");
  const auto first =
      ports_->quarantine().TakeIn(entries[0].id, newer, QuarantineStatus::kApproved, kAnna);
  ASSERT_TRUE(first) << first.error().Describe();
  EXPECT_EQ(first->outcome, domain::Overwrite::kInsert);
  const auto second =
      ports_->quarantine().TakeIn(entries[1].id, older, QuarantineStatus::kApproved, kAnna);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->outcome, domain::Overwrite::kStale);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item WHERE fields LIKE '%newer%'"), 1);
  EXPECT_EQ(TimesTold("inserted", "a"), 1) << "others hear of it as of every record";
  EXPECT_THAT(List(), IsEmpty());
}

TEST_P(QuarantineRepositoryContract, ADecisionTwiceIsOneAndAnotherOneIsAConflict) {
  Quarantine({Bad("a")});
  const auto id = List()[0].id;
  EXPECT_TRUE(ports_->quarantine().Reject(id, kAnna)->is_new);
  EXPECT_FALSE(ports_->quarantine().Reject(id, kAnna)->is_new);
  EXPECT_EQ(ports_->quarantine()
                .TakeIn(id, RecordOf("a", testing::kStart), QuarantineStatus::kApproved, kAnna)
                .error()
                .code,
            ErrorCode::kConflict);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item"), 0);
  EXPECT_EQ(ports_->quarantine().Reject(1, kAnna).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit WHERE object_type = 'QUARANTINE' AND "
                          "action = 'REJECTED' AND actor = 'anna' AND reason = 'because'"),
            1);
}

TEST_P(QuarantineRepositoryContract, FetchingAgainSignalsUpdateAndReleasesTheId) {
  Quarantine({Bad("a")});
  ListBad("a");
  const auto done = ports_->quarantine().FetchAgain(List()[0].id, "a", kAnna);
  ASSERT_TRUE(done) << done.error().Describe();
  EXPECT_TRUE(done->is_signalled);
  EXPECT_EQ(*ports_->signals().CountOpen("demo", "items"), 1);
  EXPECT_FALSE(*ports_->quarantine().ReleaseId("demo", "items", "a", {{"me"}, "r"}))
      << "it is off the list already";
}

// UPDATE digests what was isolated.
TEST_P(QuarantineRepositoryContract, ABadRecordSignalsUpdateWhichSettlesIt) {
  Quarantine({Bad("a"), {.path = "$.id", .rule = "required", .reason = "no id", .bytes = "{}"}});
  EXPECT_EQ(*ports_->signals().CountOpen("demo", "items"), 1) << "only what has an id";
  ASSERT_TRUE(ports_->signals().TakeFor(1, "demo", "items", 10));
  Quarantine({Bad("a")}, "demo", domain::Operation::kUpdate);
  EXPECT_EQ(*ports_->signals().CountOpen("demo", "items"), 0) << "UPDATE does not ask for ever";
  EXPECT_THAT(List({.item_id = "a"}), SizeIs(1)) << "it is what the harvest met";
  Quarantine({}, "demo", domain::Operation::kUpdate, {RecordOf("a", testing::kStart)});
  EXPECT_THAT(List({.item_id = "a"}), IsEmpty());
  EXPECT_THAT(List({.status = QuarantineStatus::kRetried}), SizeIs(1));
}

}  // namespace patra::quarantine_repository_contract_test
