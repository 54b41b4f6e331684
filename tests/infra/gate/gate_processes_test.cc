// The mapped gate among real processes that are killed while they hold it.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "base/random.h"
#include "infra/gate/rate_gate.h"
#include "infra/sql/gate_ledger.h"
#include "infra/sqlite/store.h"
#include "tests/infra/gate/gate_fixture.h"
#include "tests/temporary_folder.h"

namespace patra::testing::gate_processes_test {

using namespace std::chrono_literals;

// When requests went out, from all processes.
struct SendLog {
  static constexpr std::size_t kMax = 100'000;
  std::atomic<std::size_t> size;
  std::array<std::atomic<std::int64_t>, kMax> at;

  void Add(Duration now) {
    const auto index = size.fetch_add(1);
    if (index < kMax) at[index] = now.count();
  }
};

SendLog& MapSendLog() {
  void* address =
      mmap(nullptr, sizeof(SendLog), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  PATRA_ASSERT(address != MAP_FAILED);
  return *static_cast<SendLog*>(address);
}

// A ledger without a store: the epoch lies in the file system, as it would in a database.
class FileLedger final : public app::GateLedger {
 public:
  explicit FileLedger(std::string path) : path_(std::move(path)) {}
  Result<std::optional<std::int64_t>> Epoch() override {
    std::ifstream file(path_);
    std::int64_t epoch = 0;
    if (!(file >> epoch)) return std::nullopt;
    return epoch;
  }
  Result<void> SetEpoch(std::int64_t epoch) override {
    std::ofstream(path_) << epoch;
    return {};
  }
  Result<void> Rest(const app::RestingGate&) override {
    return Fail(ErrorCode::kUnavailable, "only stores keep gates");
  }
  Result<std::optional<app::RestingGate>> Resting() override { return std::nullopt; }
  Result<std::int64_t> ReserveQuota(const std::string&, Instant, Instant, std::int64_t,
                                    std::int64_t, std::int64_t) override {
    return 0;
  }
  Result<std::vector<app::QuotaWindow>> Quotas(Instant) override {
    return std::vector<app::QuotaWindow>{};
  }

 private:
  const std::string path_;
};

const domain::GateTarget kTarget{.provenance = "demo", .endpoint = "items"};

domain::GateRules Rules() {
  return {.limits = {{.count = 200, .window = 1s, .jitter = 20ms},
                     {.kind = domain::LimitKind::kConcurrency, .count = 16, .window = 500ms}}};
}

// A worker process: sends as fast as it may until it is killed.
[[noreturn]] void Work(const std::string& gate_path, const std::string& ledger_path, SendLog& log) {
  SystemClock clock;
  FileLedger ledger(ledger_path);
  const auto gate = infra::gate::RateGate::Open(gate_path, ledger, clock);
  if (!gate) _exit(1);
  const auto rules = Rules();
  domain::GateAsk ask{.task = static_cast<std::uint64_t>(getpid())};
  while (true) {
    auto answer = (*gate)->Acquire(kTarget, rules, ask);
    if (!answer) _exit(2);
    ask.booking.reset();
    if (const auto* allow = std::get_if<app::Allow>(&*answer)) {
      // By the gate's own time: what a busy machine does between here and the wire is the guard's business.
      log.Add(allow->permit.granted_at());
      if (!(*gate)->Feedback(kTarget, rules, {.sent_at = clock.Elapsed()})) _exit(3);
    } else if (const auto* wait = std::get_if<app::WaitUntil>(&*answer)) {
      ask.booking = wait->booking;
      clock.SleepFor(wait->wait);
    } else {
      clock.SleepFor(1ms);
    }
  }
}

TEST(GateProcesses, KilledHoldersHarmNobodyAndNoWindowIsExceeded) {
  TemporaryFolder folder;
  auto& log = MapSendLog();
  const auto spawn = [&] {
    const auto child = fork();
    if (child == 0) Work(folder.Path("gate"), folder.Path("epoch"), log);
    return child;
  };
  SystemClock clock;
  SeededRandom random(3);
  std::vector<pid_t> workers;
  for (int i = 0; i < 6; ++i) workers.push_back(spawn());
  const auto end = clock.Elapsed() + 4s;
  int killed = 0;
  while (clock.Elapsed() < end) {
    clock.SleepFor(Duration(random.Between(1'000, 20'000)));
    auto& worker = workers[random.Below(workers.size())];
    kill(worker, SIGKILL);
    int status = 0;
    waitpid(worker, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "ended by itself with " << WEXITSTATUS(status);
    ++killed;
    worker = spawn();
  }
  for (const auto worker : workers) {
    kill(worker, SIGKILL);
    waitpid(worker, nullptr, 0);
  }

  std::vector<std::int64_t> sent;
  for (std::size_t i = 0; i < std::min(log.size.load(), SendLog::kMax); ++i)
    sent.push_back(log.at[i]);
  std::ranges::sort(sent);
  std::size_t oldest = 0;
  std::size_t peak = 0;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    while (sent[oldest] <= sent[i] - 1'000'000) ++oldest;
    peak = std::max(peak, i - oldest + 1);
  }
  EXPECT_LE(peak, 200U);
  EXPECT_GT(sent.size(), 100U) << "with " << killed << " kills they got on all the same";
  munmap(&log, sizeof(SendLog));
}

TEST(GateProcesses, ThePlacesOfTheDeadAreFreeAfterAMomentAndThoseOfTheLivingAreNot) {
  TemporaryFolder folder;
  SystemClock clock;
  const domain::GateRules rules{
      .limits = {{.kind = domain::LimitKind::kConcurrency, .count = 2, .window = 120s}}};
  const auto take_place = [&] {
    std::array<int, 2> ends{};
    PATRA_ASSERT(pipe(ends.data()) == 0);
    const auto child = fork();
    if (child == 0) {
      SystemClock own_clock;
      FileLedger ledger(folder.Path("epoch"));
      const auto gate = infra::gate::RateGate::Open(folder.Path("gate"), ledger, own_clock);
      const auto answer = (*gate)->Acquire(kTarget, rules, {});
      const char has_place = std::holds_alternative<app::Allow>(*answer) ? 'y' : 'n';
      PATRA_ASSERT(write(ends[1], &has_place, 1) == 1);
      while (true) pause();
    }
    char has_place = 'n';
    EXPECT_EQ(read(ends[0], &has_place, 1), 1);
    EXPECT_EQ(has_place, 'y');
    close(ends[0]);
    close(ends[1]);
    return child;
  };
  const auto living = take_place();
  const auto killed = take_place();
  FileLedger ledger(folder.Path("epoch"));
  const auto gate = infra::gate::RateGate::Open(folder.Path("gate"), ledger, clock);
  ASSERT_TRUE(gate) << gate.error().Describe();
  const auto may_send = [&] {
    auto answer = (*gate)->Acquire(kTarget, rules, {});
    return std::holds_alternative<app::Allow>(*answer);
  };
  EXPECT_FALSE(may_send());
  kill(killed, SIGKILL);
  waitpid(killed, nullptr, 0);
  EXPECT_FALSE(may_send()) << "the provider may not have noticed yet";
  const auto deadline = clock.Elapsed() + 10s;
  std::optional<app::Permit> permit;
  while (!permit && clock.Elapsed() < deadline) {
    auto answer = (*gate)->Acquire(kTarget, rules, {});
    if (auto* allow = std::get_if<app::Allow>(&*answer)) permit = std::move(allow->permit);
    if (!permit) clock.SleepFor(5ms);
  }
  EXPECT_TRUE(permit) << "its place was free long before its lease ran out";
  EXPECT_FALSE(may_send()) << "the other place is taken";
  kill(living, SIGKILL);
  waitpid(living, nullptr, 0);
}

TEST(GateProcesses, WhoDiesWithTheLockLeavesUsedUpWindowsOnlyWhereItWasChanging) {
  TemporaryFolder folder;
  SystemClock clock;
  PlainGateLedger ledger;
  const domain::GateRules rules{.limits = {{.count = 10, .window = 60s, .jitter = 0s}}};
  const domain::GateTarget other{.provenance = "other"};
  auto gate = infra::gate::RateGate::Open(folder.Path("gate"), ledger, clock);
  ASSERT_TRUE(gate);
  ASSERT_TRUE((*gate)->Acquire(kTarget, rules, {}));
  ASSERT_TRUE((*gate)->Acquire(other, rules, {}));

  const auto child = fork();
  if (child == 0) {
    auto file = infra::gate::GateFile::Open(folder.Path("gate"), ledger, clock);
    auto locked = (*file)->Lock(clock.Elapsed());
    auto* cell = locked->Find("demo");
    std::fill_n(reinterpret_cast<char*>(&cell->limits), sizeof cell->limits, '\x55');
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);

  const auto torn = (*gate)->Acquire(kTarget, rules, {.deadline = 10s});
  ASSERT_TRUE(torn) << torn.error().Describe();
  ASSERT_TRUE(std::holds_alternative<app::Reject>(*torn));
  EXPECT_GT(std::get<app::Reject>(*torn).wait, 59s);
  const auto whole = (*gate)->Acquire(other, rules, {.deadline = 10s});
  ASSERT_TRUE(whole);
  EXPECT_TRUE(std::holds_alternative<app::WaitUntil>(*whole)) << "its next slot, 6 s later";
}

TEST(GateProcesses, AFileOfAnotherStoreIsNotBelieved) {
  TemporaryFolder folder;
  SystemClock clock;
  const domain::GateRules rules{.limits = {{.count = 10, .window = 60s, .jitter = 0s}}};
  PlainGateLedger first;
  {
    // Who does not put it away leaves it as one who is killed does.
    const auto killed = infra::gate::GateFile::Open(folder.Path("gate"), first, clock);
    ASSERT_TRUE(killed);
    PlainGateLedger second;
    const auto intruder = infra::gate::RateGate::Open(folder.Path("gate"), second, clock);
    ASSERT_FALSE(intruder) << "the file is in use";
    EXPECT_EQ(intruder.error().code, ErrorCode::kConflict);
  }
  PlainGateLedger second;
  const auto gate = infra::gate::RateGate::Open(folder.Path("gate"), second, clock);
  ASSERT_TRUE(gate);
  const auto answer = (*gate)->Acquire(kTarget, rules, {});
  ASSERT_TRUE(std::holds_alternative<app::Reject>(*answer)) << "its windows count as used";
}

TEST(GateProcesses, AFileThatIsNoGateIsLeftAsItIs) {
  TemporaryFolder folder;
  SystemClock clock;
  PlainGateLedger ledger;
  const std::string diary(100'000, 'x');
  for (const auto& content : {diary, std::string("x"), std::string(40, '\0')}) {
    std::ofstream(folder.Path("gate")) << content;
    const auto gate = infra::gate::RateGate::Open(folder.Path("gate"), ledger, clock);
    ASSERT_FALSE(gate);
    EXPECT_EQ(gate.error().code, ErrorCode::kConflict);
    std::ifstream stream(folder.Path("gate"), std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), content);
  }
}

TEST(GateProcesses, WhatStandsInPlaceOfAGateIsDescribedWithWhatToDo) {
  SystemClock clock;
  PlainGateLedger ledger;
  const auto told = [&](const std::string& content) {
    TemporaryFolder folder;
    std::ofstream(folder.Path("gate"), std::ios::binary) << content;
    return infra::gate::RateGate::Open(folder.Path("gate"), ledger, clock).error();
  };
  EXPECT_NE(told("Dear diary, today").message.find("text that begins with 'Dear diary, today'"),
            std::string::npos);
  EXPECT_NE(told("SQLite format 3\0 and more").message.find("an SQLite database"),
            std::string::npos);
  EXPECT_NE(
      told("\x01\x02\x03 and other bytes").message.find("bytes that no gate file begins with"),
      std::string::npos);
  EXPECT_NE(told("x").hint.find("move it away"), std::string::npos);
  TemporaryFolder folder;
  std::filesystem::create_directory(folder.Path("gate"));
  EXPECT_NE(infra::gate::RateGate::Open(folder.Path("gate"), ledger, clock)
                .error()
                .message.find("is a folder"),
            std::string::npos);
}

TEST(GateProcesses, ALinkInPlaceOfTheFileIsNotFollowed) {
  TemporaryFolder folder;
  SystemClock clock;
  PlainGateLedger ledger;
  std::filesystem::create_symlink(folder.Path("elsewhere"), folder.Path("gate"));
  const auto gate = infra::gate::RateGate::Open(folder.Path("gate"), ledger, clock);
  ASSERT_FALSE(gate);
  EXPECT_NE(gate.error().Describe().find("is a link"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder.Path("elsewhere")));
  std::filesystem::remove(folder.Path("gate"));
  ASSERT_EQ(mkfifo(folder.Path("gate").c_str(), 0600), 0);
  EXPECT_EQ(infra::gate::RateGate::Open(folder.Path("gate"), ledger, clock).error().code,
            ErrorCode::kConflict);
}

TEST(GateProcesses, AFileThatIsCutShortWhileInUseIsAnErrorForAllWhoUseIt) {
  TemporaryFolder folder;
  SystemClock clock;
  PlainGateLedger ledger;
  const domain::GateRules rules{.limits = {{.count = 10, .window = 60s, .jitter = 0s}}};
  for (const std::uintmax_t rest : {0U, 100U, 5000U}) {
    {
      const auto gate = infra::gate::RateGate::Open(folder.Path("gate"), ledger, clock);
      ASSERT_TRUE(gate) << gate.error().Describe();
      std::filesystem::resize_file(folder.Path("gate"), rest);
      const auto answer = (*gate)->Acquire(kTarget, rules, {});
      ASSERT_FALSE(answer);
      EXPECT_NE(answer.error().Describe().find("cut short"), std::string::npos);
      const auto newcomer = infra::gate::RateGate::Open(folder.Path("gate"), ledger, clock);
      ASSERT_FALSE(newcomer) << "it must not be made whole under those who use it";
      EXPECT_EQ(newcomer.error().code, ErrorCode::kConflict);
    }
    const auto gate = infra::gate::RateGate::Open(folder.Path("gate"), ledger, clock);
    ASSERT_TRUE(gate) << gate.error().Describe();
    const auto answer = (*gate)->Acquire(kTarget, rules, {});
    ASSERT_TRUE(std::holds_alternative<app::Reject>(*answer)) << "what was sent is unknown";
  }
}

TEST(GateProcesses, TheLastUserPutsTheFileAwayAndNobodyBefore) {
  TemporaryFolder folder;
  SystemClock clock;
  PlainGateLedger ledger;
  auto first = *infra::gate::RateGate::Open(folder.Path("gate"), ledger, clock);
  auto second = *infra::gate::RateGate::Open(folder.Path("gate"), ledger, clock);
  first.reset();
  EXPECT_TRUE(std::filesystem::exists(folder.Path("gate")));
  EXPECT_EQ(*ledger.Resting(), std::nullopt);
  second.reset();
  EXPECT_FALSE(std::filesystem::exists(folder.Path("gate")));
  EXPECT_NE(*ledger.Resting(), std::nullopt);
}

TEST(GateProcesses, AFileThatTheStoreCannotTakeStaysAndIsBelieved) {
  TemporaryFolder folder;
  SystemClock clock;
  FileLedger ledger(folder.Path("epoch"));
  const domain::GateRules rules{.limits = {{.count = 1, .window = 60s, .jitter = 0s}}};
  {
    const auto gate = infra::gate::RateGate::Open(folder.Path("gate"), ledger, clock);
    ASSERT_TRUE(std::holds_alternative<app::Allow>(*(*gate)->Acquire(kTarget, rules, {})));
  }
  EXPECT_TRUE(std::filesystem::exists(folder.Path("gate")));
  const auto gate = infra::gate::RateGate::Open(folder.Path("gate"), ledger, clock);
  EXPECT_TRUE(std::holds_alternative<app::Reject>(*(*gate)->Acquire(kTarget, rules, {})));
}

TEST(GateProcesses, AFileIsAsLargeAsItsKeysNeedAndItsOwnersAlone) {
  TemporaryFolder folder;
  SystemClock clock;
  PlainGateLedger ledger;
  const auto gate = *infra::gate::RateGate::Open(folder.Path("gate"), ledger, clock);
  ASSERT_TRUE(gate->Acquire(kTarget, Rules(), {}));
  EXPECT_LT(std::filesystem::file_size(folder.Path("gate")), 100'000U);
  EXPECT_EQ(std::filesystem::status(folder.Path("gate")).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  for (int i = 0; i < 20; ++i)
    ASSERT_TRUE(gate->Acquire({.provenance = fmt::format("other{}", i)}, Rules(), {}));
  EXPECT_EQ(gate->List()->size(), 21U);
}

TEST(GateProcesses, WhoStartsWhileTheLastOneEndsFindsWhatThatOneKnew) {
  TemporaryFolder folder;
  auto& log = MapSendLog();
  const domain::GateRules rules{.limits = {{.count = 100, .window = 1s, .jitter = 0s}}};
  std::vector<pid_t> workers;
  for (int i = 0; i < 4; ++i) {
    const auto child = fork();
    if (child != 0) {
      workers.push_back(child);
      continue;
    }
    // Each opens store and gate, sends once, and ends, as short commands do.
    SystemClock clock;
    for (int round = 0; round < 25; ++round) {
      const auto store = infra::sqlite::Store::Open({.path = folder.Path("patra.db")}, clock);
      if (!store) _exit(1);
      infra::sql::GateLedger ledger(**store, clock);
      const auto gate = infra::gate::RateGate::Open(folder.Path("patra.db-gate"), ledger, clock);
      if (!gate) _exit(2);
      domain::GateAsk ask{.task = static_cast<std::uint64_t>(getpid())};
      for (bool is_sent = false; !is_sent;) {
        auto answer = (*gate)->Acquire(kTarget, rules, ask);
        if (!answer) _exit(3);
        ask.booking.reset();
        if (const auto* allow = std::get_if<app::Allow>(&*answer)) {
          log.Add(allow->permit.granted_at());
          is_sent = true;
        } else if (const auto* wait = std::get_if<app::WaitUntil>(&*answer)) {
          ask.booking = wait->booking;
          clock.SleepFor(wait->wait);
        }
      }
    }
    _exit(0);
  }
  for (const auto worker : workers) {
    int status = 0;
    waitpid(worker, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  ASSERT_EQ(log.size.load(), 100U);
  const std::vector<std::int64_t> sent(log.at.begin(), log.at.begin() + 100);
  const auto [first, last] = std::ranges::minmax(sent);
  // A slot may be used a little after its time, which the next one does not wait for.
  EXPECT_GE(last - first, 960'000) << "at a hundred a second";
  munmap(&log, sizeof(SendLog));
  EXPECT_FALSE(std::filesystem::exists(folder.Path("patra.db-gate")));
}

TEST(GateProcesses, AFolderThatCannotBeWrittenIsNamed) {
  SystemClock clock;
  PlainGateLedger ledger;
  const auto gate = infra::gate::RateGate::Open("/nowhere/at/all/gate", ledger, clock);
  ASSERT_FALSE(gate);
  EXPECT_NE(gate.error().Describe().find("/nowhere/at/all/gate"), std::string::npos);
}

TEST(GateProcesses, TheStoreRemembersEpochRestingGateAndQuotas) {
  TemporaryFolder folder;
  VirtualClock clock{Instant(std::chrono::sys_days{std::chrono::year{2026} / 1 / 1})};
  const auto store = infra::sqlite::Store::Open({.path = folder.Path("patra.db")}, clock);
  ASSERT_TRUE(store);
  infra::sql::GateLedger ledger(**store, clock);
  EXPECT_EQ(*ledger.Epoch(), std::nullopt);
  ASSERT_TRUE(ledger.SetEpoch(7));
  EXPECT_EQ(*ledger.Epoch(), 7);
  EXPECT_EQ(*ledger.Resting(), std::nullopt);
  const std::string memory(100'000, '\0');
  ASSERT_TRUE(ledger.Rest({.memory = memory, .stops = {{"demo/items", clock.Now() + 1h}}}));
  const auto resting = *ledger.Resting();
  ASSERT_TRUE(resting);
  EXPECT_EQ(resting->memory, memory);
  ASSERT_EQ(resting->stops.size(), 1U);
  EXPECT_EQ(resting->stops[0].key, "demo/items");
  EXPECT_EQ(resting->stops[0].until, clock.Now() + 1h);
  ASSERT_TRUE(ledger.SetEpoch(8));
  EXPECT_EQ(*ledger.Resting(), std::nullopt) << "a gate has it";
  const auto from = clock.Now();
  EXPECT_EQ(*ledger.ReserveQuota("demo", from, from + 24h, 12, 0, 5), 5);
  EXPECT_EQ(*ledger.ReserveQuota("demo", from, from + 24h, 12, 0, 5), 5);
  EXPECT_EQ(*ledger.ReserveQuota("demo", from, from + 24h, 12, 0, 5), 2);
  EXPECT_EQ(*ledger.ReserveQuota("demo", from, from + 24h, 12, 0, 5), 0);
  EXPECT_EQ(*ledger.ReserveQuota("demo", from + 24h, from + 48h, 12, 0, 5), 5);
  const auto quotas = ledger.Quotas(from);
  ASSERT_EQ(quotas->size(), 2U);
  EXPECT_EQ(quotas->at(0).reserved, 12);
}

}  // namespace patra::testing::gate_processes_test
