#include "infra/sql/plan_history.h"

#include "infra/sql/plan_table.h"
#include "infra/sql/rollup_table.h"
#include "infra/sql/slice_table.h"
#include "infra/sql/whole_table.h"

namespace patra::infra::sql {
namespace {

// Answers change in size, but not from one week to the next.
constexpr Duration kSizesOf = std::chrono::days(7);

}  // namespace

Result<std::optional<domain::SliceHistory>> PlanHistory::Of(const domain::Lane& lane,
                                                            const std::string& query_hash) {
  return database_.Read([&](Session& session) -> Result<std::optional<domain::SliceHistory>> {
    auto history = PATRA_TRY(slice_table::History(session, lane, query_hash));
    if (!history) return history;
    const auto sizes = PATRA_TRY(rollup_table::SizesSince(session, lane, clock_.Now() - kSizesOf));
    if (sizes.records > 0) {
      const auto records = static_cast<double>(sizes.records);
      history->bytes_per_record = static_cast<double>(sizes.bytes) / records;
      history->records_per_page = records / static_cast<double>(sizes.batches);
    }
    return history;
  });
}

Result<bool> PlanHistory::AnyFellShort(const domain::Lane& lane, const std::string& query_hash,
                                       const domain::Window& window) {
  return database_.Read([&](Session& session) {
    return whole_table::AnyFellShort(session, lane, query_hash, window);
  });
}

Result<std::optional<std::int64_t>> PlanHistory::ListSize(const domain::Lane& lane,
                                                          const std::string& query_hash) {
  return database_.Read([&](Session& session) -> Result<std::optional<std::int64_t>> {
    const auto plan = PATRA_TRY(plan_table::NewestCompleted(session, lane, query_hash));
    if (!plan) return std::nullopt;
    return PATRA_TRY(slice_table::CountDifferent(session, *plan));
  });
}

}  // namespace patra::infra::sql
