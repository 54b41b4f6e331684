// Table ing_plan.
#pragma once

#include <optional>

#include "app/port/plan_repository.h"
#include "app/port/query_book.h"
#include "domain/plan/plan.h"
#include "domain/task/states.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::plan_table {

struct Found {
  Id id;
  domain::PlanStatus status;
};

// False where the key is taken.
Result<bool> Insert(Session& session, const domain::Plan& plan, Instant now);
Result<std::optional<Found>> FindByKey(Session& session, std::string_view key);

// Compare-and-set from a state that allows it; kConflict otherwise.
Result<void> Move(Session& session, Id plan, domain::PlanStatus to, Instant now);
Result<void> SetProgress(Session& session, Id plan, const app::SlicingProgress& progress,
                         Instant now);
// The newest are kept.
Result<void> AddSlowDown(Session& session, Id plan, Value slow_down, Instant now);
Result<void> AddRemarks(Session& session, Id plan, const Value& remarks, Instant now);

Result<std::optional<app::StoredPlan>> Read(Session& session, Id plan);
Result<std::optional<Id>> FindUncut(Session& session, const domain::Lane& lane,
                                    const domain::CursorNamespace& cursor);

Result<std::vector<app::OlderPlan>> OfOtherSnapshots(Session& session, const domain::Lane& lane,
                                                     const std::string& fingerprint);

// Those that plans of harvests and backfills of the query were made from, each once.
Result<std::vector<app::PlannedSnapshot>> Snapshots(Session& session, const domain::Lane& lane,
                                                    const std::string& query_hash);

// Of that query, whatever its window, and another one than `except`.
Result<std::optional<Id>> NewestCompleted(Session& session, const domain::Lane& lane,
                                          const std::string& query_hash, Id except = 0);

// When what a plan walks over began to be walked, at the earliest, and the last batch that came of it.
struct WalkOfPlan {
  Instant began_at;
  Id last_batch;
};
// Whether its snapshot says that what its list lacks is gone.
Result<bool> TellsGone(Session& session, Id plan);
Result<WalkOfPlan> FindWalk(Session& session, Id plan);

// COMPLETED when every slice of a READY plan has succeeded; otherwise nothing happens. Whether it did.
Result<bool> CompleteIfDone(Session& session, Id plan, Instant now);

}  // namespace patra::infra::sql::plan_table
