// The cells of all who use one Redis. A change is made here, on copies, and stored if nobody else has stored
// one meanwhile; else it is made again on what the others left.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/port/gate_ledger.h"
#include "base/clock.h"
#include "base/random.h"
#include "infra/redis/cell_set.h"
#include "infra/redis/connection.h"
#include "infra/redis/server_clock.h"

namespace patra::infra::redis {

// Whose clock decides. A test passes the time itself.
enum class TimeBy { kServer, kCaller };

struct SharedOptions {
  ConnectOptions connect;
  TimeBy time_by = TimeBy::kServer;
  // How long those who were cut off go on by themselves after the first of them is back, so that the others are back, too.
  Duration settle_for = std::chrono::seconds(3);
  std::uint64_t seed = 0;
};

// Not thread-safe.
class SharedCells {
 public:
  enum class Outcome { kStored, kAway };
  // Whether it is worth storing. What is not is still true: nobody has changed the cells when it is believed.
  using Change = std::function<bool(const domain::GateCells& cells, const domain::GateTime& time)>;

  SharedCells(SharedOptions options, app::GateLedger& ledger, const Clock& clock);

  bool is_connected() const { return connection_ != nullptr; }
  Result<void> Connect();
  void Use(std::unique_ptr<Connection> connection) { connection_ = std::move(connection); }

  // By the server's clock, as far as it is known.
  domain::GateTime Now() const;
  // Of the gate's time, before our clock's Elapsed.
  Duration ahead() const { return server_clock_.ahead(); }

  // Cells that are missing are made by the rules. The change may be made several times; the last time counts. kAway: Redis
  // does not answer, and nobody knows whether it has stored the change.
  Result<Outcome> Exchange(const CellSet& set, const domain::GateRules& rules,
                           const Change& change);
  // The same for a cell that has to be there; false where it is not.
  Result<std::optional<bool>> ChangeOne(const std::string& name,
                                        const std::function<void(domain::GateCell&)>& change);

  // After a time without Redis: until when everybody who was cut off goes on alone; nothing where Redis is away again.
  Result<std::optional<Duration>> AgreeOnReturn();

  // What was last seen, where all of the set was: when, by our clock's Elapsed.
  std::optional<Duration> SeenAt(const CellSet& set) const;
  // REQUIRES: all of the set was seen
  domain::GateCells Seen(const CellSet& set);
  // nullptr where it was never seen.
  const domain::GateCell* Remembered(const std::string& name) const;

  Result<std::vector<domain::GateCell>> ReadAll();

  std::int64_t round_trips() const { return round_trips_; }

 private:
  struct Entry {
    std::string version = "0";
    std::string generation{};
    std::optional<domain::GateCell> cell{};
    bool is_missed = false;  // Redis should have it, and does not
    Duration seen_at = domain::kLongAgo;
  };
  struct Head {
    std::string generation;
    std::string run;
    std::optional<Duration> lost_at;
    std::optional<Duration> resume_at;
  };
  struct Working {
    std::vector<domain::GateCell> cells;
    std::vector<bool> exists;
  };

  Working Copies(const CellSet& set, const domain::GateRules* rules, const domain::GateTime& time);
  Result<Reply> Send(const CellSet& set, const std::vector<domain::GateCell>* cells,
                     const domain::GateTime& time, bool stores);
  // Asks once more over a new connection where the answer was lost: the request's number keeps it from being done twice.
  Result<Reply> RunOrReconnect(std::string_view script, const std::vector<std::string_view>& keys,
                               std::vector<std::string_view> arguments);
  std::string ExpectedGeneration() const;
  bool IsAsExpected(const CellSet& set, const Reply& reply) const;
  Result<void> Learn(const CellSet& set, const Reply& reply);
  void Commit(const CellSet& set, const std::vector<domain::GateCell>& cells, const Reply& reply,
              const domain::GateTime& time);
  static Head HeadIn(const Reply& reply);
  Result<void> Believe(Head head);
  // Whether everything that this process or its store has sent is in the state of that head.
  bool Covers(const Head& head) const;
  Result<Head> StartGeneration(const Head& before, bool is_first);
  void Adopt(const Head& head);
  Result<bool> PauseAndRead(const CellSet& set, int tries);

  SharedOptions options_;
  app::GateLedger& ledger_;
  const Clock& clock_;
  SeededRandom random_;
  const std::string client_;
  std::uint64_t request_ = 0;
  std::int64_t round_trips_ = 0;

  std::unique_ptr<Connection> connection_;
  ServerClock server_clock_;
  bool has_jumped_ = false;  // the server's clock, and nobody has dealt with it yet

  Head head_;                         // as it was last believed
  std::optional<std::string> known_;  // the generation that what we sent is in
  bool asked_ledger_ = false;
  bool is_noted_ = false;              // the generation, in the store
  std::optional<Duration> stored_at_;  // our last change
  bool settles_ = false;  // after a time alone: what is lost is lost until everybody is back
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace patra::infra::redis
