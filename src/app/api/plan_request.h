// A trigger as people and schedulers give it: texts and flags. The planner understands the rest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "base/value.h"
#include "domain/word/operation.h"

namespace patra::app {

// From which definition, and with which wishes of its own.
struct ResolveRequest {
  std::string target;  // SOURCE or SOURCE/ENDPOINT
  domain::Operation operation = domain::Operation::kHarvest;
  std::vector<std::string>
      overrides{};                     // PATH=VALUE, or SOURCE.PATH=VALUE for one source of several
  std::optional<std::string> query{};  // in the provider's own syntax
  std::optional<std::int64_t> page_size{};  // at most
  std::optional<std::string> rate{};        // at most, such as 2/s
};

// Who fired, for the lineage (I1).
struct TriggerOrigin {
  std::string scheduler = "INTERNAL";
  std::optional<std::string> job_id{};
  std::optional<std::string> log_id{};
  std::string type = "MANUAL";
  Value params = Value::Object{};
};

struct PlanOptions {
  TriggerOrigin origin{};
  bool again = false;    // a new plan even where the same one exists
  bool dry_run = false;  // writes nothing at all
  bool sends = false;    // what is planned is worked off by the same process
  bool asks = false;     // of a dry run: one request tells how much there is
  bool tries_again =
      true;              // what earlier commands left FAILED or PARTIAL; not twice in one command
  bool repeats = false;  // what a plan of the same brought already is wanted once more
  std::optional<int> priority{};
  std::optional<std::int64_t> requests_max{};  // of this trigger; what is over waits for the next
  std::optional<int> tasks_at_once{};          // of this trigger's plan, whoever works
  Duration spread{};                           // over which the starts of tasks are spread
  Value resolution = Value::Object{};          // how source and endpoint were found
  std::vector<std::string> warnings{};         // of the compiler
  Duration compiled_in{};                      // how long that took, with finding the definition
  std::string origins = "[]";                  // of the snapshot's values, see plan_origins.h
};

// That one UPDATE may list.
inline constexpr std::size_t kListedIdsMax = 1'000'000;

struct PlanRequest {
  ResolveRequest source{};
  std::string sources_folder{};  // where definitions are; what differs from the registry is applied
  bool reads_registry = false;   // and nothing else: the folder is somebody else's affair

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

}  // namespace patra::app
