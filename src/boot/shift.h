// One opening of a store by a service, and what it does on it, role by role, until it ends. A service whose configuration is
// read again ends one and begins another.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/retention/retention_rounds.h"
#include "app/schedule/default_jobs.h"
#include "app/schedule/fire_jobs.h"
#include "app/schedule/plan_executions.h"
#include "app/schedule/planner_of_jobs.h"
#include "app/schedule/watch_executions.h"
#include "app/service/duty.h"
#include "app/service/service_health.h"
#include "app/work/repeater.h"
#include "boot/engine.h"
#include "boot/served_api.h"
#include "domain/word/service_role.h"

namespace patra::boot {

class Shift {
 public:
  // kUnavailable where the store is away, or the replica that its API reads.
  static Result<std::unique_ptr<Shift>> Open(const EngineOptions& options,
                                             const std::optional<StoreAddress>& read_from,
                                             const std::string& sources_folder,
                                             const app::WatchOptions& watch, Clock& clock);
  ~Shift() { End(); }

  // What the definitions of the folder say becomes what plans are made of. What is wrong with some of them is logged, and
  // keeps none of the others back.
  Result<void> ApplyDefinitions();

  // An error where the API cannot listen.
  Result<void> Begin(const std::set<domain::ServiceRole>& roles, const ApiOptions& api,
                     app::ServiceHealth& health);
  // Of the API; empty where it is none of the roles.
  std::string url() const { return api_ ? api_->url() : std::string(); }

  // Lets what is under way come to an end. Whoever is slow is waited for.
  void End();

 private:
  Shift(std::unique_ptr<Engine> engine, std::string sources_folder, const EngineOptions& options,
        const app::WatchOptions& watch, Clock& clock);

  Result<void> OpenReplica(const StoreAddress& address, const std::string& archive_folder);
  void LookAt(const char* part, app::Store& store, app::ServiceHealth& health);
  void Schedule(app::ServiceHealth& health);
  void PlanWhatFires(app::ServiceHealth& health);
  void Do(app::DutyRules rules, app::Duty::Round round, app::ServiceHealth& health);
  Result<bool> EnsureDefaults();
  Result<bool> FireDue();
  Result<bool> Watch();
  Result<bool> Plan();
  Result<bool> Work();

  const std::unique_ptr<Engine> engine_;
  const std::string sources_folder_;
  const int workers_;
  Clock& clock_;
  app::DefaultJobs default_jobs_;
  app::FireJobs fire_jobs_;
  app::WatchExecutions watch_executions_;
  app::PlannerOfJobs planner_;
  app::PlanExecutions plan_executions_;
  app::RetentionRounds retention_;
  std::optional<StoreAddress> read_from_;
  std::unique_ptr<app::Store> replica_;
  std::unique_ptr<ServedApi> api_;
  std::vector<std::unique_ptr<app::Duty>> duties_;
  std::vector<std::unique_ptr<app::Repeater>> threads_;  // end before the duties that they do
};

}  // namespace patra::boot
