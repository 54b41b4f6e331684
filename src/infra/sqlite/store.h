// The embedded store: one SQLite file, one writer thread that commits what is waiting in one
// transaction (group commit), and readers that are never blocked. Several processes may open the
// same file. Thread-safe.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "infra/sql/database.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite {

struct StoreOptions {
  std::string path;
  bool migrate = true;
  bool only_looks =
      false;  // then no more rights are needed than to read, as far as that is possible
  // Transactions survive a power cut only with FULL; NORMAL may lose the last ones, never
  // consistency.
  bool synchronous_full = true;
  // Of a new file. Measured (bench/ledger_bench): larger pages gain nothing.
  int page_bytes = 4096;
  // For other processes' transactions. Writers do not queue: where several take turns on a machine that is short of
  // breath, one may wait for long.
  Duration lock_wait = std::chrono::seconds(30);
  std::size_t jobs_per_commit_max = 64;
  std::size_t jobs_waiting_max = 1024;
  // The write-ahead log is folded into the file when it is larger than this.
  std::int64_t wal_bytes_soft = std::int64_t{64} << 20;
  std::int64_t wal_bytes_hard = std::int64_t{512} << 20;
  // Below this much free disk space nothing new is taken in.
  std::int64_t free_bytes_min = std::int64_t{64} << 20;
  std::shared_ptr<sql::SlowStatements> slow{};  // hears of statements that take long
};

class Store final : public sql::Database {
 public:
  static Result<std::unique_ptr<Store>> Open(StoreOptions options, const Clock& clock);
  ~Store() override;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  const std::string& path() const { return options_.path; }

 private:
  static Result<std::unique_ptr<Store>> OpenUnwritable(StoreOptions options,
                                                       Connection::Access access);
  struct Waiting;

  Store(StoreOptions options, std::unique_ptr<Connection> writer);

  // Together with what waits beside it; if it fails, its neighbours in the same commit are not undone. There is one writer,
  // so that nothing needs a lock of its own.
  Result<void> RunInTransaction(const sql::LockScope& scope, Job job) override;
  Result<void> RunOnSnapshot(const Job& job) override;
  void WriteLoop(std::stop_token stop);
  void CommitTogether(std::vector<Waiting*>& group);
  // Fail only where the whole transaction is lost; what the job itself says is in its outcome.
  Result<void> RunAlone(Waiting& waiting);
  Result<void> RunBesideOthers(Waiting& waiting);
  Result<void> CheckTransaction(const Waiting& waiting) const;
  void RollBack();
  void CheckpointIfDue();
  Result<std::unique_ptr<Connection>> TakeReader();
  void GiveBack(std::unique_ptr<Connection> connection);

  const StoreOptions options_;
  Connection::Access reading_ = Connection::Access::kReadOnly;
  std::unique_ptr<Connection> writer_;  // used by the writer thread only, once that runs
  std::int64_t wal_pages_ = 0;          // as SQLite's hook told after the last commit

  std::mutex mutex_;  // guards queue_
  std::condition_variable_any changed_;
  std::deque<Waiting*> queue_;

  std::mutex readers_mutex_;  // guards readers_
  std::vector<std::unique_ptr<Connection>> readers_;

  std::jthread writer_thread_;  // last: stops before what it uses goes away
};

}  // namespace patra::infra::sqlite
