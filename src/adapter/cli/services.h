// What the command line is given: stores and engines, opened from what a person typed. boot provides it; what can be asked
// of them is in app/api.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/api/checkup.h"
#include "app/api/desk.h"
#include "app/api/operations.h"
#include "app/api/settings_report.h"
#include "app/api/source_library.h"
#include "base/result.h"
#include "contract/store_promotion.h"

namespace patra::adapter::cli {

struct StoreRequest {
  std::string database;
  std::string configuration{};  // a file; empty: the usual one, where it exists
  std::string
      sources_folder{};  // definitions that are newer than the registry's; empty: the usual one
  std::string gate{};  // the Redis that keeps the rate gate's state; empty: a file beside the store
  std::string release{};         // whose definitions go before those of all; empty: none's
  std::string registry{};        // another machine that definitions are read of; empty: the store
  std::string registry_token{};  // where its token is
  bool changes = false;          // else nothing is written
  bool makes = false;            // a store that is not there yet is made
  bool stops_on_signals = false;
  std::string archive_folder{};  // where old rows are; empty: as the configuration says
};

// What a service here would go by.
struct CheckupRequest {
  StoreRequest store;
  std::string configuration{};  // a file; empty: the usual one, where it exists
};

// What is logged, and where it goes.
struct LogRequest {
  std::string level = "warn";
  bool as_text = false;  // else JSON, one object a line
  bool color = false;
  double sample = 1;  // of the runs, whose batches and requests are logged where they are well
  std::function<void(std::string_view line)> print{};           // missing: to standard error
  std::function<std::string(std::string_view text)> wording{};  // of the steps that texts name
};

// How an engine is set up for one command.
struct EngineRequest {
  std::string database;
  bool allow_loopback = false;
  std::vector<std::string> networks{};
  LogRequest log{};
  std::string configuration{};   // a file; empty: the usual one, where it exists
  std::string sources_folder{};  // empty: the usual one
  std::string gate{};            // a Redis; empty: a file beside the store
  std::string release{};         // whose definitions go before those of all; empty: none's
  std::string registry{};        // another machine that definitions are read of; empty: the store
  bool looks = false;            // writes nothing, and makes no store where there is none
  bool makes_none = false;       // where there is no store, one that goes away again is used
  bool must_exist = false;       // else a store that is not there yet is made
  bool stops_on_signals = false;
  int workers = 4;  // tasks at the same time
};

struct DemoRequest {
  std::string database;  // empty: a new one in the temporary folder
  // Missing: as many as usual, or as the store says where a demo was made in it before.
  std::optional<std::int64_t> records{};
  std::optional<std::uint64_t> seed{};
  LogRequest log{};
};

// One harvest of the demo, and how the store compares with what the provider really has.
struct DemoStage {
  std::string title;
  app::OperationSummary summary;
  std::int64_t truth = 0;    // records that a correct store holds
  std::int64_t missing = 0;  // not in the store
  std::int64_t wrong = 0;    // in the store with other content or in an older version
};

struct DemoReport {
  std::string url;
  std::string database;
  std::vector<DemoStage> stages;
};

// What a store says to a question of the operators' runbook.
struct DatabaseAnswer {
  std::string question;
  std::vector<std::string> lines;
  bool is_wrong = false;
};

struct DatabaseReport {
  std::string database;
  int schema_before = 0;
  int schema_after = 0;
  std::vector<std::string> problems;  // what a check found
  std::vector<DatabaseAnswer> answers{};
};

struct PromotionRequest {
  std::string database;
  std::string target;
};

// A service that goes on until it is told to end. What is not said is as the configuration says.
struct ServeRequest {
  EngineRequest engine{};
  std::optional<std::string> roles{};      // divided by commas
  std::optional<std::string> listen{};     // ADDRESS:PORT
  std::optional<int> concurrency{};        // tasks at the same time
  std::optional<std::string> read_from{};  // a replica of the store
};

struct Serving {
  std::string database;
  std::vector<std::string> roles;
  std::string url{};  // of the API; empty: this process has none
};

struct ServeReport {
  int signal = 0;  // that ended it
};

class Services {
 public:
  using OnServing = std::function<void(const Serving&)>;
  // What is done with which table, and how many of its rows.
  using OnPromotion =
      std::function<void(std::string_view doing, const std::string& table, std::int64_t rows)>;
  using OnDemoProgress = std::function<void(
      const std::string& stage, const app::OperationProgress& progress, std::int64_t expected)>;

  virtual ~Services() = default;

  // The person at the keyboard.
  virtual domain::Actor actor() const = 0;

  virtual Result<std::shared_ptr<app::Desk>> OpenDesk(const StoreRequest& request) = 0;
  virtual Result<std::shared_ptr<app::Operations>> OpenEngine(const EngineRequest& request) = 0;
  // `folder` is where the definitions are; empty: the shipped ones, else ./sources.
  virtual std::unique_ptr<app::SourceLibrary> OpenLibrary(const std::string& folder) = 0;

  // A section of the configuration, "heal", "plan", "gate", "work", "service" or "retention"; empty: what stands outside of sections.
  // `configuration` is a file; empty: the usual one, where it exists.
  virtual Result<app::SettingsReport> Settings(const std::string& section,
                                               const std::string& configuration) = 0;

  virtual Result<DatabaseReport> MigrateDatabase(const std::string& database) = 0;
  virtual Result<DatabaseReport> CheckDatabase(const std::string& database) = 0;
  virtual Result<void> BackUpDatabase(const std::string& database, const std::string& target) = 0;
  virtual Result<void> RestoreDatabase(const std::string& backup, const std::string& database) = 0;
  virtual Result<contract::StorePromotion> PromoteDatabase(const PromotionRequest& request,
                                                           const OnPromotion& on_progress) = 0;
  // What the store was being moved to.
  virtual Result<std::string> GiveUpPromotion(const std::string& database) = 0;

  virtual Result<DemoReport> Demo(const DemoRequest& request,
                                  const OnDemoProgress& on_progress) = 0;

  // `on_serving` is told once it has taken up its roles.
  virtual Result<ServeReport> Serve(const ServeRequest& request, const OnServing& on_serving) = 0;

  // Whether everything is there that a service on this store would go by. Writes nothing.
  virtual app::CheckupLines LookOver(const CheckupRequest& request) = 0;

  // The signal that asked to stop, if one did.
  virtual std::optional<int> StoppedBySignal() const = 0;
};

}  // namespace patra::adapter::cli
