// The one place that knows which databases a store can be in.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/port/store.h"
#include "app/port/store_care.h"
#include "base/clock.h"
#include "infra/mysql/address.h"
#include "infra/sql/database.h"
#include "infra/sql/slow_statements.h"

namespace patra::boot {

// Where a store is: "sqlite:PATH", a path, or "mysql://USER@HOST/DATABASE".
class StoreAddress {
 public:
  // A server's password stands in the environment under that name.
  static Result<StoreAddress> Parse(const std::string& database,
                                    const std::string& password = "PATRA_DATABASE_PASSWORD");
  static StoreAddress OfFile(std::string file) { return StoreAddress(std::move(file)); }

  // An error where there is no such store yet.
  static Result<StoreAddress> OfExisting(const std::string& database);

  bool Exists() const;
  std::string url() const;
  std::string name() const;  // for people
  // The file itself, whatever link led to it: what lies beside a store is shared by all who use it.
  // REQUIRES: it is no server's
  std::string file() const;
  // The rate gate's state: beside a file, or in a folder of the user's where the store is on a server.
  std::string gate_file() const;
  // Where old rows go, unless somebody names another folder: beside a file; empty for a server's.
  std::string archive_folder() const;

  const std::optional<infra::mysql::Address>& server() const { return server_; }

 private:
  explicit StoreAddress(std::string file) : file_(std::move(file)) {}
  explicit StoreAddress(infra::mysql::Address server) : server_(std::move(server)) {}

  std::string file_;
  std::optional<infra::mysql::Address> server_;
};

// Whoever only looks writes nothing; whoever changes something makes ids.
enum class StoreUse { kLook, kChange };

// For whom a store is opened; how a server is used, and how it is borne that it is away; and who hears of slow statements.
struct OpenedFor {
  std::string release{};  // whose definitions go before those of all; empty: none's
  int workers = 4;
  std::function<bool()> wants_to_stop{};
  std::function<void(const Error&, Duration)> on_outage = [](const Error&, Duration) {};
  std::shared_ptr<infra::sql::SlowStatements> slow{};
  std::string archive_folder{};  // empty: the address' own
};

// One that is not there yet is made.
Result<std::unique_ptr<app::Store>> OpenStore(const StoreAddress& address, StoreUse use,
                                              Clock& clock, OpenedFor whom = {});

// A store as its tables, for whoever moves it; with the clock that those who work on it go by, which belongs to the database or
// is `clock`. A server that is away is waited for `outage_max`.
struct OpenedTables {
  std::unique_ptr<infra::sql::Database> database;
  Clock& clock;
};
Result<OpenedTables> OpenTables(const StoreAddress& address, Clock& clock, Duration outage_max);

std::unique_ptr<app::StoreCare> CareFor(const StoreAddress& address);

}  // namespace patra::boot
