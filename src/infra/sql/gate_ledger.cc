#include "infra/sql/gate_ledger.h"

#include "infra/sql/quota_table.h"

namespace patra::infra::sql {
namespace {

constexpr std::string_view kEpoch = "SELECT epoch FROM ing_gate WHERE id = 1 LIMIT 1";

constexpr std::string_view kSetEpoch = R"sql(
    INSERT INTO ing_gate (id, epoch, created_at, updated_at) VALUES (1, :epoch, :now, :now)
    ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, updated_at = excluded.updated_at)sql";

}  // namespace

Result<std::optional<std::int64_t>> GateLedger::Epoch() {
  return database_.Read([](Session& session) -> Result<std::optional<std::int64_t>> {
    auto rows = PATRA_TRY(session.Query(kEpoch));
    if (!PATRA_TRY(rows.Next())) return std::nullopt;
    return rows.Integer("epoch");
  });
}

Result<void> GateLedger::SetEpoch(std::int64_t epoch) {
  return database_.Write([&](Session& session) -> Result<void> {
    PATRA_TRY(session.Run(kSetEpoch, {{"epoch", epoch}, {"now", clock_.Now()}}));
    return {};
  });
}

Result<std::int64_t> GateLedger::ReserveQuota(const std::string& key, Instant from, Instant to,
                                              std::int64_t allowed, std::int64_t keep,
                                              std::int64_t piece) {
  return database_.Write([&](Session& session) {
    return quota_table::Reserve(session, key, from, to, allowed, keep, piece, clock_.Now());
  });
}

Result<std::vector<app::QuotaWindow>> GateLedger::Quotas(Instant at) {
  return database_.Read([&](Session& session) { return quota_table::List(session, at); });
}

}  // namespace patra::infra::sql
