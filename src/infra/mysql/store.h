// The store on a MySQL or MariaDB server, which several machines share. Thread-safe.
//
// A transaction first locks what its scope names: a row of patra_lock, exclusively, after the row of the whole store, shared (or
// exclusively, where it has that to itself). So transactions that decide about the same things take turns, and the others run
// side by side. One that is undone because of a deadlock, or whose connection breaks, runs again from its beginning.
//
// A connection that breaks while COMMIT is under way leaves the outcome open. Every transaction therefore writes its number into a
// row of its connection (patra_commit); the lock on that row makes whoever asks wait until the server has decided, and the number
// tells how.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>

#include "base/clock.h"
#include "infra/mysql/pool.h"
#include "infra/mysql/server_clock.h"
#include "infra/sql/database.h"

namespace patra::infra::mysql {

struct StoreOptions {
  Address address;
  bool migrate = true;
  Waits waits;
  std::size_t connections_max = 24;
  // A transaction that others undo again and again is given up.
  int tries_max = 50;
  // How long a server that is away is waited for. Work goes on by itself when it is back.
  Duration outage_max = std::chrono::hours(24);
  // Told when the server is away, with how long already.
  std::function<void(const Error&, Duration)> on_outage = [](const Error&, Duration) {};
  // Whoever wants to stop does not wait for a server that is away, nor long for one that says nothing. Nobody, where empty.
  std::function<bool()> wants_to_stop{};
  std::shared_ptr<sql::SlowStatements> slow{};  // hears of statements that take long
};

class Store final : public sql::Database {
 public:
  static Result<std::unique_ptr<Store>> Open(StoreOptions options, Clock& clock);
  ~Store() override;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // By which all machines go, whatever their own clocks say.
  Clock& server_clock() { return server_clock_; }

  std::int64_t round_trips() const { return round_trips_.load(); }
  std::int64_t reruns() const { return reruns_.load(); }

 private:
  class Outage;

  Store(StoreOptions options, Clock& clock);

  Result<void> RunInTransaction(const sql::LockScope& scope, Job job) override;
  Result<void> RunOnSnapshot(const Job& job) override;

  // How a try ended, beyond what became of its connection.
  struct End {
    bool is_open = false;           // nobody knows whether the COMMIT took effect
    bool failed_by_itself = false;  // and would fail again
  };
  // One try. What the connection's fate is after it decides whether there is another.
  Result<void> Attempt(Connection& connection, const sql::LockScope& scope, const Job& job,
                       End& end);
  Result<void> Begin(Connection& connection, const sql::LockScope& scope);
  // How late it is, without waiting for a turn.
  Result<void> AskTheTime(Connection& connection);
  Result<void> MakeLock(Connection& connection, const std::string& name);
  // Whether a transaction whose COMMIT was not answered is there.
  Result<bool> IsCommitted(const CommitMark& mark, Outage& outage);
  // A connection, however long the server is away.
  Result<std::unique_ptr<Connection>> Connect(Outage& outage);
  void Release(std::unique_ptr<Connection> connection);
  bool WantsToStop() const { return options_.wants_to_stop && options_.wants_to_stop(); }
  void HangUpToStop(const std::stop_token& over);

  const StoreOptions options_;
  ServerClock server_clock_;
  Pool pool_;
  std::atomic<std::int64_t> round_trips_{0};
  std::atomic<std::int64_t> reruns_{0};

  std::mutex mutex_;  // guards what follows
  std::set<std::string> known_locks_;
  std::optional<Error> away_;  // why nobody could connect last

  std::jthread watcher_;  // the last member: it looks at the others
};

}  // namespace patra::infra::mysql
