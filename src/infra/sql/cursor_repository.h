#pragma once

#include "app/port/cursor_repository.h"
#include "base/clock.h"
#include "base/id.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class CursorRepository final : public app::CursorRepository {
 public:
  CursorRepository(Database& database, const Clock& clock, IdGenerator& ids)
      : database_(database), clock_(clock), ids_(ids) {}

  Result<std::optional<domain::CursorValue>> Current(
      const domain::Lane& lane, const domain::CursorNamespace& cursor) override;
  Result<bool> Advance(const domain::CursorMove& move) override;
  Result<void> Settle(const domain::Lane& lane, const domain::CursorNamespace& cursor) override;
  Result<void> Set(const domain::Lane& lane, const domain::CursorNamespace& cursor,
                   const domain::CursorValue& value, const app::Decision& decision) override;
  Result<domain::Coverage> CoverageIn(const domain::Lane& lane, const std::string& query_hash,
                                      const domain::Window& window) override;

  // The second half of Advance, for whoever has committed the event already.
  Result<bool> Follow(const domain::CursorMove& move);

 private:
  Database& database_;
  const Clock& clock_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sql
