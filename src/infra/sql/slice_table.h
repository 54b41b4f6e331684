// Table ing_plan_slice.
#pragma once

#include <set>
#include <string>

#include "app/port/run_ledger.h"
#include "domain/cursor/coverage.h"
#include "domain/heal/usual_records.h"
#include "domain/item/record.h"
#include "domain/plan/plan.h"
#include "domain/plan/slice_width.h"
#include "domain/plan/tries_again.h"
#include "domain/task/states.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::slice_table {

using Works = std::vector<const domain::SliceWithTask*>;

// Those of them with whose signature the plan had no slice yet. Number 0 becomes the plan's next one.
Result<Works> InsertAll(Session& session, const domain::Plan& plan, const Works& works,
                        Instant now);

// The stretches within `window` that have unfinished slices of that lane, in order.
Result<std::vector<domain::Window>> OpenStretches(Session& session, const domain::Lane& lane,
                                                  const std::string& query_hash,
                                                  const domain::Window& window);

// What slices of harvests and backfills proved whose plans were made from one of these snapshots.
Result<domain::Coverage> ProvenUnder(Session& session, const domain::Lane& lane,
                                     const std::string& query_hash,
                                     const std::set<std::string>& fingerprints,
                                     const domain::Window& window);

// Those that ended without success, of plans in force; not those that smaller ones took over.
Result<std::vector<domain::UnfinishedSlice>> Unfinished(
    Session& session, const domain::Lane& lane, const std::string& query_hash,
    const std::optional<domain::Window>& window);
Result<std::vector<domain::UnfinishedSlice>> UnfinishedOf(Session& session, Id plan);

// What the newest succeeded slices of a query brought; nothing where there are none.
Result<std::optional<domain::SliceHistory>> History(Session& session, const domain::Lane& lane,
                                                    const std::string& query_hash);

// Records of the plan's slices that came and were left out as not asked for.
Result<std::int64_t> CountOutside(Session& session, Id plan);

// What the newest slices that succeeded and were cut by time alone have brought, of that operation.
Result<std::vector<domain::SliceBrought>> Brought(Session& session, const domain::Lane& lane,
                                                  const std::string& query_hash);

// Whether a plan with that prototype has brought any page yet.
Result<bool> WasAnyRead(Session& session, const std::string& expr_proto_hash);

// CANCELLED, whatever it was doing. False where it has ended already.
Result<bool> Cancel(Session& session, Id slice, const std::string& reason, Instant now);

// EXECUTING, also where a dead executor left it so.
Result<void> Start(Session& session, Id slice, Instant now);

// READY again after its task went back to the queue.
Result<void> GiveBack(Session& session, Id slice, Instant now);

// READY again after its task was requeued; what it brought so far stays counted.
Result<void> Reopen(Session& session, Id slice, Instant now);
Result<void> AddCounts(Session& session, Id slice, const domain::RecordCounts& counts,
                       std::optional<std::int64_t> announced,
                       const std::optional<app::WalkedPage>& walked, Instant now);
// What the slice brought proves nothing at or after that moment.
Result<void> Bound(Session& session, Id slice, std::optional<Instant> provable_to);
Result<void> ResetCounts(Session& session, Id slice, Instant now);

struct SliceAccount {
  domain::RecordCounts counts;
  std::optional<Instant> provable_to{};
};
Result<SliceAccount> Account(Session& session, Id slice);

Result<void> RememberWalk(Session& session, Id slice, const domain::WalkMemory& memory,
                          Instant now);
Result<std::optional<domain::WalkMemory>> FindWalk(Session& session, Id slice);

// For slices that take over from another one (domain::kFirstPieceNumber).
Result<int> NextChildNumber(Session& session, Id plan);
Result<void> SetParent(Session& session, Id slice, Id parent);

// How many records its finished slices have brought, each once.
Result<std::int64_t> CountDifferent(Session& session, Id plan);

// Whether some of the plan was withdrawn.
Result<bool> HasCancelled(Session& session, Id plan);

// Whether everything that the plan cut the window into along other dimensions is done.
Result<bool> AllPartsSucceeded(Session& session, const domain::Lane& lane,
                               const std::string& query_hash, const domain::Window& window,
                               Id plan);

Result<void> Close(Session& session, Id slice, domain::SliceStatus status,
                   const std::optional<std::string>& gap, Instant now);

}  // namespace patra::infra::sql::slice_table
