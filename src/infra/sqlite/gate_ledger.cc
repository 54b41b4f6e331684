#include "infra/sqlite/gate_ledger.h"

#include "infra/sqlite/quota_table.h"

namespace patra::infra::sqlite {
namespace {

constexpr std::string_view kEpoch = "SELECT epoch FROM ing_gate WHERE id = 1 LIMIT 1";

constexpr std::string_view kSetEpoch = R"sql(
    INSERT INTO ing_gate (id, epoch, created_at, updated_at) VALUES (1, :epoch, :now, :now)
    ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, updated_at = excluded.updated_at)sql";

}  // namespace

Result<std::optional<std::int64_t>> GateLedger::Epoch() {
  return store_.Read([](Connection& connection) -> Result<std::optional<std::int64_t>> {
    auto rows = PATRA_TRY(connection.Query(kEpoch));
    if (!PATRA_TRY(rows.Next())) return std::nullopt;
    return rows.Integer(0);
  });
}

Result<void> GateLedger::SetEpoch(std::int64_t epoch) {
  return store_.Write([&](Connection& connection) -> Result<void> {
    PATRA_TRY(connection.Run(kSetEpoch, epoch, clock_.Now()));
    return {};
  });
}

Result<std::int64_t> GateLedger::ReserveQuota(const std::string& key, Instant from, Instant to,
                                              std::int64_t allowed, std::int64_t keep,
                                              std::int64_t piece) {
  return store_.Write([&](Connection& connection) {
    return quota_table::Reserve(connection, key, from, to, allowed, keep, piece, clock_.Now());
  });
}

Result<std::vector<app::QuotaWindow>> GateLedger::Quotas(Instant at) {
  return store_.Read([&](Connection& connection) { return quota_table::List(connection, at); });
}

}  // namespace patra::infra::sqlite
