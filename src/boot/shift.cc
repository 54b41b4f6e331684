#include "boot/shift.h"

#include "app/schedule/default_targets.h"
#include "app/source/resolve_source.h"
#include "base/process_name.h"
#include "infra/definitions/yaml_files.h"

namespace patra::boot {
namespace {

using domain::ServiceRole;

constexpr Duration kLookAtStoreEvery = std::chrono::seconds(2);
constexpr Duration kAliveWithin = std::chrono::minutes(1);
constexpr Duration kLookAtRegistryEvery = std::chrono::seconds(15);
constexpr Duration kLookAtDefaultsEvery = std::chrono::minutes(5);
constexpr Duration kFireEvery = std::chrono::seconds(1);
constexpr Duration kWatchEvery = std::chrono::seconds(5);
constexpr Duration kPlanEvery = std::chrono::seconds(1);

}  // namespace

Shift::Shift(std::unique_ptr<Engine> engine, std::string sources_folder, int workers,
             const app::WatchOptions& watch, Clock& clock)
    : engine_(std::move(engine)),
      sources_folder_(std::move(sources_folder)),
      workers_(workers),
      clock_(clock),
      default_jobs_(engine_->store().jobs(), engine_->store().clock()),
      fire_jobs_(engine_->store().jobs(), engine_->store().executions(), engine_->store().clock(),
                 NewProcessName(clock)),
      watch_executions_({.executions = engine_->store().executions(),
                         .plans = engine_->store().plans(),
                         .cursors = engine_->store().cursors(),
                         .executors = engine_->store().executors(),
                         .holds = engine_->store().holds(),
                         .clock = engine_->store().clock()},
                        watch),
      planner_(engine_->planner(), {}, engine_->rate()),
      plan_executions_({.planning = planner_,
                        .jobs = engine_->store().jobs(),
                        .executions = engine_->store().executions(),
                        .clock = engine_->store().clock()},
                       NewProcessName(clock)) {}

Result<std::unique_ptr<Shift>> Shift::Open(const EngineOptions& options,
                                           const std::optional<StoreAddress>& read_from,
                                           const std::string& sources_folder,
                                           const app::WatchOptions& watch, Clock& clock) {
  auto engine = PATRA_TRY(Engine::Open(options, clock));
  std::unique_ptr<Shift> shift(
      new Shift(std::move(engine), sources_folder, options.workers, watch, clock));
  if (read_from) PATRA_TRY(shift->OpenReplica(*read_from));
  return shift;
}

Result<void> Shift::OpenReplica(const StoreAddress& address) {
  read_from_ = address;
  replica_ = PATRA_TRY(OpenStore(address, StoreUse::kLook, clock_));
  return {};
}

Result<void> Shift::ApplyDefinitions() {
  // Where that machine serves them, they are applied there.
  if (engine_->registry_elsewhere() != nullptr) return {};
  infra::definitions::YamlFiles files;
  const auto sync = PATRA_TRY(app::SyncRegistry(engine_->store().registry(), files, sources_folder_,
                                                {}, engine_->store().clock().Now()));
  auto& log = engine_->log();
  for (const auto& change : sync.changes)
    log.Write(app::LogLevel::kInfo, "definition.applied", {}, {{"change", change}});
  for (const auto& change : sync.not_applied)
    log.Write(app::LogLevel::kWarn, "definition.not_applied", {},
              {{"change", change}, {"reason", "the account may not write the registry"}});
  for (const auto* errors : {&sync.problems, &sync.left_out}) {
    for (const auto& error : *errors)
      log.Write(app::LogLevel::kError, "definition.refused", {}, {{"reason", error.Describe()}});
  }
  return {};
}

Result<void> Shift::Begin(const std::set<ServiceRole>& roles, const ApiOptions& api,
                          app::ServiceHealth& health) {
  // First of all: who cannot listen does nothing else, either.
  if (roles.contains(ServiceRole::kApi))
    api_ = PATRA_TRY(ServedApi::Start(
        api, *engine_, replica_ ? std::optional(ReadFrom{*read_from_, *replica_}) : std::nullopt,
        sources_folder_, health));
  if (api_)
    Do(
        {.part = "answers", .every = app::kKeepAliveEvery},
        [this]() -> Result<bool> {
          PATRA_TRY(api_->KeepAlive());
          return false;
        },
        health);
  LookAt(kStorePart, engine_->store(), health);
  Do(
      {.part = "rates", .every = app::RateBook::kWriteEvery},
      [this]() -> Result<bool> {
        PATRA_TRY(engine_->rates().WriteIfDue());
        return false;
      },
      health);
  if (replica_) LookAt(kReadStorePart, *replica_, health);
  if (roles.contains(ServiceRole::kScheduler)) Schedule(health);
  if (roles.contains(ServiceRole::kPlanner)) PlanWhatFires(health);
  if (roles.contains(ServiceRole::kExecutor))
    Do({.part = "executor", .every = std::chrono::seconds(1)}, [this] { return Work(); }, health);
  return {};
}

void Shift::LookAt(const char* part, app::Store& store, app::ServiceHealth& health) {
  Do(
      {.part = part, .every = kLookAtStoreEvery},
      [&store]() -> Result<bool> {
        PATRA_TRY(store.executors().Alive(kAliveWithin));
        return false;
      },
      health);
}

void Shift::Schedule(app::ServiceHealth& health) {
  // At once, so that a new store works by itself.
  if (const auto made = EnsureDefaults(); !made)
    engine_->log().Write(app::LogLevel::kWarn, "schedule.no_defaults", {},
                         {{"reason", made.error().Describe()}});
  Do(
      {.part = "defaults", .every = kLookAtDefaultsEvery}, [this] { return EnsureDefaults(); },
      health);
  Do({.part = "scheduler", .every = kFireEvery}, [this] { return FireDue(); }, health);
  Do({.part = "watch", .every = kWatchEvery}, [this] { return Watch(); }, health);
}

void Shift::PlanWhatFires(app::ServiceHealth& health) {
  // Seen before something is due that could not be planned.
  if (auto* elsewhere = engine_->registry_elsewhere(); elsewhere != nullptr) {
    Do(
        {.part = "registry", .every = kLookAtRegistryEvery},
        [elsewhere]() -> Result<bool> {
          PATRA_TRY(elsewhere->Codes());
          return false;
        },
        health);
  }
  Do({.part = "planner", .every = kPlanEvery}, [this] { return Plan(); }, health);
}

Result<bool> Shift::EnsureDefaults() {
  auto& store = engine_->store();
  const auto definitions = PATRA_TRY(engine_->registry().Export(store.clock().Now()));
  const app::ResolveScene scene{.codes = std::make_shared<const domain::CodeDictionary>(
                                    PATRA_TRY(engine_->registry().Codes()))};
  const auto targets =
      app::DefaultTargetsOf(definitions, engine_->secrets(), engine_->transport(), scene);
  const auto made = PATRA_TRY(default_jobs_.Ensure(targets));
  const auto tell = [&](const char* event, const std::vector<std::string>& jobs) {
    for (const auto& job : jobs)
      engine_->log().Write(app::LogLevel::kInfo, event, {}, {{"job", job}});
  };
  tell("schedule.set_right", PATRA_TRY(fire_jobs_.SetRight()));
  tell("schedule.created", made.created);
  tell("schedule.enabled", made.enabled);
  tell("schedule.disabled", made.disabled);
  return false;
}

Result<bool> Shift::FireDue() {
  const auto done = PATRA_TRY(fire_jobs_.Round());
  for (const auto& job : done.broken)
    engine_->log().Write(app::LogLevel::kError, "schedule.broken", {}, {{"job", job}});
  if (done.fired + done.skipped > 0) {
    engine_->log().Write(
        app::LogLevel::kInfo, "schedule.fired", {},
        {{"fired", std::int64_t{done.fired}}, {"skipped", std::int64_t{done.skipped}}});
  }
  return done.has_more;
}

Result<bool> Shift::Watch() {
  const auto done = PATRA_TRY(watch_executions_.Round());
  if (!done.empty()) {
    engine_->log().Write(
        app::LogLevel::kInfo, "schedule.ended", {},
        {{"succeeded", std::int64_t{done.succeeded}}, {"failed", std::int64_t{done.failed}}});
  }
  return false;
}

Result<bool> Shift::Plan() {
  const auto done = PATRA_TRY(plan_executions_.Round());
  if (!done.empty()) {
    engine_->log().Write(app::LogLevel::kInfo, "schedule.planned", {},
                         {{"started", std::int64_t{done.started}},
                          {"ended", std::int64_t{done.ended}},
                          {"givenBack", std::int64_t{done.given_back}}});
  }
  return false;
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
  api_.reset();
  engine_->stop().Ask();
  threads_.clear();
  duties_.clear();
}

}  // namespace patra::boot
