// An engine's planner, with the registry and the definitions that it reads.
#pragma once

#include "app/plan/planner.h"
#include "boot/engine.h"
#include "boot/source_application.h"
#include "infra/sql/registry.h"

namespace patra::boot {

class EnginePlanner {
 public:
  EnginePlanner(Engine& engine, app::DefinitionFiles& files)
      : ports_(engine.plan_ports()),
        registry_(engine.store(), ports_.ids),
        planner_(ports_, registry_, files, engine.plan_limits()) {}
  EnginePlanner(const EnginePlanner&) = delete;
  EnginePlanner& operator=(const EnginePlanner&) = delete;

  app::Planner& planner() { return planner_; }

  // The request with the folder that is meant where it names none.
  static app::PlanRequest InFolder(app::PlanRequest request) {
    request.sources_folder = SourceApplication::FolderOf(request.sources_folder);
    return request;
  }

 private:
  app::PlanPorts ports_;
  infra::sql::Registry registry_;
  app::Planner planner_;
};

}  // namespace patra::boot
