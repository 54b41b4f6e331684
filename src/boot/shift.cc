#include "boot/shift.h"

#include "app/source/resolve_source.h"
#include "boot/sources_folder.h"
#include "infra/definitions/yaml_files.h"

namespace patra::boot {
namespace {

using domain::ServiceRole;

constexpr Duration kLookAtStoreEvery = std::chrono::seconds(2);
constexpr Duration kAliveWithin = std::chrono::minutes(1);

}  // namespace

Result<std::unique_ptr<Shift>> Shift::Open(const EngineOptions& options,
                                           const std::string& sources_folder, Clock& clock) {
  auto engine = PATRA_TRY(Engine::Open(options, clock));
  return std::unique_ptr<Shift>(
      new Shift(std::move(engine), sources_folder, options.workers, clock));
}

Result<void> Shift::ApplyDefinitions() {
  infra::definitions::YamlFiles files;
  const auto sync = PATRA_TRY(app::SyncRegistry(engine_->store().registry(), files, sources_folder_,
                                                {}, engine_->store().clock().Now()));
  auto& log = engine_->log();
  for (const auto& change : sync.changes)
    log.Write(app::LogLevel::kInfo, "definition.applied", {}, {{"change", change}});
  for (const auto* errors : {&sync.problems, &sync.left_out}) {
    for (const auto& error : *errors)
      log.Write(app::LogLevel::kError, "definition.refused", {}, {{"reason", error.Describe()}});
  }
  return {};
}

void Shift::Begin(const std::set<ServiceRole>& roles, app::ServiceHealth& health) {
  Do(
      {.part = "store", .every = kLookAtStoreEvery},
      [this]() -> Result<bool> {
        PATRA_TRY(engine_->store().executors().Alive(kAliveWithin));
        return false;
      },
      health);
  if (roles.contains(ServiceRole::kExecutor))
    Do({.part = "executor", .every = std::chrono::seconds(1)}, [this] { return Work(); }, health);
}

void Shift::Do(app::DutyRules rules, app::Duty::Round round, app::ServiceHealth& health) {
  auto& duty = *duties_.emplace_back(std::make_unique<app::Duty>(
      std::move(rules), std::move(round), clock_, health, engine_->log(), engine_->stop()));
  threads_.push_back(std::make_unique<app::Repeater>(duty.every(), [&duty] { duty.RunIfDue(); }));
}

// A round that lasts until the service ends, unless something fails.
Result<bool> Shift::Work() {
  PATRA_TRY(
      engine_->work().Run({.workers = workers_, .drain = false}, [](const app::WorkProgress&) {}));
  return false;
}

void Shift::End() {
  engine_->stop().Ask();
  threads_.clear();
  duties_.clear();
}

}  // namespace patra::boot
