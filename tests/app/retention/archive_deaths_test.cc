// Whoever archives dies before or after the first, second, third … call of any port: at every moment each batch and page is
// found as it was, and whoever comes next finishes with every row in exactly one file, and no file that nobody knows.
#include <filesystem>
#include <map>
#include <set>

#include <gmock/gmock.h>

#include "app/retention/archive_old.h"
#include "base/zstd_frame.h"
#include "contract/ledger_rows.h"
#include "infra/sqlite/backup.h"
#include "tests/infra/sqlite/sqlite_backend.h"

namespace patra::app::archive_deaths_test {

using std::chrono::days;
using testing::kHour;
using testing::kStart;

struct Death {};

// The call of that number is the last one of its process: it happens, or it does not.
class Fate {
 public:
  Fate(int call, bool happens) : call_(call), happens_(happens) {}

  template <typename Call>
  auto Around(Call call) {
    if (++calls_ != call_) return call();
    is_dead_ = true;
    if (happens_) (void)call().has_value();
    throw Death{};
  }
  bool is_dead() const { return is_dead_; }
  int calls() const { return calls_; }

 private:
  const int call_;
  const bool happens_;
  int calls_ = 0;
  bool is_dead_ = false;
};

class MortalStore final : public ArchiveStore {
 public:
  MortalStore(ArchiveStore& inner, Fate& fate) : inner_(inner), fate_(fate) {}

  Result<ArchiveLook> Look(ArchivedKind kind, Instant before, const ArchivePlace& after,
                           int rows_max) override {
    return fate_.Around([&] { return inner_.Look(kind, before, after, rows_max); });
  }
  Result<std::vector<domain::ArchiveLine>> Lines(ArchivedKind kind,
                                                 std::span<const Id> ids) override {
    return fate_.Around([&] { return inner_.Lines(kind, ids); });
  }
  Result<void> Announce(const ArchiveFile& file) override {
    return fate_.Around([&] { return inner_.Announce(file); });
  }
  Result<void> Confirm(const ArchiveFile& file) override {
    return fate_.Around([&] { return inner_.Confirm(file); });
  }
  Result<std::int64_t> Remove(const ArchiveFile& file, std::span<const Id> ids) override {
    return fate_.Around([&] { return inner_.Remove(file, ids); });
  }
  Result<void> Conclude(Id file, ArchiveState state) override {
    return fate_.Around([&] { return inner_.Conclude(file, state); });
  }
  Result<void> Withdraw(Id file) override {
    return fate_.Around([&] { return inner_.Withdraw(file); });
  }
  Result<std::vector<ArchiveFile>> Unfinished() override {
    return fate_.Around([&] { return inner_.Unfinished(); });
  }
  Result<std::vector<ArchiveFile>> List(Id after, int files_max) override {
    return fate_.Around([&] { return inner_.List(after, files_max); });
  }
  Result<VaultSize> Vault() override {
    return fate_.Around([&] { return inner_.Vault(); });
  }
  Result<std::int64_t> DropPages(std::span<const Id> batches) override {
    return fate_.Around([&] { return inner_.DropPages(batches); });
  }

 private:
  ArchiveStore& inner_;
  Fate& fate_;
};

class MortalFiles final : public ArchiveFiles {
 public:
  MortalFiles(ArchiveFiles& inner, Fate& fate) : inner_(inner), fate_(fate) {}

  std::string folder() const override { return inner_.folder(); }
  Result<void> Write(const std::string& name, std::string_view bytes) override {
    return fate_.Around([&] { return inner_.Write(name, bytes); });
  }
  Result<std::string> Read(const std::string& name, std::int64_t bytes_max) override {
    return fate_.Around([&] { return inner_.Read(name, bytes_max); });
  }
  Result<void> Remove(const std::string& name) override {
    return fate_.Around([&] { return inner_.Remove(name); });
  }

 private:
  ArchiveFiles& inner_;
  Fate& fate_;
};

// A process that is dead gives nothing back, and who dies giving it back is done.
class MortalDuties final : public DutyRoster {
 public:
  MortalDuties(DutyRoster& inner, const Clock& clock, Fate& fate)
      : inner_(inner), clock_(clock), fate_(fate) {}

  Result<bool> Take(const std::string& duty, const std::string& owner, Instant until) override {
    if (fate_.is_dead()) return false;
    try {
      return fate_.Around([&] { return inner_.Take(duty, owner, until); });
    } catch (const Death&) {
      if (until > clock_.Now()) throw;
      return false;
    }
  }

 private:
  DutyRoster& inner_;
  const Clock& clock_;
  Fate& fate_;
};

// What a batch and its page looked like before anybody archived them.
struct Seen {
  Id run = 0;
  std::string shown;
  std::string page;

  friend bool operator==(const Seen&, const Seen&) = default;
};

class ArchiveDeathsTest : public ::testing::TestWithParam<bool> {
 protected:
  ArchiveDeathsTest() {
    {
      const auto ports = Open(prepared_.Path("full.db"), {});
      for (const auto* source : {"demo", "other"}) Harvest(*ports, source);
      const auto batches = ports->read().ledger().Batches({});
      for (const auto& batch : *batches) ids_.push_back(batch.id);
      for (const auto id : ids_) before_[id] = Look(*ports, id);
    }
    EXPECT_TRUE(infra::sqlite::Backup(prepared_.Path("full.db"), prepared_.Path("copy.db")));
    clock_.Advance(days(100));
  }

  std::unique_ptr<testing::SqlitePorts> Open(const std::string& path,
                                             const testing::MemoryArchive& archive) {
    auto ports =
        testing::SqlitePorts::Open({.path = path, .synchronous_full = false}, clock_, archive);
    EXPECT_TRUE(ports) << ports.error().Describe();
    return *std::move(ports);
  }

  void Harvest(testing::LedgerPorts& ports, const std::string& source) {
    const domain::Lane lane{source, "items", domain::Operation::kHarvest};
    domain::Plan plan{.id = ports.ids().Next(),
                      .trigger_id = 1,
                      .lane = lane,
                      .query_hash = "q",
                      .cursor = domain::HarvestNamespace(lane, "q", "updated_at"),
                      .snapshot = "{}",
                      .snapshot_hash = "s",
                      .window = testing::Hours(0, 2)};
    plan.key = domain::PlanKey(lane, "q", plan.window);
    ASSERT_TRUE(ports.plans().AddIfAbsent(plan));
    ASSERT_TRUE(ports.plans().Move(plan.id, domain::PlanStatus::kSlicing));
    auto work = domain::CutByTime(plan, kHour, clock_.Now());
    for (auto& [slice, task] : work) {
      slice.id = ports.ids().Next();
      task.id = ports.ids().Next();
    }
    ASSERT_TRUE(ports.plans().AddSlices(plan, work, plan.window.to()));
    ASSERT_TRUE(ports.plans().Move(plan.id, domain::PlanStatus::kReady));
    const auto tasks =
        ports.queue().Claim({.owner = "w", .tasks_max = 2, .lease = std::chrono::minutes(1)});
    for (const auto& task : *tasks) Walk(ports, task);
  }

  void Walk(testing::LedgerPorts& ports, const LeasedTask& task) {
    auto run = ports.runs().Open(task, {.page = 1});
    ASSERT_TRUE(run);
    for (int page = 1; page <= 2; ++page) {
      BatchCommit batch{.task = task,
                        .lineage = run->lineage,
                        .batch_no = page,
                        .before = {.page = page},
                        .evidence = {.request = "{}", .sent = {.requests = 1}}};
      if (page == 1) batch.after = Position{.page = 2};
      batch.raw_page =
          RawPage{"text/plain", fmt::format("page {} of {}", page, run->lineage.run), clock_.Now()};
      const auto committed = ports.runs().Commit(batch);
      ASSERT_TRUE(committed);
      run->lineage.batch = committed->next_batch;
      clock_.Advance(std::chrono::seconds(1));
    }
    ASSERT_TRUE(ports.runs().Close({.task = task, .lineage = run->lineage}));
  }

  Seen Look(testing::LedgerPorts& ports, Id batch) {
    const auto row = ports.read().ledger().Batch(batch);
    EXPECT_TRUE(row) << row.error().Describe();
    if (!row) return {};
    const auto recorded = ports.replays().Read(row->run, batch);
    EXPECT_TRUE(recorded && recorded->raw_page);
    return {.run = row->run,
            .shown = PrintJson(contract::ToObject(contract::FactsOf(*row))),
            .page = recorded && recorded->raw_page ? recorded->raw_page->body : ""};
  }
  void ExpectAllAsBefore(testing::LedgerPorts& ports) {
    for (const auto id : ids_) EXPECT_EQ(Look(ports, id), before_[id]) << id;
  }

  // One life of somebody who archives; false where it ended too early.
  bool Live(testing::LedgerPorts& ports, Fate& fate) {
    MortalStore store(ports.archive(), fate);
    MortalFiles files(ports.store().archive_files(), fate);
    MortalDuties duties(ports.duties(), clock_, fate);
    try {
      const auto report =
          ArchiveOld({store, files, ports.store().old_rows(), ports.store().forgetting(),
                      ports.outbox(), duties, ports.ids(), clock_, log_, stop_},
                     fmt::format("p{}", ++lives_))
              .Run({.before = clock_.Now() - days(90), .rows_max = 3, .removed_rows_max = 2},
                   [](ArchivedKind, std::int64_t) {});
      EXPECT_TRUE(report) << report.error().Describe();
      return true;
    } catch (const Death&) {
      return false;
    }
  }

  void ExpectAllInExactlyOneFile(testing::LedgerPorts& ports, testing::MemoryArchive& archive) {
    EXPECT_EQ(ports.Count("SELECT count(*) FROM ing_task_run_batch"), 0);
    EXPECT_EQ(ports.Count("SELECT count(*) FROM ing_raw_page"), 0);
    std::set<std::string> known;
    std::map<ArchivedKind, std::multiset<Id>> rows;
    const auto files = ports.archive().List(0, 1000);
    for (const auto& file : *files) {
      EXPECT_EQ(file.state, ArchiveState::kDone) << file.location;
      known.insert(file.location);
      const auto text =
          domain::ArchiveText::Read(*Decompress(archive.files().at(file.location), 1 << 20));
      ASSERT_TRUE(text);
      rows[file.kind].insert(text->ids().begin(), text->ids().end());
    }
    const std::multiset<Id> all(ids_.begin(), ids_.end());
    EXPECT_EQ(rows[ArchivedKind::kBatches], all);
    EXPECT_EQ(rows[ArchivedKind::kRawPages], all);
    for (const auto& [name, bytes] : archive.files()) EXPECT_TRUE(known.contains(name)) << name;
  }

  testing::TemporaryFolder prepared_;
  VirtualClock clock_{kStart + days(30)};
  std::vector<Id> ids_;
  std::map<Id, Seen> before_;
  NoLog log_;
  StopRequest stop_;
  int lives_ = 0;
};
INSTANTIATE_TEST_SUITE_P(AtEveryCall, ArchiveDeathsTest, ::testing::Bool(),
                         [](const auto& happens) {
                           return happens.param ? "AfterIt" : "BeforeIt";
                         });

TEST_P(ArchiveDeathsTest, NothingIsLostAndNothingIsArchivedTwice) {
  ASSERT_EQ(ids_.size(), 8u);
  bool lived = false;
  int call = 0;
  while (!lived && ++call < 300) {
    SCOPED_TRACE(fmt::format("call {}", call));
    testing::TemporaryFolder folder;
    std::filesystem::copy_file(prepared_.Path("copy.db"), folder.Path("patra.db"));
    testing::MemoryArchive archive;
    Fate fate(call, GetParam());
    {
      const auto ports = Open(folder.Path("patra.db"), archive);
      lived = Live(*ports, fate);
    }
    const auto ports = Open(folder.Path("patra.db"), archive);
    ExpectAllAsBefore(*ports);
    clock_.Advance(std::chrono::minutes(11));  // its turn is up
    Fate spared(0, false);
    ASSERT_TRUE(Live(*ports, spared));
    ExpectAllAsBefore(*ports);
    ExpectAllInExactlyOneFile(*ports, archive);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_TRUE(lived);
  EXPECT_GT(call, 60) << "there are many calls to die at";
}

// Whoever finishes what another has begun may die as well.
TEST_P(ArchiveDeathsTest, TheyMayDieAgainAndAgain) {
  testing::TemporaryFolder folder;
  std::filesystem::copy_file(prepared_.Path("copy.db"), folder.Path("patra.db"));
  testing::MemoryArchive archive;
  bool lived = false;
  for (int life = 0; !lived && life < 200; ++life) {
    const auto ports = Open(folder.Path("patra.db"), archive);
    Fate fate(9 + life % 23, GetParam());
    lived = Live(*ports, fate);
    ExpectAllAsBefore(*ports);
    clock_.Advance(std::chrono::minutes(11));
  }
  EXPECT_TRUE(lived);
  ExpectAllInExactlyOneFile(*Open(folder.Path("patra.db"), archive), archive);
}

}  // namespace patra::app::archive_deaths_test
