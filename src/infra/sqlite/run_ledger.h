#pragma once

#include "app/port/run_ledger.h"
#include "base/clock.h"
#include "base/id.h"
#include "domain/cursor/cursor_move.h"
#include "infra/sqlite/cursor_repository.h"
#include "infra/sqlite/store.h"

namespace patra::infra::sqlite {

// Thread-safe.
class RunLedger final : public app::RunLedger {
 public:
  RunLedger(Store& store, const Clock& clock, IdGenerator& ids)
      : store_(store), clock_(clock), ids_(ids), cursors_(store, clock, ids) {}

  Result<app::RunOpened> Open(const app::LeasedTask& task, const app::Position& first) override;
  Result<app::BatchCommitted> Commit(const app::BatchCommit& batch) override;
  Result<void> GiveBack(const app::RunEnd& end) override;
  Result<void> GiveUp(const app::LeasedTask& task, const std::string& reason) override;
  Result<app::SliceClosed> Close(const app::SliceClose& close) override;

 private:
  Result<domain::RecordCounts> StoreRecords(Connection& connection, const app::BatchCommit& batch,
                                            Instant now);

  Result<domain::RecordCounts> StoreIds(Connection& connection, const app::BatchCommit& batch,
                                        Instant now);
  Result<void> Signal(Connection& connection, const app::BatchCommit& batch,
                      const domain::BadRecord& record, Instant now);
  Result<void> IsolatePage(Connection& connection, const app::SliceClose& close, Instant now);
  Result<void> AddChildren(Connection& connection, const app::SliceClose& close, Instant now);

  // The frontier after this slice, where it moves (I4).
  Result<std::optional<domain::CursorMove>> ProveSlice(Connection& connection,
                                                       const app::SliceClose& close, Instant now);

  Store& store_;
  const Clock& clock_;
  IdGenerator& ids_;
  CursorRepository cursors_;
};

}  // namespace patra::infra::sqlite
