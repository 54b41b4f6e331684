// One connection to the server with its prepared statements. Not thread-safe: one thread at a time.
//
// After a failure that ends the transaction, or the connection, it runs nothing more until that is dealt with: what follows
// would be outside of the transaction, and stay.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "infra/mysql/address.h"
#include "infra/mysql/failure.h"
#include "infra/mysql/localise.h"
#include "infra/sql/session.h"

struct st_mysql;  // MariaDB Connector/C

namespace patra::infra::mysql {

struct Waits {
  Duration connect = std::chrono::seconds(3);
  // For an answer. A server that stands still is left after that; whether it did what it was told is found out.
  Duration answer = std::chrono::seconds(60);
};

// How a transaction is found again: its number, in a row of patra_commit that belongs to its connection.
struct CommitMark {
  std::string row;
  std::int64_t number = 0;
};

class Prepared;

class Connection final : public sql::Session {
 public:
  static Result<std::unique_ptr<Connection>> Open(const Address& address, const Waits& waits);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  sql::Dialect dialect() const override { return sql::Dialect::kMysql; }

  // One or more statements in one go; what they yield is not looked at.
  Result<void> Execute(const std::string& sql) override;

  // The same; the first column of the first row of each that yields one.
  Result<std::vector<std::string>> ExecuteForTexts(const std::string& sql);

  Result<void> RunEach(std::string_view sql, std::size_t rows, const RowOf& row) override;
  Result<void> QueryEach(std::string_view sql, std::size_t rows, const RowOf& row,
                         const Answer& answer) override;

  // What the last failure did to the transaction and the connection.
  Fate fate() const { return fate_; }
  void ForgetFate() { fate_ = Fate::kNone; }

  // Of the next transaction; makes the row where there is none yet.
  Result<CommitMark> NextMark();
  const CommitMark& mark() const { return mark_; }

  // How often the server was asked since the last call.
  std::int64_t TakeRoundTrips() { return std::exchange(round_trips_, 0); }

  st_mysql* handle() { return handle_; }
  unsigned number() const;  // of the last failure of Execute

  // By another thread: since when, on the clock that never jumps, the last answer is waited for or has come; and not to wait
  // for it any longer.
  Duration asked_at() const { return Duration(asked_at_.load()); }
  void HangUp();

  // For statements.
  using Session::slow;
  Result<void> CheckUsable() const;
  void CountRoundTrip() {
    ++round_trips_;
    asked_at_.store(SystemClock().Elapsed().count());
  }
  std::unexpected<Error> Fails(unsigned number, std::string_view said, std::string_view doing);

 private:
  explicit Connection(st_mysql* handle);

  Result<sql::Statement*> Prepare(std::string_view sql, std::span<const sql::Parameter> parameters,
                                  const std::optional<sql::ValueList>& list,
                                  Lifetime lifetime) override;
  std::size_t list_max() const override;
  Result<Prepared*> Find(std::string_view sql, const Shape& shape);

  // Rows of values that go to the server together.
  using RowGroup = std::span<const std::vector<sql::Parameter>>;
  Result<void> InGroups(std::span<const std::size_t> sizes, std::size_t rows, const RowOf& row,
                        const std::function<Result<void>(RowGroup)>& send);
  Result<void> RunGroup(std::string_view sql, RowGroup group);
  Result<void> QueryGroup(std::string_view sql, RowGroup group, const Answer& answer);

  st_mysql* handle_;
  // By the address of their text, which is cheaper to look up than the text: SQL is written as constants.
  std::map<std::pair<const char*, Shape>, std::unique_ptr<Prepared>> statements_;
  Fate fate_ = Fate::kNone;
  Error failure_;
  CommitMark mark_;
  std::int64_t round_trips_ = 0;
  std::atomic<Duration::rep> asked_at_{0};
  std::size_t packet_bytes_max_ = 0;
};

}  // namespace patra::infra::mysql
