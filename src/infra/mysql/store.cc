#include "infra/mysql/store.h"

#include <charconv>
#include <condition_variable>

#include <fmt/format.h>

#include "base/random.h"
#include "infra/mysql/migration.h"
#include "infra/sql/promotion_table.h"

namespace patra::infra::mysql {
namespace {

constexpr Duration kBackOffFirst = std::chrono::milliseconds(5);
constexpr Duration kBackOffMax = std::chrono::seconds(5);
constexpr Duration kLookForStopEvery = std::chrono::milliseconds(100);
constexpr Duration kSilenceWhileStoppingMax = std::chrono::seconds(2);

constexpr std::string_view kTheTime = "SELECT CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED)";

Instant TimeIn(std::string_view said) {
  std::int64_t microseconds = 0;
  std::from_chars(said.data(), said.data() + said.size(), microseconds);
  return Instant(Duration(microseconds));
}

// Any bytes, in any SQL.
std::string Literal(std::string_view bytes) {
  std::string literal = "X'";
  for (const char byte : bytes) literal += fmt::format("{:02X}", static_cast<unsigned char>(byte));
  return literal + "'";
}

// Real time, whatever clock the work goes by: the server lives in it.
void WaitBeforeTry(int tries, Duration first) {
  SystemClock clock;
  const auto longest = std::min<Duration>(kBackOffMax, first * (1L << std::min(tries, 12)));
  const auto chance = MixBits(static_cast<std::uint64_t>(clock.Elapsed().count())) % 1000;
  clock.SleepFor(longest / 2 + longest * static_cast<std::int64_t>(chance) / 2000);
}

}  // namespace

// Since when the server is away, from the point of view of one transaction.
class Store::Outage {
 public:
  explicit Outage(const Store& store) : store_(store), options_(store.options_) {}

  // Fails where it has lasted too long; otherwise waits a moment.
  Result<void> Bear(const Error& error) {
    const auto now = SystemClock().Elapsed();
    if (!began_) began_ = now;
    const auto lasts = now - *began_;
    if (lasts > options_.outage_max || store_.WantsToStop()) return std::unexpected(error);
    if (tries_ > 0) options_.on_outage(error, lasts);  // one that is over at once is none
    WaitBeforeTry(tries_++, std::chrono::milliseconds(20));
    return {};
  }
  void End() {
    began_.reset();
    tries_ = 0;
  }

 private:
  const Store& store_;
  const StoreOptions& options_;
  std::optional<Duration> began_;
  int tries_ = 0;
};

Result<std::unique_ptr<Store>> Store::Open(StoreOptions options, Clock& clock) {
  auto store = std::unique_ptr<Store>(new Store(std::move(options), clock));
  // A server that is away from the beginning is told at once.
  auto connection = PATRA_TRY(store->pool_.Take());
  const auto ready = [&]() -> Result<void> {
    if (!store->options_.migrate) return sql::CheckSchema(*connection, EmbeddedMigrations());
    if (!PATRA_TRY(IsBehind(*connection, EmbeddedMigrations()))) return {};
    PATRA_TRY(Migrate(store->options_.address, EmbeddedMigrations(), clock.Now()));
    return {};
  }();
  store->Release(std::move(connection));
  if (!ready) return std::unexpected(ready.error());
  return store;
}

Store::Store(StoreOptions options, Clock& clock)
    : options_(std::move(options)),
      server_clock_(clock),
      pool_(options_.address, options_.waits, options_.connections_max) {
  if (options_.wants_to_stop)
    watcher_ = std::jthread([this](const std::stop_token& over) { HangUpToStop(over); });
}

Store::~Store() = default;

void Store::HangUpToStop(const std::stop_token& over) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  while (!wake.wait_for(lock, over, kLookForStopEvery, [] { return false; }) &&
         !over.stop_requested()) {
    if (WantsToStop()) pool_.HangUpOnSilence(kSilenceWhileStoppingMax);
  }
}

Result<std::unique_ptr<Connection>> Store::Connect(Outage& outage) {
  while (true) {
    // On the way out, one vain try is enough for all.
    if (WantsToStop()) {
      const std::lock_guard lock(mutex_);
      if (away_) return std::unexpected(*away_);
    }
    auto connection = pool_.Take();
    const bool is_away = !connection && connection.error().code == ErrorCode::kUnavailable;
    {
      const std::lock_guard lock(mutex_);
      away_ = is_away ? std::optional(connection.error()) : std::nullopt;
    }
    if (connection) (*connection)->WatchBy(options_.slow.get());
    if (!is_away) return connection;
    PATRA_TRY(outage.Bear(connection.error()));
  }
}

void Store::Release(std::unique_ptr<Connection> connection) {
  round_trips_ += connection->TakeRoundTrips();
  if (connection->fate() == Fate::kDisconnected) pool_.CloseIdle();
  pool_.GiveBack(std::move(connection));
}

Result<void> Store::MakeLock(Connection& connection, const std::string& name) {
  if (name.empty()) return {};
  {
    const std::lock_guard lock(mutex_);
    if (known_locks_.contains(name)) return {};
  }
  constexpr std::string_view kMakeLock =
      "INSERT INTO patra_lock (name) VALUES (:name) ON CONFLICT (name) DO NOTHING";
  PATRA_TRY(connection.Run(kMakeLock, {{"name", name}}));
  const std::lock_guard lock(mutex_);
  known_locks_.insert(name);
  return {};
}

// In one go: every transaction begins like this.
Result<void> Store::Begin(Connection& connection, const sql::LockScope& scope) {
  PATRA_TRY(MakeLock(connection, scope.name()));
  const auto mark = PATRA_TRY(connection.NextMark());
  auto begin =
      fmt::format("{}; START TRANSACTION; SELECT name FROM patra_lock WHERE name = 'store' {}",
                  kTheTime, scope.is_whole_store() ? "FOR UPDATE" : "LOCK IN SHARE MODE");
  if (!scope.name().empty())
    begin += fmt::format("; SELECT name FROM patra_lock WHERE name = {} FOR UPDATE",
                         Literal(scope.name()));
  begin += fmt::format(
      "; UPDATE patra_commit SET mark = {}, made_at = UNIX_TIMESTAMP() WHERE session_key = {}; {}",
      mark.number, Literal(mark.row), sql::promotion_table::kClosedBy);

  const auto asked = server_clock_.ours().Now();
  const auto said = PATRA_TRY(connection.ExecuteForTexts(begin));
  const auto answered = server_clock_.ours().Now();
  if (said.size() != (scope.name().empty() ? 3U : 4U)) {
    return Fail(
        ErrorCode::kCorruption,
        fmt::format("the lock '{}' has no row", scope.name().empty() ? "store" : scope.name()), {},
        "patra_lock is not as the migrations and patra left it");
  }
  server_clock_.Note(asked, answered, TimeIn(said[0]));
  if (!scope.is_mover()) PATRA_TRY(sql::promotion_table::CheckOpen(said.back()));
  // Where turns are long in coming, no answer of a beginning comes soon enough to tell.
  return server_clock_.IsStale() ? AskTheTime(connection) : Result<void>{};
}

Result<void> Store::AskTheTime(Connection& connection) {
  const auto asked = server_clock_.ours().Now();
  const auto said = PATRA_TRY(connection.ExecuteForTexts(std::string(kTheTime)));
  server_clock_.Believe(asked, server_clock_.ours().Now(), TimeIn(said.at(0)));
  return {};
}

Result<void> Store::Attempt(Connection& connection, const sql::LockScope& scope, const Job& job,
                            End& end) {
  PATRA_TRY(Begin(connection, scope));
  auto outcome = job(connection);
  // A job may have gone on after a failure that undid everything.
  PATRA_TRY(connection.CheckUsable());
  if (!outcome) {
    // The server hangs up on who sends too much: what it said before that is why, and would be said again.
    end.failed_by_itself = connection.fate() == Fate::kNone;
    (void)connection.Execute("ROLLBACK");
    return outcome;
  }
  const auto committed = connection.Execute("COMMIT");
  // Whatever a server says of a commit that failed, it may have been done.
  end.is_open = !committed && connection.fate() != Fate::kRunAgain;
  return committed;
}

Result<void> Store::RunInTransaction(const sql::LockScope& scope, Job job) {
  Outage outage(*this);
  for (int tries = 1;; ++tries) {
    auto connection = PATRA_TRY(Connect(outage));
    End end;
    auto outcome = Attempt(*connection, scope, job, end);
    const auto fate = end.failed_by_itself ? Fate::kNone : connection->fate();
    const auto mark = connection->mark();
    if (fate == Fate::kRunAgain || (!outcome && fate == Fate::kNone)) {
      connection->ForgetFate();
      (void)connection->Execute("ROLLBACK");
    }
    Release(std::move(connection));
    if (end.is_open && PATRA_TRY(IsCommitted(mark, outage))) return {};
    if (fate == Fate::kNone) return outcome;
    if (tries >= options_.tries_max && fate == Fate::kRunAgain) return outcome;
    ++reruns_;
    if (fate == Fate::kDisconnected) {
      PATRA_TRY(outage.Bear(outcome.error()));
    } else {
      WaitBeforeTry(tries, kBackOffFirst);
    }
  }
}

Result<bool> Store::IsCommitted(const CommitMark& mark, Outage& outage) {
  constexpr std::string_view kMarkOf =
      "SELECT mark FROM patra_commit WHERE session_key = :session_key FOR UPDATE";
  while (true) {
    auto connection = PATRA_TRY(Connect(outage));
    const auto found = [&]() -> Result<std::int64_t> {
      PATRA_TRY(connection->Execute("START TRANSACTION"));
      const auto number = PATRA_TRY(connection->Integer(kMarkOf, {{"session_key", mark.row}}));
      PATRA_TRY(connection->Execute("ROLLBACK"));
      return number;
    }();
    const auto fate = connection->fate();
    if (fate == Fate::kRunAgain) connection->ForgetFate();
    if (!found) (void)connection->Execute("ROLLBACK");
    Release(std::move(connection));
    if (found) return *found == mark.number;
    if (fate == Fate::kNone) return std::unexpected(found.error());
    PATRA_TRY(outage.Bear(found.error()));
  }
}

Result<void> Store::RunOnSnapshot(const Job& job) {
  Outage outage(*this);
  while (true) {
    auto connection = PATRA_TRY(Connect(outage));
    auto outcome = [&]() -> Result<void> {
      PATRA_TRY(connection->Execute(
          "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; START TRANSACTION WITH CONSISTENT "
          "SNAPSHOT, READ ONLY"));
      auto read = job(*connection);
      PATRA_TRY(connection->CheckUsable());
      PATRA_TRY(connection->Execute("COMMIT"));
      return read;
    }();
    const auto fate = connection->fate();
    if (fate == Fate::kRunAgain) {
      connection->ForgetFate();
      (void)connection->Execute("ROLLBACK");
    }
    Release(std::move(connection));
    if (fate == Fate::kNone) return outcome;
    PATRA_TRY(outage.Bear(outcome.error()));
  }
}

}  // namespace patra::infra::mysql
