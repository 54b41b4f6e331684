#pragma once

#include "app/port/cursor_repository.h"
#include "infra/sqlite/store.h"

namespace patra::infra::sqlite {

// Thread-safe.
class CursorRepository final : public app::CursorRepository {
 public:
  explicit CursorRepository(Store& store) : store_(store) {}

  Result<std::optional<Instant>> Watermark(const domain::Partition& partition,
                                           const domain::CursorNamespace& cursor) override;
  Result<domain::Coverage> CoverageIn(const domain::Partition& partition,
                                      const std::string& query_hash,
                                      const domain::Window& window) override;

 private:
  Store& store_;
};

}  // namespace patra::infra::sqlite
