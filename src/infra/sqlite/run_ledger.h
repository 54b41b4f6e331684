#pragma once

#include "app/port/run_ledger.h"
#include "base/clock.h"
#include "base/id.h"
#include "infra/sqlite/cursor_table.h"
#include "infra/sqlite/store.h"

namespace patra::infra::sqlite {

// Thread-safe.
class RunLedger final : public app::RunLedger {
 public:
  RunLedger(Store& store, const Clock& clock, IdGenerator& ids)
      : store_(store), clock_(clock), ids_(ids) {}

  Result<app::RunOpened> Open(const app::LeasedTask& task, const app::Position& first) override;
  Result<app::BatchCommitted> Commit(const app::BatchCommit& batch) override;
  Result<app::SliceClosed> Close(const app::SliceClose& close) override;

 private:
  Result<domain::RecordCounts> StoreRecords(Connection& connection, const app::BatchCommit& batch,
                                            Instant now);

  // The frontier after this slice, where it moves (I4).
  Result<std::optional<cursor_table::Advance>> ProveSlice(Connection& connection,
                                                          const app::SliceClose& close,
                                                          Instant now);

  Store& store_;
  const Clock& clock_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sqlite
