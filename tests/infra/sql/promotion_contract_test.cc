// A whole store moves into another database, from each kind into each.
#include <limits>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "infra/sql/promotion.h"
#include "infra/sql/promotion_table.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra::promotion_contract_test {

using infra::sql::Blob;
using infra::sql::Database;
using infra::sql::LockScope;
using infra::sql::PromotionStage;
using infra::sql::Session;
using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A store to move, and a database beside it.
class TwoBackends final : public testing::LedgerBackend {
 public:
  TwoBackends(const testing::LedgerBackendFactory& from, const testing::LedgerBackendFactory& to)
      : source_(from.make()), target_(to.make()) {}
  std::unique_ptr<testing::LedgerPorts> Connect(Clock& clock) override {
    return source_->Connect(clock);
  }
  testing::LedgerBackend& target() { return *target_; }

 private:
  std::unique_ptr<testing::LedgerBackend> source_;
  std::unique_ptr<testing::LedgerBackend> target_;
};

template <const testing::LedgerBackendFactory& from, const testing::LedgerBackendFactory& to>
std::unique_ptr<testing::LedgerBackend> Both() {
  return std::make_unique<TwoBackends>(from, to);
}

// Fails where it is told to: before a transaction that writes, or after it has taken effect.
class Interrupted final : public Database {
 public:
  enum class At { kBefore, kAfter };

  explicit Interrupted(Database& database) : database_(database) {}
  void FailAtWrite(int number, At at) {
    left_ = number;
    at_ = at;
  }
  int writes() const { return writes_; }

 private:
  Result<void> RunInTransaction(const LockScope& scope, Job job) override {
    const bool fails = --left_ == 0;
    if (fails && at_ == At::kBefore) return Broken();
    auto done = database_.Write(scope, std::move(job));
    if (done) ++writes_;
    return fails ? Broken() : done;
  }
  Result<void> RunOnSnapshot(const Job& job) override { return database_.Read(job); }
  static Result<void> Broken() { return Fail(ErrorCode::kUnavailable, "the test pulled the plug"); }

  Database& database_;
  int left_ = 0;
  int writes_ = 0;
  At at_ = At::kBefore;
};

class PromotionContract : public testing::LedgerTest {
 protected:
  Result<contract::StorePromotion> Promote(Database& source, Database& target,
                                           const infra::sql::OnPromotion& on_progress) {
    return infra::sql::Promote({source, clock_, "old"}, {target, clock_, "new"}, on_progress,
                               {.rows = 20, .bytes = 1000});
  }
  Result<contract::StorePromotion> Promote() {
    return Promote(ports_->database(), target_->database(), [](auto...) {});
  }
  void PromoteWell() {
    const auto promoted = Promote();
    ASSERT_TRUE(promoted) << promoted.error().Describe();
    ASSERT_TRUE(promoted->is_done());
  }

  void Run(testing::LedgerPorts& ports, std::string_view sql, infra::sql::Parameters parameters) {
    const auto ran =
        ports.database().Write(LockScope::Mover(), [&](Session& session) -> Result<void> {
          PATRA_TRY(session.Run(sql, parameters));
          return {};
        });
    ASSERT_TRUE(ran) << ran.error().Describe();
  }

  // Plans, slices, tasks, runs, batches, records, messages and cursors as a harvest leaves them, half way.
  void Harvest() {
    plan_ = Planned(0, 6);
    const auto tasks = Claim(3);
    ASSERT_EQ(tasks.size(), 3u);
    const std::string nul("a\0b", 3);
    for (const auto& task : tasks) {
      const auto run = ports_->runs().Open(task, kFirstPage);
      ASSERT_TRUE(run);
      std::vector<domain::Record> records;
      for (const auto& id : {std::string("plain"), nul, std::string("ünïcödé 漢字 🦊"),
                             std::string(200, 'x') + std::to_string(run->lineage.run)})
        records.push_back(RecordOf(id, testing::kStart, "Ünï 🦊"));
      ASSERT_TRUE(ports_->runs().Commit(BatchOf(task, *run, records)));
      ASSERT_TRUE(ports_->runs().Close({.task = task, .lineage = run->lineage}));
    }
  }

  // What values may be: the least and the largest, nothing beside empty, bytes that are no text.
  void StoreOddities() {
    constexpr std::string_view kDuty =
        "INSERT INTO ing_duty (name, owner, until) VALUES (:name, :owner, :until)";
    using Limits = std::numeric_limits<std::int64_t>;
    const std::string nul("\0n\0", 3);
    Run(*ports_, kDuty, {{"name", ""}, {"owner", nul}, {"until", Limits::min()}});
    Run(*ports_, kDuty, {{"name", nul}, {"owner", ""}, {"until", Limits::max()}});
    Run(*ports_, kDuty, {{"name", "ü"}, {"owner", "'\"\\"}, {"until", 0}});
    Run(*ports_, kDuty, {{"name", "u "}, {"owner", " "}, {"until", -1}});
    Run(*ports_, kDuty, {{"name", "u"}, {"owner", "U"}, {"until", 1}});
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
    for (int slice = -2; slice < 3; ++slice) {
      for (int page = 0; page < 5; ++page) {
        const auto all = page == 0 ? std::string() : bytes + std::string(600, '\0');
        Run(*ports_, "INSERT INTO ing_walk_page (slice_id, page_no, ids) VALUES (:s, :p, :ids)",
            {{"s", slice}, {"p", page}, {"ids", Blob{all}}});
      }
    }
    constexpr std::string_view kRetry =
        "INSERT INTO reg_prov_retry_cfg (id, provenance_code, effective_from, item_key, "
        "exp_multiplier_value, jitter_factor_ratio) VALUES (:id, 'p', 1, :key, :real, :text)";
    const std::vector<std::optional<std::string>> reals{"0.1",      "1",   "-2.5e-300", "1.7e308",
                                                        "0.333333", "3.5", std::nullopt};
    for (std::size_t i = 0; i < reals.size(); ++i) {
      const auto text = i % 2 == 0 ? std::optional<std::string>("") : std::nullopt;
      Run(*ports_, kRetry,
          {{"id", static_cast<int>(i) + 1},
           {"key", std::to_string(i)},
           {"real", reals[i]},
           {"text", text}});
    }
  }

  std::string WhyNoClaim(testing::LedgerPorts& ports) {
    const auto claimed = ports.queue().Claim(
        {.owner = "w", .tasks_max = 1, .lease = 15s, .running_per_lane_max = 1000});
    return claimed ? "it is given" : claimed.error().Describe();
  }

  std::optional<domain::Plan> plan_;
  std::unique_ptr<testing::LedgerPorts> target_ =
      static_cast<TwoBackends&>(*backend_).target().Connect(clock_);
};

INSTANTIATE_TEST_SUITE_P(
    Contract, PromotionContract,
    ::testing::Values(
        testing::LedgerBackendFactory{"SqliteToMysql", Both<testing::kSqlite, testing::kMysql>},
        testing::LedgerBackendFactory{"MysqlToSqlite", Both<testing::kMysql, testing::kSqlite>},
        testing::LedgerBackendFactory{"SqliteToSqlite", Both<testing::kSqlite, testing::kSqlite>},
        testing::LedgerBackendFactory{"MysqlToMysql", Both<testing::kMysql, testing::kMysql>}),
    [](const auto& backend) { return std::string(backend.param.name); });

TEST_P(PromotionContract, EverythingFollowsAndWorkGoesOnThere) {
  Harvest();
  StoreOddities();
  const auto items = ports_->Count("SELECT count(*) FROM ing_item");
  ASSERT_GT(items, 3);
  const auto promoted = Promote();
  ASSERT_TRUE(promoted) << promoted.error().Describe();
  for (const auto& table : promoted->tables) {
    EXPECT_TRUE(table.is_same()) << table.name << ": "
                                 << ::testing::PrintToString(table.differences);
    EXPECT_EQ(table.rows, ports_->Count("SELECT count(*) FROM " + table.name)) << table.name;
    EXPECT_EQ(table.rows, target_->Count("SELECT count(*) FROM " + table.name)) << table.name;
  }
  EXPECT_EQ(target_->Count("SELECT count(*) FROM ing_item"), items);
  EXPECT_EQ(target_->Count("SELECT count(*) FROM ing_duty WHERE until = 0 AND name = 'ü'"), 1);
  EXPECT_EQ(
      target_->Count("SELECT count(*) FROM reg_prov_retry_cfg WHERE jitter_factor_ratio IS NULL"),
      3);

  const auto watermark = target_->cursors().Watermark(plan_->lane, plan_->cursor);
  ASSERT_TRUE(watermark);
  EXPECT_EQ(*watermark, Watermark(*plan_));
  const auto goes_on = target_->queue().Claim(
      {.owner = "w", .tasks_max = 10, .lease = 15s, .running_per_lane_max = 1000});
  ASSERT_TRUE(goes_on) << goes_on.error().Describe();
  EXPECT_EQ(goes_on->size(), 3u);
}

TEST_P(PromotionContract, TheOldStoreShowsEverythingAndTakesNothing) {
  Harvest();
  PromoteWell();
  EXPECT_THAT(WhyNoClaim(*ports_), HasSubstr("moved to new"));
  EXPECT_FALSE(ports_->plans().AddIfAbsent(Draft(10, 12)));
  const auto beat = ports_->executors().Beat("w", "host", 1);
  ASSERT_FALSE(beat);
  EXPECT_THAT(beat.error().hint, HasSubstr("--db new"));
  EXPECT_EQ(ports_->read().ledger().Plans({})->size(), 1u);
  EXPECT_FALSE(infra::sql::GiveUpPromotion({ports_->database(), clock_, "old"}));
}

TEST_P(PromotionContract, EveryTableIsCopiedOrHasAReasonToStay) {
  ports_->Execute("CREATE TABLE notes_of_theirs (note BIGINT)");
  const auto promoted = Promote();
  const auto dropped = ports_->database().Write(LockScope::Mover(), [](Session& session) {
    return session.Execute("DROP TABLE notes_of_theirs");
  });
  EXPECT_TRUE(dropped);
  ASSERT_TRUE(promoted) << promoted.error().Describe();
  std::set<std::string> copied;
  for (const auto& table : promoted->tables) copied.insert(table.name);
  for (auto* ports : {ports_.get(), target_.get()}) {
    const auto tables = ports->database().Read(infra::sql::StoredTablesOf);
    ASSERT_TRUE(tables);
    for (const auto& table : *tables)
      EXPECT_NE(copied.contains(table.name), !infra::sql::WhyItStays(table.name).empty())
          << table.name;
  }
  EXPECT_THAT(copied, Contains("ing_node"));
  EXPECT_THAT(promoted->not_ours, Contains("notes_of_theirs")) << "it is not left without a word";
  EXPECT_THAT(promoted->not_ours, ::testing::Not(Contains(::testing::StartsWith("ing_"))));
}

TEST_P(PromotionContract, WhoeverIsInterruptedAtEveryTransactionGoesOnWhereItStopped) {
  Harvest();
  StoreOddities();
  Interrupted target(target_->database());
  int interruptions = 0;
  while (true) {
    // At the first, second or third step from there, without knowing that it was made, or before it is.
    target.FailAtWrite(1 + interruptions % 3, interruptions / 3 % 2 == 0
                                                  ? Interrupted::At::kAfter
                                                  : Interrupted::At::kBefore);
    const auto promoted = Promote(ports_->database(), target, [](auto...) {});
    if (promoted) {
      ASSERT_TRUE(promoted->is_done());
      break;
    }
    ASSERT_EQ(promoted.error().code, ErrorCode::kUnavailable) << promoted.error().Describe();
    const auto why = WhyNoClaim(*ports_);
    ASSERT_THAT(why, ::testing::AnyOf(HasSubstr("being moved"), HasSubstr("moved to new")));
    ASSERT_LT(++interruptions, 200);
  }
  EXPECT_GT(interruptions, 10);
  for (const auto* table : {"ing_item", "ing_task", "ing_walk_page", "ing_duty", "ing_node"}) {
    const auto count = std::string("SELECT count(*) FROM ") + table;
    EXPECT_EQ(target_->Count(count), ports_->Count(count)) << table;
  }
  EXPECT_EQ(WhyNoClaim(*target_), "it is given");
}

TEST_P(PromotionContract, WhatDiffersAfterCopyingIsNamedAndNothingMoves) {
  Harvest();
  StoreOddities();
  bool is_done = false;
  const auto lie = [&](PromotionStage stage, auto...) {
    if (stage != PromotionStage::kCompare || std::exchange(is_done, true)) return;
    Run(*target_, "UPDATE ing_item SET fields = '{}' WHERE provider_item_id = 'plain'", {});
    Run(*target_, "DELETE FROM ing_walk_page WHERE slice_id = -1 AND page_no = 2", {});
    Run(*target_, "INSERT INTO ing_duty (name, owner, until) VALUES ('new', 'o', 1)", {});
    Run(*target_, "UPDATE reg_prov_retry_cfg SET jitter_factor_ratio = '' WHERE id = 2", {});
  };
  const auto promoted = Promote(ports_->database(), target_->database(), lie);
  ASSERT_TRUE(promoted) << promoted.error().Describe();
  EXPECT_FALSE(promoted->is_done());
  std::map<std::string, std::vector<std::string>> differences;
  for (const auto& table : promoted->tables) {
    EXPECT_EQ(table.is_same(), table.differences.empty()) << table.name;
    if (!table.is_same()) differences[table.name] = table.differences;
  }
  ASSERT_EQ(differences.size(), 4u);
  EXPECT_THAT(differences["ing_item"], ElementsAre(HasSubstr(": other content")));
  EXPECT_THAT(differences["ing_walk_page"],
              ElementsAre("slice_id=-1, page_no=2: missing in the target"));
  EXPECT_THAT(differences["ing_duty"], ElementsAre("name=new: in the target only"));
  EXPECT_THAT(differences["reg_prov_retry_cfg"], ElementsAre("id=2: other content"));
  EXPECT_THAT(WhyNoClaim(*target_), HasSubstr("not whole"));
  EXPECT_THAT(WhyNoClaim(*ports_), HasSubstr("being moved"));
}

TEST_P(PromotionContract, AnExecutorThatIsAliveIsNotCutOff) {
  Harvest();
  ASSERT_TRUE(ports_->executors().Beat("worker", "host-1", 1));
  const auto refused = Promote();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(refused.error().Describe(), HasSubstr("worker on host-1"));
  EXPECT_EQ(WhyNoClaim(*ports_), "it is given");
  clock_.Advance(2min);
  PromoteWell();
}

TEST_P(PromotionContract, WhatIsGivenUpLeavesTheOldStoreUsableAndTheNewOneNot) {
  Harvest();
  Interrupted target(target_->database());
  target.FailAtWrite(4, Interrupted::At::kAfter);
  ASSERT_FALSE(Promote(ports_->database(), target, [](auto...) {}));
  EXPECT_THAT(WhyNoClaim(*ports_), HasSubstr("being moved to new"));
  const auto given_up = infra::sql::GiveUpPromotion({ports_->database(), clock_, "old"});
  ASSERT_TRUE(given_up) << given_up.error().Describe();
  EXPECT_EQ(*given_up, "new");
  EXPECT_EQ(WhyNoClaim(*ports_), "it is given");
  EXPECT_THAT(WhyNoClaim(*target_), HasSubstr("not whole"));
  const auto looks = target_->database().Read(
      [](Session& session) { return infra::sql::promotion_table::CheckWhole(session); });
  EXPECT_FALSE(looks) << "a part of the records is no answer";

  const auto again = Promote();
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().Describe(), HasSubstr("given up"));
  EXPECT_EQ(WhyNoClaim(*ports_), "it is given") << "nothing was begun";
}

TEST_P(PromotionContract, WhoeverIsStillAtItNoticesThatItWasGivenUp) {
  Harvest();
  bool is_done = false;
  const auto give_up = [&](PromotionStage stage, auto...) {
    if (stage != PromotionStage::kCompare || std::exchange(is_done, true)) return;
    ASSERT_TRUE(infra::sql::GiveUpPromotion({ports_->database(), clock_, "old"}));
  };
  const auto promoted = Promote(ports_->database(), target_->database(), give_up);
  ASSERT_FALSE(promoted);
  EXPECT_EQ(promoted.error().code, ErrorCode::kConflict);
  EXPECT_EQ(WhyNoClaim(*ports_), "it is given");
  EXPECT_THAT(WhyNoClaim(*target_), HasSubstr("not whole"));
}

TEST_P(PromotionContract, NothingIsOverwritten) {
  Harvest();
  Run(*target_, "INSERT INTO ing_duty (name, owner, until) VALUES ('theirs', 'o', 1)", {});
  const auto refused = Promote();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_THAT(refused.error().Describe(), HasSubstr("rows in ing_duty"));
  EXPECT_EQ(WhyNoClaim(*ports_), "it is given");
}

TEST_P(PromotionContract, TheSameCommandOnceMoreSaysThatItIsDone) {
  Harvest();
  PromoteWell();
  EXPECT_EQ(WhyNoClaim(*target_), "it is given") << "and so it is no longer the same";
  const auto again = Promote();
  ASSERT_TRUE(again) << again.error().Describe();
  EXPECT_TRUE(again->was_done_before);
}

TEST_P(PromotionContract, BetweenBothLastStepsNeitherTakesChangesAndTheNextRunMakesTheSecond) {
  Harvest();
  Interrupted target(target_->database());
  target.FailAtWrite(std::numeric_limits<int>::max(), Interrupted::At::kBefore);
  ASSERT_TRUE(Promote(ports_->database(), target, [](auto...) {}));
  const auto last = target.writes();
  Run(*target_, "UPDATE ing_promotion SET state_code = 'FILLING'", {});
  EXPECT_GT(last, 3);
  EXPECT_THAT(WhyNoClaim(*target_), HasSubstr("not whole"));
  EXPECT_THAT(WhyNoClaim(*ports_), HasSubstr("moved to new"));
  PromoteWell();
  EXPECT_EQ(WhyNoClaim(*target_), "it is given");
}

}  // namespace patra::promotion_contract_test
