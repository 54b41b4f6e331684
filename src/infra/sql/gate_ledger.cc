#include "infra/sql/gate_ledger.h"

#include "base/value.h"
#include "base/zstd_frame.h"
#include "infra/sql/quota_table.h"

namespace patra::infra::sql {
namespace {

constexpr std::string_view kEpoch = "SELECT epoch FROM ing_gate WHERE id = 1 LIMIT 1";

constexpr std::string_view kSetEpoch = R"sql(
    INSERT INTO ing_gate (id, epoch, created_at, updated_at) VALUES (1, :epoch, :now, :now)
    ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, updated_at = excluded.updated_at,
        memory = NULL, stops = NULL)sql";

constexpr std::string_view kRest = R"sql(
    UPDATE ing_gate SET memory = :memory, stops = :stops, updated_at = :now WHERE id = 1)sql";

constexpr std::string_view kResting =
    "SELECT memory, stops FROM ing_gate WHERE id = 1 AND memory IS NOT NULL LIMIT 1";

constexpr std::size_t kMemoryBytesMax = std::size_t{64} << 20;

std::string TextOf(const std::vector<app::RestingGate::Stop>& stops) {
  Value::Object by_key;
  for (const auto& [key, until] : stops) by_key[key] = until.time_since_epoch().count();
  return PrintJson(Value(std::move(by_key)));
}

Result<std::vector<app::RestingGate::Stop>> StopsIn(const std::string& text) {
  std::vector<app::RestingGate::Stop> stops;
  const auto by_key = PATRA_TRY(ParseJson(text));
  if (by_key.AsObject() == nullptr) return stops;
  for (const auto& [key, until] : *by_key.AsObject()) {
    if (until.AsInteger() != nullptr) stops.push_back({key, Instant(Duration(*until.AsInteger()))});
  }
  return stops;
}

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

Result<void> GateLedger::Rest(const app::RestingGate& gate) {
  const auto memory = Compress(gate.memory);
  const auto stops = TextOf(gate.stops);
  return database_.Write([&](Session& session) -> Result<void> {
    PATRA_TRY(
        session.Run(kRest, {{"memory", Blob{memory}}, {"stops", stops}, {"now", clock_.Now()}}));
    return {};
  });
}

Result<std::optional<app::RestingGate>> GateLedger::Resting() {
  return database_.Read([](Session& session) -> Result<std::optional<app::RestingGate>> {
    auto rows = PATRA_TRY(session.Query(kResting));
    if (!PATRA_TRY(rows.Next())) return std::nullopt;
    app::RestingGate gate{.stops = PATRA_TRY(StopsIn(rows.Text("stops")))};
    gate.memory = PATRA_TRY(Decompress(rows.View("memory"), kMemoryBytesMax));
    return gate;
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
