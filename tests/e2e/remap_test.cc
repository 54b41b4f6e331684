// A changed definition on the pages that were kept: afterwards the store is as if the definition had always been this one, and
// nobody was asked for anything.
#include "app/remap/remap_records.h"

#include <map>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/sim_rest.h"
#include "tests/e2e/sim_world.h"
#include "tests/raw_database.h"
#include "tests/run_harvest.h"

namespace patra::remap_test {

using std::chrono::days;
using ::testing::HasSubstr;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 11 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

// Ends like a process that is killed when it is about to write for the nth time.
class DyingStore final : public app::RemapStore {
 public:
  DyingStore(app::RemapStore& store, int writes) : store_(store), writes_(writes) {}

  Result<app::Remap> Begin(const app::RemapWish& wish, const app::Decision& decision) override {
    PATRA_TRY(Live());
    return store_.Begin(wish, decision);
  }
  Result<std::vector<app::VaultPage>> Pages(const domain::Lane& lane, std::optional<Instant> since,
                                            const app::RemapPlace& after, int pages_max) override {
    return store_.Pages(lane, since, after, pages_max);
  }
  Result<domain::StoredItems> Versions(const domain::Lane& lane,
                                       const std::vector<domain::Record>& records) override {
    return store_.Versions(lane, records);
  }
  Result<domain::RecordCounts> Commit(const app::RemapCommit& commit) override {
    PATRA_TRY(Live());
    return store_.Commit(commit);
  }
  Result<void> Note(const app::Remap& remap) override {
    PATRA_TRY(Live());
    return store_.Note(remap);
  }
  Result<void> Finish(const app::Remap& remap) override {
    PATRA_TRY(Live());
    return store_.Finish(remap);
  }

 private:
  Result<void> Live() {
    if (writes_-- > 0) return {};
    return Fail(ErrorCode::kUnavailable, "the process is gone");
  }

  app::RemapStore& store_;
  int writes_;
};

class RemapWorld : public testing::SimWorld {
 protected:
  // The definition is changed between `old_` and `new_`: a field is renamed, one is gone, one is new.
  void StartWith(const std::string& endpoint) {
    Start({.seed = 11, .size = 400, .providers = {"rest"}, .begin = kBegin, .now = kNow});
    new_ = testing::SimRest(endpoint, simulator_->url(), kBegin);
    new_.window.width = new_.window.width_max = days(20);
    if (new_.paging.style != domain::PagingStyle::kTime) new_.paging.size = 20;
    if (new_.details) new_.details->id_batch_size = 20;
    old_ = new_;
    auto& fields = FieldsOf(old_);
    std::erase_if(fields, [](const auto& field) { return field.name == "abstract"; });
    for (auto& field : fields) {
      if (field.name == "title") field.name = "heading";
    }
    fields.push_back({.name = "more", .path = "$.kind"});
  }

  static std::vector<domain::FieldSpec>& FieldsOf(domain::SpecSnapshot& spec) {
    return spec.details ? spec.details->fields : spec.fields;
  }

  void HarvestBy(const domain::SpecSnapshot& spec) {
    const auto summary = testing::Harvest(*engine_, {.spec = spec}, {.workers = 0});
    ASSERT_TRUE(summary) << summary.error().Describe();
    EXPECT_EQ(summary->work.failed, 0);
  }

  // Twice, so that there are records with several versions, and pages that say what later ones say otherwise.
  void HarvestAndLetTimePass(const domain::SpecSnapshot& spec) {
    HarvestBy(spec);
    simulator_->Advance(days(30));
    HarvestBy(spec);
  }

  Result<app::RemapReport> Remap(bool dry_run = false) {
    return RemapOn(engine_->store().remaps(), dry_run);
  }

  Result<app::RemapReport> RemapOn(app::RemapStore& remaps, bool dry_run = false) {
    auto& store = engine_->store();
    app::CompiledSources sources;
    app::ReadVault vault(store.replays(), sources,
                         [&](const domain::Lane&) -> Result<domain::SpecSnapshot> { return new_; });
    app::RemapRecords remap(remaps, store.replays(), store.item_views(), vault);
    return remap.Run(
        {.spec = new_, .dry_run = dry_run, .decision = {{"anna"}, "titles"}},
        [](const app::RemapReport&) {}, [](const app::RemapProgress&) {});
  }

  // What is alive, with what is known of it.
  std::map<std::string, std::string> Items() {
    std::map<std::string, std::string> items;
    const auto read =
        testing::DatabaseOf(engine_->store())
            .Read([&](infra::sql::Session& session) -> Result<void> {
              auto rows =
                  PATRA_TRY(session.Query("SELECT provider_item_id, updated_at, fields FROM "
                                          "ing_item WHERE deleted_at IS NULL "
                                          "ORDER BY provider_item_id"));
              while (PATRA_TRY(rows.Next()))
                items.emplace(
                    rows.Text("provider_item_id"),
                    fmt::format("{} {}", rows.Integer("updated_at"), rows.Text("fields")));
              return {};
            });
    EXPECT_TRUE(read) << read.error().Describe();
    return items;
  }

  // How often each id was told as changed.
  std::map<std::string, int> Told() {
    std::map<std::string, int> told;
    const auto read =
        testing::DatabaseOf(engine_->store())
            .Read([&](infra::sql::Session& session) -> Result<void> {
              auto rows = PATRA_TRY(session.Query(
                  "SELECT payload_json FROM ing_outbox_message WHERE dedup_key LIKE 'remap/%'"));
              while (PATRA_TRY(rows.Next())) {
                const auto payload = PATRA_TRY(ParseJson(rows.View("payload_json")));
                for (const char* list : {"inserted", "updated"}) {
                  const auto* ids = payload.Find(list);
                  if (ids == nullptr || ids->AsArray() == nullptr) continue;
                  for (const auto& id : *ids->AsArray()) ++told[*id.AsString()];
                }
              }
              return {};
            });
    EXPECT_TRUE(read) << read.error().Describe();
    return told;
  }

  std::int64_t Requests() {
    return Count("SELECT coalesce(sum(requests), 0) FROM ing_batch_rollup");
  }

  domain::SpecSnapshot old_;
  domain::SpecSnapshot new_;
};

class RemapOfEveryStyle : public RemapWorld, public ::testing::TestWithParam<const char*> {};

TEST_P(RemapOfEveryStyle, LeavesTheStoreAsIfTheDefinitionHadAlwaysBeenThis) {
  StartWith(GetParam());
  HarvestAndLetTimePass(new_);
  const auto truth = Items();
  ASSERT_GT(truth.size(), 100u);

  StartWith(GetParam());
  HarvestAndLetTimePass(old_);
  const auto before = Items();
  EXPECT_NE(before, truth);
  const auto requests = Requests();

  const auto look = Remap(true);
  ASSERT_TRUE(look) << look.error().Describe();
  EXPECT_TRUE(look->look.is_whole);
  EXPECT_GT(look->look.changed, 0);
  std::set<std::string> names;
  for (const auto& [name, change] : look->look.fields) names.insert(name);
  EXPECT_EQ(names, (std::set<std::string>{"abstract", "heading", "more", "title"}));
  EXPECT_EQ(Items(), before) << "a look writes nothing";
  EXPECT_EQ(Count("SELECT count(*) FROM ing_remap"), 0);

  const auto report = Remap();
  ASSERT_TRUE(report) << report.error().Describe();
  EXPECT_EQ(report->updated, look->look.changed);
  EXPECT_EQ(report->pages_lost, 0);
  EXPECT_EQ(Items(), truth);
  EXPECT_EQ(Requests(), requests);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_audit WHERE action = 'REMAP' AND actor = 'anna'"), 1);

  const auto again = Remap();
  ASSERT_TRUE(again) << again.error().Describe();
  EXPECT_EQ(again->updated + again->inserted, 0);
  EXPECT_EQ(Items(), truth);
}

TEST_P(RemapOfEveryStyle, GoesOnWhereverItIsKilledAndTellsEachChangeOnce) {
  StartWith(GetParam());
  HarvestAndLetTimePass(new_);
  const auto truth = Items();
  StartWith(GetParam());
  HarvestAndLetTimePass(old_);
  bool is_done = false;
  // Each time a little further, so that it dies behind every one of its writes.
  for (int writes = 1; writes < 200 && !is_done; ++writes) {
    DyingStore dying(engine_->store().remaps(), writes);
    is_done = RemapOn(dying).has_value();
  }
  EXPECT_TRUE(is_done);
  EXPECT_EQ(Items(), truth);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_remap WHERE finished_at IS NOT NULL"), 1);
  const auto told = Told();
  EXPECT_GE(told.size(), truth.size());
  for (const auto& [id, times] : told) EXPECT_EQ(times, 1) << id;
}

INSTANTIATE_TEST_SUITE_P(Sim, RemapOfEveryStyle,
                         ::testing::Values("items", "by-scroll", "by-time", "by-ids", "by-key"),
                         [](const auto& endpoint) {
                           std::string name = endpoint.param;
                           std::erase(name, '-');
                           return name;
                         });

class RemapTest : public RemapWorld, public ::testing::Test {};

// The page that brought what is stored is gone; an older one says something else.
TEST_F(RemapTest, ARecordWhosePageIsGoneStaysAsItIs) {
  StartWith("items");
  HarvestAndLetTimePass(old_);
  const auto newest =
      Count("SELECT max(run_id) FROM ing_task_run_batch WHERE status_code = 'SUCCEEDED'");
  const auto before = Items();
  const auto of_newest = fmt::format(
      "SELECT id FROM ing_task_run_batch WHERE run_id = {} AND status_code = 'SUCCEEDED'", newest);
  std::set<std::string> lost;
  ASSERT_TRUE(testing::DatabaseOf(engine_->store())
                  .Write([&](infra::sql::Session& session) -> Result<void> {
                    {
                      auto rows = PATRA_TRY(
                          session.Query(fmt::format("SELECT provider_item_id FROM ing_item WHERE "
                                                    "deleted_at IS NULL AND batch_id IN ({})",
                                                    of_newest)));
                      while (PATRA_TRY(rows.Next())) lost.insert(rows.Text(infra::sql::kOnly));
                    }
                    return session.Execute(
                        fmt::format("DELETE FROM ing_raw_page WHERE batch_id IN ({})", of_newest));
                  }));
  ASSERT_GT(lost.size(), 3u);
  const auto report = Remap();
  ASSERT_TRUE(report) << report.error().Describe();
  EXPECT_GT(report->pages_lost, 0);
  const auto after = Items();
  for (const auto& [id, item] : after) {
    if (lost.contains(id)) {
      EXPECT_EQ(item, before.at(id)) << id;
    } else {
      EXPECT_NE(item, before.at(id)) << id;
    }
  }
}

TEST_F(RemapTest, WhatWasHarvestedByTheNewDefinitionSinceIsNotOlderThanWhatWasMappedAnew) {
  StartWith("items");
  HarvestBy(old_);
  ASSERT_TRUE(Remap());
  simulator_->Advance(std::chrono::hours(1));
  // The same versions once more, by a plan that was made since: a correction of the same day counts.
  auto later = new_;
  FieldsOf(later).push_back({.name = "extra", .path = "$.title"});
  const auto summary = testing::Harvest(
      *engine_, {.spec = later, .from = kBegin, .options = {.again = true}}, {.workers = 0});
  ASSERT_TRUE(summary) << summary.error().Describe();
  const auto items = Items();
  ASSERT_FALSE(items.empty());
  for (const auto& [id, item] : items) EXPECT_THAT(item, HasSubstr("\"extra\"")) << id;
}

TEST_F(RemapTest, WhatTheDefinitionMakesNothingOfStaysAsItIsAndStandsInQuarantine) {
  StartWith("items");
  HarvestBy(old_);
  for (auto& field : FieldsOf(new_)) {
    if (field.name == "kind") field.one_of = {"article"};
  }
  const auto before = Items();
  const auto report = Remap();
  ASSERT_TRUE(report) << report.error().Describe();
  ASSERT_GT(report->bad, 0);
  ASSERT_GT(report->updated, 0);
  EXPECT_EQ(report->isolated, report->bad);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_quarantine WHERE status_code = 'OPEN'"), report->bad);
  const auto after = Items();
  EXPECT_EQ(after.size(), before.size());
  std::int64_t same = 0;
  for (const auto& [id, item] : after) same += item == before.at(id) ? 1 : 0;
  EXPECT_EQ(same, report->bad);

  const auto once_more = Remap();
  ASSERT_TRUE(once_more);
  EXPECT_EQ(once_more->isolated, 0);
  for (auto& field : FieldsOf(new_)) field.one_of.clear();
  ASSERT_TRUE(Remap());
  EXPECT_EQ(Count("SELECT count(*) FROM ing_quarantine WHERE status_code = 'OPEN'"), 0)
      << "what can be mapped now is settled";
}

// Somebody replayed the batch, and what came then is newer than its page.
TEST_F(RemapTest, WhatAReplayBroughtIsNotTakenBack) {
  StartWith("items");
  HarvestBy(old_);
  simulator_->Advance(days(30));
  const auto key = Count(
      "SELECT min(id) FROM ing_task_run_batch WHERE status_code = 'SUCCEEDED' AND record_count > "
      "0");
  const auto run = Count(fmt::format("SELECT run_id FROM ing_task_run_batch WHERE id = {}", key));
  const auto replayed = engine_->replay().Run({.run = run,
                                               .batch = key,
                                               .mode = app::ReplayMode::kCommit,
                                               .decision = {{"anna"}, "newer"}});
  ASSERT_TRUE(replayed) << replayed.error().Describe();
  const auto before = Items();
  ASSERT_TRUE(Remap());
  std::int64_t kept = 0;
  for (const auto& [id, item] : Items()) kept += item == before.at(id) ? 1 : 0;
  EXPECT_EQ(kept, replayed->committed.updated + replayed->committed.inserted);
}

}  // namespace patra::remap_test
