#pragma once

#include "app/port/adjustment_repository.h"
#include "base/clock.h"
#include "base/id.h"
#include "infra/sql/cursor_repository.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class AdjustmentRepository final : public app::AdjustmentRepository {
 public:
  AdjustmentRepository(Database& database, const Clock& clock, IdGenerator& ids)
      : database_(database), clock_(clock), ids_(ids), cursors_(database, clock, ids) {}

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
  Database& database_;
  const Clock& clock_;
  IdGenerator& ids_;
  CursorRepository cursors_;
};

}  // namespace patra::infra::sql
