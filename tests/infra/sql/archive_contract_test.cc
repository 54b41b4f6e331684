// What every store must do about rows that leave it for the archive.
#include <gmock/gmock.h>

#include "app/retention/archive_old.h"
#include "base/zstd_frame.h"
#include "contract/ledger_rows.h"
#include "domain/retention/archive_text.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra::archive_contract_test {

using app::ArchivedKind;
using std::chrono::days;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kHour;
using testing::kStart;
using ::testing::SizeIs;

class EventNames final : public app::Log {
 public:
  void Write(app::LogLevel, std::string_view event, const domain::Lineage&,
             const Value::Object&) override {
    events.emplace_back(event);
  }

  std::vector<std::string> events;
};

class ArchiveContract : public testing::LedgerTest {
 protected:
  // Walks a task over so many pages of three records, each with its raw page.
  std::vector<Id> Walk(const app::LeasedTask& task, int pages,
                       domain::TaskStatus end = domain::TaskStatus::kSucceeded) {
    auto run = ports_->runs().Open(task, kFirstPage);
    EXPECT_TRUE(run) << run.error().Describe();
    std::vector<Id> batches;
    for (int page = 1; page <= pages; ++page) {
      std::vector<domain::Record> records;
      for (int i = 0; i < 3; ++i)
        records.push_back(RecordOf(fmt::format("{}-{}-{}", task.lineage.slice, page, i),
                                   task.window().from(), "Ünïcode \"x\"\n"));
      auto batch = BatchOf(task, *run, records);
      batch.batch_no = run->batch_no++;
      batch.before = {.page = page,
                      .size = page > 1 ? std::optional<std::int64_t>(3) : std::nullopt};
      const bool is_last = page == pages && end == domain::TaskStatus::kSucceeded;
      if (!is_last) batch.after = app::Position{.page = page + 1, .size = 3};
      batch.page_size = 3;
      batch.evidence.request = R"({"url":"https://example.org/?q=ü"})";
      batch.raw_page = app::RawPage{
          "application/json", fmt::format("{{\"page\":{},\"raw\":\"\xff\"}}", page), clock_.Now()};
      batches.push_back(run->lineage.batch);
      const auto committed = ports_->runs().Commit(batch);
      EXPECT_TRUE(committed) << committed.error().Describe();
      run->lineage.batch = committed->next_batch;
      clock_.Advance(std::chrono::seconds(1));
    }
    app::SliceClose close{.task = task, .lineage = run->lineage, .status = end};
    if (end != domain::TaskStatus::kSucceeded) close.error = "it failed";
    EXPECT_TRUE(ports_->runs().Close(close));
    return batches;
  }

  // A plan of `hours` slices, each walked over two pages.
  std::vector<Id> Harvest(int from, int to) {
    Planned(from, to);
    std::vector<Id> batches;
    for (const auto& task : Claim(to - from)) {
      const auto walked = Walk(task, 2);
      batches.insert(batches.end(), walked.begin(), walked.end());
    }
    return batches;
  }

  app::RetentionPorts Ports() {
    return {.store = ports_->archive(),
            .files = ports_->store().archive_files(),
            .old_rows = ports_->store().old_rows(),
            .forgetting = ports_->store().forgetting(),
            .outbox = ports_->outbox(),
            .duties = ports_->duties(),
            .ids = ids_,
            .clock = clock_,
            .log = log_,
            .stop = stop_};
  }
  app::ArchiveReport Archive(app::ArchiveRules rules = {}) {
    rules.before = clock_.Now() - days(90);
    const auto report =
        app::ArchiveOld(Ports(), "me").Run(rules, [](ArchivedKind, std::int64_t) {});
    EXPECT_TRUE(report) << report.error().Describe();
    return report.value_or(app::ArchiveReport{});
  }
  static app::ArchivedOfKind Of(ArchivedKind kind, const app::ArchiveReport& report) {
    for (const auto& one : report.kinds) {
      if (one.kind == kind) return one;
    }
    return {};
  }

  std::int64_t Batches() { return ports_->Count("SELECT count(*) FROM ing_task_run_batch"); }
  std::int64_t Pages() { return ports_->Count("SELECT count(*) FROM ing_raw_page"); }
  std::int64_t Events() { return ports_->Count("SELECT count(*) FROM ing_cursor_event"); }

  // All that anybody is shown of a batch.
  std::string Shown(Id id) {
    const auto row = ports_->read().ledger().Batch(id);
    EXPECT_TRUE(row) << row.error().Describe();
    std::string shown;
    for (const auto& [name, value] : row ? contract::FactsOf(*row) : contract::Facts{})
      shown += fmt::format("{}={}\n", name, PrintJson(value));
    return shown;
  }
  std::string Recorded(Id run, Id batch) {
    const auto found = ports_->replays().Read(run, batch);
    EXPECT_TRUE(found) << found.error().Describe();
    if (!found) return "";
    return fmt::format(
        "{} {} {} {} {} {} {} {} {} {} {}", found->lineage.batch, found->lineage.slice,
        found->batch_no, found->before ? PrintJson(found->before->ToValue()) : "nowhere",
        found->after ? PrintJson(found->after->ToValue()) : "end", found->counts.received,
        found->records_before, found->request_digest, found->ids.size(),
        found->raw_page ? found->raw_page->body + found->raw_page->content_type : "no page",
        found->committed_at ? FormatRfc3339(*found->committed_at) : "never");
  }

  EventNames log_;
  app::StopRequest stop_;
};
RUN_ON_EVERY_LEDGER(ArchiveContract);

TEST_P(ArchiveContract, WhatIsOldLeavesTheStoreAndIsFoundAllTheSame) {
  const auto batches = Harvest(0, 3);
  std::vector<std::string> shown, recorded;
  auto& reading = ports_->read().ledger();
  for (const auto id : batches) {
    shown.push_back(Shown(id));
    recorded.push_back(Recorded(reading.Batch(id)->run, id));
  }
  const auto run = reading.Batch(batches.front())->run;
  const auto listed = reading.Batches({.run = run});
  ASSERT_THAT(*listed, SizeIs(2));
  const auto item = ports_->read().items().Newest({}, 1)->at(0);
  const auto first_batch = *ports_->read().items().FirstBatch(item);
  ASSERT_TRUE(first_batch);

  clock_.Advance(days(100));
  const auto report = Archive();
  EXPECT_EQ(Of(ArchivedKind::kRawPages, report).rows, 6);
  EXPECT_EQ(Of(ArchivedKind::kBatches, report).rows, 6);
  EXPECT_EQ(Batches(), 0);
  EXPECT_EQ(Pages(), 0);
  EXPECT_THAT(backend_->archive.files(), SizeIs(2));

  for (std::size_t i = 0; i < batches.size(); ++i) {
    EXPECT_EQ(Shown(batches[i]), shown[i]);
    EXPECT_EQ(Recorded(reading.Batch(batches[i])->run, batches[i]), recorded[i]);
  }
  const auto listed_now = reading.Batches({.run = run});
  ASSERT_THAT(*listed_now, SizeIs(2));
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(listed_now->at(i).id, listed->at(i).id);
  EXPECT_THAT(*reading.Batches({.status = "SUCCEEDED", .run = run}), SizeIs(2));
  EXPECT_THAT(*reading.Batches({.status = "FAILED", .run = run}), IsEmpty());
  EXPECT_THAT(*reading.Batches({}), SizeIs(6));
  const auto page_on =
      reading.Batches({.run = run, .after = contract::LedgerPlace{.run = run, .number = 2}});
  ASSERT_THAT(*page_on, SizeIs(1));
  EXPECT_EQ(page_on->at(0).number, 1);
  EXPECT_EQ(ports_->read().items().FirstBatch(item).value(), first_batch);
}

TEST_P(ArchiveContract, FilesAreReadWithoutPatra) {
  const auto batches = Harvest(0, 1);
  clock_.Advance(days(100));
  Archive();
  for (const auto& [name, bytes] : backend_->archive.files()) {
    EXPECT_TRUE(name.starts_with("demo/")) << name;
    const auto text = *Decompress(bytes, 1 << 20);
    std::vector<Value> lines;
    for (std::size_t at = 0; at < text.size();) {
      const auto end = text.find('\n', at);
      auto line = ParseJson(text.substr(at, end - at));
      ASSERT_TRUE(line) << line.error().Describe();
      lines.push_back(*std::move(line));
      at = end + 1;
    }
    ASSERT_THAT(lines, SizeIs(3));
    EXPECT_EQ(*lines[0].Find("source"), Value("demo"));
    if (*lines[0].Find("kind") != Value("BATCHES")) continue;
    EXPECT_EQ(*lines[1].Find("id"), Value(fmt::to_string(batches[0]))) << "more than 2^53";
    EXPECT_EQ(*lines[1].Find("batch_no"), Value(1));
    EXPECT_EQ(*lines[1].Find("status_code"), Value("SUCCEEDED")) << "a text on either database";
  }
}

TEST_P(ArchiveContract, WhatIsYoungStays) {
  Harvest(0, 1);
  clock_.Advance(days(80));
  Harvest(1, 2);
  clock_.Advance(days(20));
  const auto report = Archive();
  EXPECT_EQ(Of(ArchivedKind::kBatches, report).rows, 2);
  EXPECT_EQ(Batches(), 2);
  EXPECT_EQ(Pages(), 2);
}

TEST_P(ArchiveContract, WhatAnOpenPlanHasBroughtStays) {
  Planned(0, 2);
  Walk(Claim(1).at(0), 2);
  clock_.Advance(days(100));
  const auto report = Archive();
  EXPECT_EQ(Of(ArchivedKind::kBatches, report).needed, 2);
  EXPECT_EQ(Of(ArchivedKind::kRawPages, report).needed, 2);
  EXPECT_EQ(Batches(), 2) << "the plan's other task is queued";
  ASSERT_TRUE(Finish(Claim(1).at(0)));
  clock_.Advance(days(100));
  Archive();
  EXPECT_EQ(Batches(), 0);
}

TEST_P(ArchiveContract, ATaskThatFailedGoesOnWhereItStopped) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  Walk(task, 3, domain::TaskStatus::kFailed);
  clock_.Advance(days(100));
  Archive();
  EXPECT_EQ(Batches(), 1) << "the last one that was committed";
  ASSERT_TRUE(ports_->queue().Requeue(task.lineage.task, {{"anna"}, "again"}));
  const auto again = Claim(1);
  ASSERT_THAT(again, SizeIs(1));
  const auto run = ports_->runs().Open(again.front(), kFirstPage);
  ASSERT_TRUE(run) << run.error().Describe();
  EXPECT_EQ(run->start.page, 4);
  // What the archive says of where it began is known by who replays it.
  auto batch = BatchOf(again.front(), *run, {});
  batch.before = run->start;
  ASSERT_TRUE(ports_->runs().Commit(batch));
  EXPECT_THAT(Recorded(run->lineage.run, run->lineage.batch), HasSubstr("\"page\":4"));
}

TEST_P(ArchiveContract, WhatSomebodyHasToDecideAboutStays) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, kFirstPage);
  auto batch = BatchOf(task, *run, {});
  batch.bad_records = {{.id = "x", .path = "$", .rule = "json", .reason = "r", .bytes = "{"}};
  batch.raw_page = app::RawPage{"application/json", "{", clock_.Now()};
  ASSERT_TRUE(ports_->runs().Commit(batch));
  ASSERT_TRUE(ports_->runs().Close({.task = task, .lineage = run->lineage}));
  clock_.Advance(days(100));
  Archive();
  EXPECT_EQ(Batches(), 1);
  EXPECT_EQ(Pages(), 1);
  const auto open = ports_->quarantine().List({}, 0, 10)->at(0);
  ASSERT_TRUE(ports_->quarantine().Reject(open.id, {{"anna"}, "no record"}));
  Archive();
  EXPECT_EQ(Batches(), 0);
}

TEST_P(ArchiveContract, ADecisionThatComesInBetweenKeepsTheRow) {
  const auto batches = Harvest(0, 1);
  clock_.Advance(days(100));
  const auto before = clock_.Now() - days(90);
  auto& archive = ports_->archive();
  ASSERT_THAT(archive.Look(ArchivedKind::kRawPages, before, {}, 10)->found, SizeIs(2));
  ports_->Execute(fmt::format("UPDATE ing_task SET status_code = 'QUEUED' WHERE id = {}",
                              ports_->read().ledger().Batch(batches[0])->task));
  app::ArchiveFile file{.id = 1, .kind = ArchivedKind::kRawPages, .source = "demo"};
  ASSERT_TRUE(archive.Announce(file));
  EXPECT_EQ(archive.Remove(file, batches).value(), 0);
  EXPECT_EQ(Pages(), 2);
}

TEST_P(ArchiveContract, EventsOfACursorAreShownWhereverTheyAre) {
  const auto plan = Planned(0, 1);
  ASSERT_TRUE(Finish(Claim(1).at(0)));
  for (int i = 0; i < 130; ++i) {
    clock_.Advance(std::chrono::minutes(1));
    ASSERT_TRUE(ports_->cursors().Set(plan.lane, plan.cursor, kStart + i * kHour, {{"anna"}, "r"}));
  }
  const auto cursor = ports_->read().ledger().Cursors({})->at(0);
  const auto shown = [&](const contract::Stretch& within, int rows_max) {
    std::vector<std::string> events;
    const auto found = ports_->read().ledger().EventsOf(cursor, within, rows_max);
    EXPECT_TRUE(found) << found.error().Describe();
    for (const auto& event : *found)
      events.push_back(fmt::format("{} {} {}", event.id, event.after, event.remarks));
    return events;
  };
  const auto all = shown(contract::kAlways, 1000);
  ASSERT_THAT(all, SizeIs(131));
  const auto of_plan = ports_->read().ledger().EventsOf({.plan = plan.id});
  ASSERT_THAT(*of_plan, SizeIs(1));
  const contract::Stretch narrow{clock_.Now() - std::chrono::minutes(121),
                                 clock_.Now() - std::chrono::minutes(118)};
  const auto few = shown(narrow, 10);
  ASSERT_THAT(few, SizeIs(3));

  clock_.Advance(days(100));
  const auto report = Archive();
  EXPECT_EQ(Of(ArchivedKind::kCursorEvents, report).rows, 31);
  EXPECT_EQ(Of(ArchivedKind::kCursorEvents, report).needed, 100)
      << "who settles the cursor looks at the last hundred";
  EXPECT_EQ(Events(), 100);
  EXPECT_EQ(shown(contract::kAlways, 1000), all);
  EXPECT_EQ(shown(contract::kAlways, 120),
            std::vector<std::string>(all.begin(), all.begin() + 120));
  EXPECT_EQ(shown(narrow, 10), few);
  EXPECT_EQ(ports_->read().ledger().EventsOf({.plan = plan.id})->at(0).id, of_plan->at(0).id);
  ASSERT_TRUE(ports_->cursors().Settle(plan.lane, plan.cursor));
  EXPECT_EQ(Watermark(plan), kStart + 129 * kHour);
}

TEST_P(ArchiveContract, SaysWhatIsMissingWhereAFileIs) {
  const auto batches = Harvest(0, 1);
  const auto run = ports_->read().ledger().Batch(batches[0])->run;
  clock_.Advance(days(100));
  Archive();
  auto put_aside = backend_->archive.files();
  backend_->archive.files().clear();
  const auto missing = ports_->read().ledger().Batch(batches[0]);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(missing.error().Describe(), HasSubstr("demo/batches-"));
  EXPECT_THAT(missing.error().Describe(), HasSubstr("put it back into memory"));
  for (auto& [name, bytes] : put_aside) {
    auto broken = bytes;
    broken[broken.size() / 2] ^= 1;
    backend_->archive.files()[name] = broken;
  }
  EXPECT_EQ(ports_->read().ledger().Batch(batches[0]).error().code, ErrorCode::kCorruption);
  EXPECT_EQ(ports_->replays().Read(run, batches[0]).error().code, ErrorCode::kCorruption);
  backend_->archive.files() = put_aside;
  EXPECT_TRUE(ports_->read().ledger().Batch(batches[0]));
  EXPECT_EQ(ports_->read().ledger().Batch(999).error().code, ErrorCode::kNotFound);
}

TEST_P(ArchiveContract, RowsThatFillNoFileWaitForOthers) {
  Harvest(0, 1);
  clock_.Advance(days(95));
  const auto waiting = Archive({.gathers = days(7)});
  EXPECT_EQ(Of(ArchivedKind::kBatches, waiting).waiting, 0) << "their pages are not gone yet";
  EXPECT_EQ(Of(ArchivedKind::kRawPages, waiting).waiting, 2);
  EXPECT_EQ(Batches(), 2);
  clock_.Advance(days(3));
  EXPECT_EQ(Of(ArchivedKind::kBatches, Archive({.gathers = days(7)})).rows, 2);
}

TEST_P(ArchiveContract, FilesAreBoundedAndOfOneSourceEach) {
  Harvest(0, 3);
  Planned(0, 1, "other");
  Walk(Claim(1).at(0), 2);
  clock_.Advance(days(100));
  const auto report = Archive({.rows_max = 4});
  EXPECT_EQ(Of(ArchivedKind::kBatches, report).rows, 8);
  EXPECT_EQ(Of(ArchivedKind::kBatches, report).files, 3);
  EXPECT_EQ(Of(ArchivedKind::kRawPages, Archive({.bytes_max = 1})).rows, 0);
  const auto files = ports_->archive().List(0, 100);
  ASSERT_THAT(*files, SizeIs(6));
  for (const auto& file : *files) {
    EXPECT_EQ(file.state, app::ArchiveState::kDone);
    const auto text = domain::ArchiveText::Read(
        *Decompress(backend_->archive.files().at(file.location), 1 << 20));
    ASSERT_TRUE(text);
    EXPECT_EQ(std::ssize(text->ids()), file.rows);
    EXPECT_EQ(text->ids().front(), file.first);
    EXPECT_EQ(text->ids().back(), file.last);
    EXPECT_THAT(file.location, HasSubstr(file.source + "/"));
  }
}

TEST_P(ArchiveContract, AFileThatIsLostBeforeItsRowsAreGoneTakesNoneOfTheRestWithIt) {
  const auto batches = Harvest(0, 1);
  clock_.Advance(days(100));
  Archive();  // pages and batches
  const auto more = Harvest(1, 2);
  clock_.Advance(days(100));
  app::ArchiveFile file{.id = ids_.Next(),
                        .kind = ArchivedKind::kRawPages,
                        .source = "demo",
                        .location = "demo/nowhere.jsonl.zst",
                        .rows = 2,
                        .sha256 = "s"};
  ASSERT_TRUE(ports_->archive().Announce(file));
  ASSERT_TRUE(ports_->archive().Confirm(file));
  const auto report = Archive();
  EXPECT_THAT(report.lost, ElementsAre("demo/nowhere.jsonl.zst"));
  EXPECT_THAT(log_.events, Contains("archive.lost"));
  EXPECT_EQ(Of(ArchivedKind::kRawPages, report).rows, 2);
  EXPECT_EQ(Batches(), 0);
  EXPECT_THAT(Archive().lost, IsEmpty()) << "it was told once";
}

// Which definition a record was made with stands in its batch: who asks for what an old one made must not fetch everything anew.
TEST_P(ArchiveContract, RecordsOfArchivedBatchesAreKnownByTheirDefinition) {
  Harvest(0, 1);
  const domain::Lane lane{"demo", "items", domain::Operation::kHarvest};
  const auto hash = ports_->read().ledger().Plans({})->at(0).id;
  ports_->Execute(fmt::format("UPDATE ing_plan SET expr_proto_hash = 'p1' WHERE id = {}", hash));
  const std::vector<std::string> current{"p1"};
  const std::vector<std::string> other{"p2"};
  EXPECT_THAT(*ports_->candidates().OfOtherPrototypes(lane, current, "", 10), IsEmpty());
  clock_.Advance(days(100));
  Archive();
  ASSERT_EQ(Batches(), 0);
  EXPECT_THAT(*ports_->candidates().OfOtherPrototypes(lane, current, "", 10), IsEmpty());
  EXPECT_THAT(*ports_->candidates().OfOtherPrototypes(lane, other, "", 10), SizeIs(6));
}

TEST_P(ArchiveContract, OneProcessAtATime) {
  Harvest(0, 1);
  clock_.Advance(days(100));
  ASSERT_TRUE(
      *ports_->duties().Take("retention", "somebody", clock_.Now() + std::chrono::minutes(1)));
  const auto refused =
      app::ArchiveOld(Ports(), "me").Run({.before = clock_.Now()}, [](ArchivedKind, std::int64_t) {
      });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  clock_.Advance(std::chrono::minutes(2));
  Archive();
  EXPECT_EQ(Batches(), 0);
}

TEST_P(ArchiveContract, WhatIsDroppedForRoomIsSaidToBeGone) {
  const auto batches = Harvest(0, 1);
  const auto vault = ports_->archive().Vault();
  EXPECT_EQ(vault->pages, 2);
  EXPECT_EQ(vault->bytes, ports_->Count("SELECT sum(length(body_zstd)) FROM ing_raw_page"));
  const std::vector<Id> first{batches[0]};
  EXPECT_EQ(ports_->archive().DropPages(first).value(), 1);
  EXPECT_EQ(Pages(), 1);
  EXPECT_EQ(Batches(), 2);
  const auto run = ports_->read().ledger().Batch(batches[0])->run;
  const auto gone = ports_->replays().Read(run, batches[0]);
  ASSERT_TRUE(gone) << "it can be asked for again";
  EXPECT_FALSE(gone->raw_page);
}

TEST_P(ArchiveContract, AVaultThatIsTooLargeLosesItsOldestPagesAndSaysSo) {
  const auto batches = Harvest(0, 2);
  const auto page = ports_->archive().Vault()->bytes / 4;
  const auto archived = Archive({.vault_max = 3 * page + page / 2, .vault_drops = false});
  EXPECT_EQ(archived.vault->archived, 1) << "though it is young";
  EXPECT_EQ(Pages(), 3);
  const auto run = ports_->read().ledger().Batch(batches[0])->run;
  EXPECT_TRUE(ports_->replays().Read(run, batches[0])->raw_page);

  const auto dropped = Archive({.vault_max = page + page / 2, .vault_drops = true});
  EXPECT_EQ(dropped.vault->dropped, 2);
  EXPECT_LE(dropped.vault->bytes_after, page + page / 2);
  EXPECT_EQ(Pages(), 1);
  EXPECT_EQ(Batches(), 4) << "batches stay";
  EXPECT_FALSE(ports_->replays().Read(run, batches[1])->raw_page);
  EXPECT_THAT(log_.events, Contains("vault.dropped"));
  const auto gone = ports_->read().status().Status(clock_.Now())->gone;
  const auto told = std::ranges::find(gone, contract::kDroppedPages, &contract::GoneRow::what);
  ASSERT_NE(told, gone.end());
  EXPECT_EQ(told->rows, 2);
  EXPECT_GT(told->bytes, 0);
  EXPECT_EQ(told->last_at, clock_.Now());
}

TEST_P(ArchiveContract, WhatWorkNeedsStaysInAVaultThatIsTooLargeAndThatIsSaid) {
  Planned(0, 2);
  Walk(Claim(1).at(0), 2);
  const auto report = Archive({.vault_max = 1, .vault_drops = true});
  EXPECT_EQ(report.vault->dropped, 0);
  EXPECT_EQ(Pages(), 2);
  EXPECT_THAT(log_.events, Contains("vault.full"));
}

}  // namespace patra::archive_contract_test
