#pragma once

#include "app/port/adjustment_repository.h"
#include "base/clock.h"
#include "base/id.h"
#include "infra/sqlite/cursor_repository.h"
#include "infra/sqlite/store.h"

namespace patra::infra::sqlite {

// Thread-safe.
class AdjustmentRepository final : public app::AdjustmentRepository {
 public:
  AdjustmentRepository(Store& store, const Clock& clock, IdGenerator& ids)
      : store_(store), clock_(clock), ids_(ids), cursors_(store, clock, ids) {}

  Result<void> Put(const app::Adjustment& adjustment) override;
  Result<bool> TakeBack(const std::string& provenance, const std::string& endpoint,
                        app::AdjustmentKind kind, const app::Decision& decision) override;
  Result<std::optional<app::Adjustment>> Find(const std::string& provenance,
                                              const std::string& endpoint,
                                              app::AdjustmentKind kind) override;
  Result<std::vector<app::Adjustment>> List() override;
  Result<bool> AskOfSlice(Id slice, domain::SliceRequest request,
                          const std::string& reason) override;

 private:
  Store& store_;
  const Clock& clock_;
  IdGenerator& ids_;
  CursorRepository cursors_;
};

}  // namespace patra::infra::sqlite
