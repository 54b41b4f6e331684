#pragma once

#include "app/port/run_ledger.h"
#include "base/clock.h"
#include "base/id.h"
#include "domain/cursor/cursor_move.h"
#include "infra/sql/batch_table.h"
#include "infra/sql/cursor_repository.h"
#include "infra/sql/database.h"
#include "infra/sql/tell_gone.h"

namespace patra::infra::sql {

// Thread-safe.
class RunLedger final : public app::RunLedger {
 public:
  RunLedger(Database& database, const Clock& clock, IdGenerator& ids)
      : database_(database), clock_(clock), ids_(ids), cursors_(database, clock, ids) {}

  Result<app::RunOpened> Open(const app::LeasedTask& task, const app::Position& first) override;
  Result<app::BatchCommitted> Commit(const app::BatchCommit& batch) override;
  Result<void> GiveBack(const app::RunEnd& end) override;
  Result<void> GiveUp(const app::RunGivenUp& given_up) override;
  Result<app::SliceClosed> Close(const app::SliceClose& close) override;

 private:
  Result<batch_table::TakenIn> StoreRecords(Session& session, const app::BatchCommit& batch,
                                            Instant now);
  Result<domain::RecordCounts> StoreIds(Session& session, const app::BatchCommit& batch,
                                        Instant now);
  Result<void> Isolate(Session& session, const app::BatchCommit& batch,
                       domain::RecordCounts& counts, Instant now);
  Result<void> IsolatePage(Session& session, const app::SliceClose& close, Instant now);
  Result<void> AddChildren(Session& session, const app::SliceClose& close, Instant now);

  // The frontier after this slice, where it moves (I4), and what is gone from the list that it completes.
  Result<std::optional<domain::CursorMove>> ProveSlice(Session& session,
                                                       const app::SliceClose& close, Gone& gone,
                                                       Instant now);

  Database& database_;
  const Clock& clock_;
  IdGenerator& ids_;
  CursorRepository cursors_;
};

}  // namespace patra::infra::sql
