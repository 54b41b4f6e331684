// A trigger as people and schedulers give it: texts and flags. The planner understands the rest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/plan/planned.h"
#include "app/source/resolve_source.h"
#include "base/result.h"

namespace patra::app {

struct PlanRequest {
  ResolveRequest source{};
  std::string sources_folder{};  // where definitions are; what differs from the registry is applied

  // Moments: 2026-01-31, -7d, now-1h; in the source's zone where they name none.
  std::optional<std::string> from{};
  std::optional<std::string> to{};

  bool gaps = false;     // BACKFILL
  bool further = false;  // BACKFILL: a step into the past
  std::optional<std::string> until{};
  std::optional<std::string> step{};

  std::vector<std::string> ids{};      // UPDATE
  std::optional<std::string> stale{};  // UPDATE: older than this; empty: as the definition says
  std::optional<int> parts{};          // UPDATE: in how many days a round is done
  bool expr_changed = false;           // UPDATE
  bool signals = false;                // UPDATE

  std::optional<std::string> spread{};
  PlanOptions options{};
};

struct PlanReport {
  std::vector<Error> problems{};  // of the definition or the command: then nothing is planned
  std::string source{};
  std::string endpoint{};
  std::string found_by{};              // how the endpoint was found
  std::vector<std::string> applied{};  // what changed in the registry
  std::vector<std::string> warnings{};
  Planned planned{};
};

}  // namespace patra::app
