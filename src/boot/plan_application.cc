#include "boot/plan_application.h"

#include <filesystem>
#include <optional>

#include <stdlib.h>

#include "base/clock.h"
#include "boot/configuration.h"
#include "boot/engine.h"
#include "boot/engine_planner.h"
#include "boot/operator_name.h"
#include "domain/plan/plan_settings.h"

namespace patra::boot {
namespace {

// A dry run without a store makes none: it looks into an empty one that goes away with it.
class TemporaryStore {
 public:
  static Result<TemporaryStore> Make() {
    auto folder = (std::filesystem::temp_directory_path() / "patra-dry-run-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr)
      return Fail(ErrorCode::kUnavailable, "no temporary folder can be made");
    return TemporaryStore(std::move(folder));
  }
  ~TemporaryStore() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  TemporaryStore(TemporaryStore&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}
  TemporaryStore& operator=(TemporaryStore&&) = delete;

  std::string url() const { return StoreAddress::OfFile(folder_ + "/patra.db").url(); }

 private:
  explicit TemporaryStore(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
};

}  // namespace

Result<app::PlanReport> PlanApplication::Plan(const std::string& database,
                                              const std::string& configuration,
                                              const app::PlanRequest& request) {
  const auto address = PATRA_TRY(StoreAddress::Parse(database));
  EngineOptions options{.database = database};
  if (request.options.dry_run) options.use = StoreUse::kLook;
  std::optional<TemporaryStore> temporary;
  if (request.options.dry_run && !address.Exists()) {
    temporary.emplace(PATRA_TRY(TemporaryStore::Make()));
    options.database = temporary->url();
  }
  SystemClock clock;
  PATRA_TRY(Configure(configuration, files_, options));
  const auto engine = PATRA_TRY(Engine::Open(options, clock));
  return EnginePlanner(*engine, files_).planner().Run(EnginePlanner::InFolder(request));
}

Result<app::SettingsReport> PlanApplication::PlanPolicy(const std::string& configuration) {
  auto read = PATRA_TRY(ReadConfiguration(configuration, files_));
  return app::SettingsReport{.configuration = std::move(read.file),
                             .problems = std::move(read.problems),
                             .settings = domain::PlanSettings(read.settings.plan)};
}

Result<adapter::cli::CancelReport> PlanApplication::Cancel(
    const adapter::cli::CancelRequest& request) {
  using enum adapter::cli::CancelRequest::Kind;
  const auto open = PATRA_TRY(CommandStore::Open(request.database, StoreUse::kChange));
  auto& plans = open->store->plans();
  const app::Decision decision{.actor = OperatorName(), .reason = request.reason};
  const auto cancelled =
      PATRA_TRY(request.kind == kPlan    ? plans.CancelPlan(request.id, decision)
                : request.kind == kSlice ? plans.CancelSlice(request.id, decision)
                                         : plans.CancelTask(request.id, decision));
  return adapter::cli::CancelReport{.slices = cancelled.slices, .tasks = cancelled.tasks};
}

}  // namespace patra::boot
