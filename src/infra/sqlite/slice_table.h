// Table ing_plan_slice.
#pragma once

#include "app/port/run_ledger.h"
#include "domain/heal/usual_records.h"
#include "domain/item/record.h"
#include "domain/plan/plan.h"
#include "domain/plan/slice_width.h"
#include "domain/plan/unfinished_slice.h"
#include "domain/task/states.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::slice_table {

// False where the plan has a slice with this signature already. Number 0 becomes the plan's next one.
Result<bool> Insert(Connection& connection, const domain::Plan& plan, const domain::Slice& slice,
                    Instant now);

// The stretches within `window` that have unfinished slices of that partition, in order.
Result<std::vector<domain::Window>> OpenStretches(Connection& connection,
                                                  const domain::Partition& partition,
                                                  const std::string& query_hash,
                                                  const domain::Window& window);

// Those that ended without success, of plans in force; not those that smaller ones took over.
Result<std::vector<domain::UnfinishedSlice>> Unfinished(
    Connection& connection, const domain::Partition& partition, const std::string& query_hash,
    const std::optional<domain::Window>& window);
Result<std::vector<domain::UnfinishedSlice>> UnfinishedOf(Connection& connection, Id plan);

// What the newest succeeded slices of a query brought; nothing where there are none.
Result<std::optional<domain::SliceHistory>> History(Connection& connection,
                                                    const domain::Partition& partition,
                                                    const std::string& query_hash);

// What the newest slices that succeeded and were cut by time alone have brought, of that operation.
Result<std::vector<domain::SliceBrought>> Brought(Connection& connection,
                                                  const domain::Partition& partition,
                                                  const std::string& query_hash);

// CANCELLED, whatever it was doing. False where it has ended already.
Result<bool> Cancel(Connection& connection, Id slice, const std::string& reason, Instant now);

// EXECUTING, also where a dead executor left it so.
Result<void> Start(Connection& connection, Id slice, Instant now);

// READY again after its task went back to the queue.
Result<void> GiveBack(Connection& connection, Id slice, Instant now);

// READY again after its task was requeued; what it brought so far stays counted.
Result<void> Reopen(Connection& connection, Id slice, Instant now);
Result<void> AddCounts(Connection& connection, Id slice, const domain::RecordCounts& counts,
                       std::optional<std::int64_t> announced,
                       const std::optional<app::WalkedPage>& walked, Instant now);
// What the slice brought proves nothing at or after that moment.
Result<void> Bound(Connection& connection, Id slice, std::optional<Instant> provable_to);
Result<void> ResetCounts(Connection& connection, Id slice, Instant now);

struct SliceAccount {
  domain::RecordCounts counts;
  std::optional<Instant> provable_to{};
};
Result<SliceAccount> Account(Connection& connection, Id slice);

Result<void> RememberWalk(Connection& connection, Id slice, const domain::WalkMemory& memory,
                          Instant now);
Result<std::optional<domain::WalkMemory>> FindWalk(Connection& connection, Id slice);

// For slices that take over from another one (domain::kFirstPieceNumber).
Result<int> NextChildNumber(Connection& connection, Id plan);
Result<void> SetParent(Connection& connection, Id slice, Id parent);

// How many records its finished slices have brought, each once.
Result<std::int64_t> CountDifferent(Connection& connection, Id plan);

// Whether some of the plan was withdrawn.
Result<bool> HasCancelled(Connection& connection, Id plan);

// Whether everything that the plan cut the window into along other dimensions is done.
Result<bool> AllPartsSucceeded(Connection& connection, const domain::Partition& partition,
                               const std::string& query_hash, const domain::Window& window,
                               Id plan);

Result<void> Close(Connection& connection, Id slice, domain::SliceStatus status,
                   const std::optional<std::string>& gap, Instant now);

}  // namespace patra::infra::sqlite::slice_table
