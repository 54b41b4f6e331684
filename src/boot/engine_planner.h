// An engine's planner, with the registry and the definitions that it reads.
#pragma once

#include "app/plan/planner.h"
#include "boot/engine.h"
#include "boot/source_application.h"

namespace patra::boot {

class EnginePlanner {
 public:
  EnginePlanner(Engine& engine, app::DefinitionFiles& files)
      : planner_(engine.plan_ports(), engine.store().registry(), files, engine.plan_limits()) {}
  EnginePlanner(const EnginePlanner&) = delete;
  EnginePlanner& operator=(const EnginePlanner&) = delete;

  app::Planner& planner() { return planner_; }

  // The request with the folder that is meant where it names none.
  static app::PlanRequest InFolder(app::PlanRequest request) {
    request.sources_folder = SourceApplication::FolderOf(request.sources_folder);
    return request;
  }

 private:
  app::Planner planner_;
};

}  // namespace patra::boot
