// Group commit: whoever writes hands a job to the writer thread and waits. The thread takes all
// jobs that are waiting, runs them in one transaction (each undone alone if it fails), commits once and tells
// everybody. With one caller that is one fsync a job; with sixteen it is one fsync for all of them.
#include "infra/sqlite/store.h"

#include <sys/statvfs.h>
#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>
#include <sqlite3.h>

#include "infra/sql/promotion_table.h"
#include "infra/sqlite/fold_log.h"
#include "infra/sqlite/migration.h"

namespace patra::infra::sqlite {
namespace {

constexpr std::size_t kIdleReadersMax = 16;

constexpr std::string_view kBegin = "BEGIN IMMEDIATE";
constexpr std::string_view kBeginRead = "BEGIN";
constexpr std::string_view kCommit = "COMMIT";
constexpr std::string_view kRollBack = "ROLLBACK";
constexpr std::string_view kSave = "SAVEPOINT job";
constexpr std::string_view kUndo = "ROLLBACK TO job";
constexpr std::string_view kRelease = "RELEASE job";

// Changing the journal mode takes the whole file, and SQLite asks no busy handler for that: several
// processes that open a new store at once get in each other's way for a moment.
Result<void> SwitchToWal(Connection& connection) {
  constexpr int kAttemptsMax = 100;
  for (int attempt = 1;; ++attempt) {
    auto switched = connection.Execute("PRAGMA journal_mode = WAL");
    if (switched || switched.error().code != ErrorCode::kUnavailable || attempt == kAttemptsMax)
      return switched;
    SystemClock().SleepFor(std::chrono::milliseconds(10));
  }
}

Result<void> Configure(Connection& connection, const StoreOptions& options) {
  PATRA_TRY(connection.Execute(fmt::format("PRAGMA page_size = {}", options.page_bytes)));
  PATRA_TRY(connection.Execute(
      fmt::format("PRAGMA busy_timeout = {}", options.lock_wait / std::chrono::milliseconds(1))));
  PATRA_TRY(SwitchToWal(connection));
  PATRA_TRY(connection.Execute(options.synchronous_full ? "PRAGMA synchronous = FULL"
                                                        : "PRAGMA synchronous = NORMAL"));
  PATRA_TRY(connection.Execute("PRAGMA cache_size = -16384"));
  PATRA_TRY(connection.Execute("PRAGMA temp_store = MEMORY"));
  PATRA_TRY(
      connection.Execute(fmt::format("PRAGMA journal_size_limit = {}", options.wal_bytes_soft)));
  return {};
}

Result<void> CheckFreeSpace(const StoreOptions& options) {
  struct statvfs disk{};
  if (statvfs(options.path.c_str(), &disk) != 0) return {};  // unknown is not full
  const auto free_bytes = static_cast<std::int64_t>(disk.f_bavail * disk.f_frsize);
  if (free_bytes < options.free_bytes_min) {
    return Fail(
        ErrorCode::kUnavailable,
        fmt::format("only {} MiB are free on the disk of {}", free_bytes >> 20, options.path), {},
        fmt::format("intake pauses below {} MiB; free some space", options.free_bytes_min >> 20));
  }
  return {};
}

// Whoever writes into a file that is no longer where its name says loses everything with it, and nobody hears of it.
Result<void> CheckInPlace(Connection& connection, const std::string& path) {
  if (!HasMoved(connection)) return {};
  return Fail(ErrorCode::kCorruption,
              fmt::format("the store {} was moved, deleted or replaced while it was in use", path),
              {}, "nothing more is written; stop all processes on it, put it back and start again");
}

// Who only looks, in a folder where nobody may write, reads the file as it is where nothing is beside it: then nobody is
// at it.
Connection::Access AccessOf(const StoreOptions& options) {
  auto folder = std::filesystem::path(options.path).parent_path();
  if (folder.empty()) folder = ".";
  const bool may_write =
      access(folder.c_str(), W_OK) == 0 && access(options.path.c_str(), W_OK) == 0;
  if (!options.only_looks || may_write || !std::filesystem::exists(options.path))
    return Connection::Access::kReadWrite;
  return std::filesystem::exists(options.path + "-wal") ? Connection::Access::kReadOnly
                                                        : Connection::Access::kImmutable;
}

}  // namespace

struct Store::Waiting {
  Result<void> Run(Connection& connection) const {
    if (!is_mover) PATRA_TRY(sql::promotion_table::CheckOpen(connection));
    return job(connection);
  }

  Job job;
  bool is_mover = false;
  Result<void> outcome = Fail(ErrorCode::kInternal, "the write did not run");
  bool done = false;
};

Result<std::unique_ptr<Store>> Store::Open(StoreOptions options, const Clock& clock) {
  if (const auto access = AccessOf(options); access != Connection::Access::kReadWrite)
    return OpenUnwritable(std::move(options), access);
  auto writer = PATRA_TRY(Connection::Open(options.path, Connection::Access::kReadWrite));
  PATRA_TRY(Configure(*writer, options));
  if (options.migrate) {
    PATRA_TRY(Migrate(*writer, EmbeddedMigrations(), clock.Now()));
  } else {
    PATRA_TRY(CheckSchema(*writer, EmbeddedMigrations()));
  }
  return std::unique_ptr<Store>(new Store(std::move(options), std::move(writer)));
}

Result<std::unique_ptr<Store>> Store::OpenUnwritable(StoreOptions options,
                                                     Connection::Access access) {
  auto only = PATRA_TRY(Connection::Open(options.path, access));
  if (const auto read = only->Execute("SELECT count(*) FROM sqlite_schema"); !read) {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("{} cannot be read without writing beside it: {}", options.path,
                            read.error().message),
                {},
                "a store that is in use needs its files -wal and -shm; allow writing into its "
                "folder, or look at a copy that `patra db backup` makes");
  }
  PATRA_TRY(CheckSchema(*only, EmbeddedMigrations()));
  auto store = std::unique_ptr<Store>(new Store(std::move(options), std::move(only)));
  store->reading_ = access;
  return store;
}

Store::Store(StoreOptions options, std::unique_ptr<Connection> writer)
    : options_(std::move(options)), writer_(std::move(writer)) {
  sqlite3_wal_hook(
      writer_->handle(),
      [](void* store, sqlite3*, const char*, int pages) {
        static_cast<Store*>(store)->wal_pages_ = pages;
        return SQLITE_OK;
      },
      this);
  writer_->WatchBy(options_.slow.get());
  writer_thread_ = std::jthread([this](std::stop_token stop) { WriteLoop(std::move(stop)); });
}

Store::~Store() {
  writer_thread_.request_stop();
  writer_thread_.join();
  readers_.clear();
  CloseAndFold(std::move(writer_), options_.path);
}

Result<void> Store::RunInTransaction(const sql::LockScope& scope, Job job) {
  Waiting waiting{.job = std::move(job), .is_mover = scope.is_mover()};
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue_.size() < options_.jobs_waiting_max; });
  queue_.push_back(&waiting);
  changed_.notify_all();
  changed_.wait(lock, [&] { return waiting.done; });
  return waiting.outcome;
}

void Store::WriteLoop(std::stop_token stop) {
  std::vector<Waiting*> group;
  while (true) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, stop, [&] { return !queue_.empty(); });
      if (queue_.empty()) return;  // asked to stop, and nobody waits
      while (!queue_.empty() && group.size() < options_.jobs_per_commit_max) {
        group.push_back(queue_.front());
        queue_.pop_front();
      }
    }
    CommitTogether(group);
    {
      const std::lock_guard lock(mutex_);
      for (auto* waiting : group) waiting->done = true;
    }
    changed_.notify_all();
    group.clear();
    CheckpointIfDue();
  }
}

void Store::CommitTogether(std::vector<Waiting*>& group) {
  const auto all_fail = [&](const Error& error) {
    for (auto* waiting : group) waiting->outcome = std::unexpected(error);
    RollBack();
  };

  if (const auto in_place = CheckInPlace(*writer_, options_.path); !in_place)
    return all_fail(in_place.error());
  if (const auto space = CheckFreeSpace(options_); !space) return all_fail(space.error());
  if (const auto begun = writer_->Run(kBegin); !begun) return all_fail(begun.error());
  for (auto* waiting : group) {
    const auto ran = group.size() == 1 ? RunAlone(*waiting) : RunBesideOthers(*waiting);
    if (!ran) return all_fail(ran.error());
  }
  if (!writer_->in_transaction()) return;  // the only job failed and was undone
  if (const auto committed = writer_->Run(kCommit); !committed) {
    // Those who failed by themselves keep their own reason.
    for (auto* waiting : group) {
      if (waiting->outcome) waiting->outcome = std::unexpected(committed.error());
    }
    RollBack();
  }
}

Result<void> Store::RunAlone(Waiting& waiting) {
  waiting.outcome = waiting.Run(*writer_);
  PATRA_TRY(CheckTransaction(waiting));
  if (!waiting.outcome) RollBack();
  return {};
}

// A savepoint costs a copy of every page that the job changes: worth it only where neighbours would
// be undone as well.
Result<void> Store::RunBesideOthers(Waiting& waiting) {
  PATRA_TRY(writer_->Run(kSave));
  waiting.outcome = waiting.Run(*writer_);
  PATRA_TRY(CheckTransaction(waiting));
  if (!waiting.outcome) PATRA_TRY(writer_->Run(kUndo));
  PATRA_TRY(writer_->Run(kRelease));
  return {};
}

// A full disk or an I/O error ends the whole transaction: then nobody's work is there any more.
Result<void> Store::CheckTransaction(const Waiting& waiting) const {
  if (writer_->in_transaction()) return {};
  if (!waiting.outcome) return waiting.outcome;
  return Fail(ErrorCode::kUnavailable, "the transaction was lost");
}

void Store::RollBack() {
  if (writer_->in_transaction()) (void)writer_->Run(kRollBack);
}

void Store::CheckpointIfDue() {
  const auto wal_bytes = wal_pages_ * options_.page_bytes;
  if (wal_bytes < options_.wal_bytes_soft) return;
  const CheckpointLock lock(options_.path);
  if (!lock.held()) return;
  // PASSIVE folds in what no reader needs and waits for nobody. When a long reader has let the log
  // grow past the hard bound, RESTART waits for it, so that the log stays bounded.
  const int mode =
      wal_bytes < options_.wal_bytes_hard ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_RESTART;
  int pages_in_log = 0, pages_folded = 0;
  sqlite3_wal_checkpoint_v2(writer_->handle(), nullptr, mode, &pages_in_log, &pages_folded);
  wal_pages_ = pages_in_log - pages_folded;
}

Result<void> Store::RunOnSnapshot(const Job& job) {
  auto connection = PATRA_TRY(TakeReader());
  auto outcome = job(*connection);
  GiveBack(std::move(connection));
  return outcome;
}

// In a transaction: several statements of one read see the store at one moment, whatever others commit meanwhile.
Result<std::unique_ptr<Connection>> Store::TakeReader() {
  std::unique_ptr<Connection> connection;
  {
    const std::lock_guard lock(readers_mutex_);
    if (!readers_.empty()) {
      connection = std::move(readers_.back());
      readers_.pop_back();
    }
  }
  if (connection == nullptr) {
    connection = PATRA_TRY(Connection::Open(options_.path, reading_));
    connection->WatchBy(options_.slow.get());
  }
  PATRA_TRY(connection->Run(kBeginRead));
  return connection;
}

void Store::GiveBack(std::unique_ptr<Connection> connection) {
  if (connection->in_transaction() && !connection->Run(kCommit)) return;
  const std::lock_guard lock(readers_mutex_);
  if (readers_.size() < kIdleReadersMax) readers_.push_back(std::move(connection));
}

}  // namespace patra::infra::sqlite
