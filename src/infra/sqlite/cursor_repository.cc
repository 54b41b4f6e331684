#include "infra/sqlite/cursor_repository.h"

#include "infra/sqlite/coverage_table.h"
#include "infra/sqlite/cursor_table.h"

namespace patra::infra::sqlite {

Result<std::optional<Instant>> CursorRepository::Watermark(const domain::Partition& partition,
                                                           const domain::CursorNamespace& cursor) {
  return store_.Read(
      [&](Connection& connection) { return cursor_table::Current(connection, partition, cursor); });
}

Result<domain::Coverage> CursorRepository::CoverageIn(const domain::Partition& partition,
                                                      const std::string& query_hash,
                                                      const domain::Window& window) {
  return store_.Read([&](Connection& connection) {
    return coverage_table::Around(connection, partition, query_hash, window);
  });
}

}  // namespace patra::infra::sqlite
