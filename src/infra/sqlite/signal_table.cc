#include "infra/sqlite/signal_table.h"

#include <algorithm>

#include "base/canonical_json.h"
#include "base/hash.h"
#include "base/value.h"

namespace patra::infra::sqlite::signal_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_signal
        (id, provenance_code, endpoint_name, provider_item_id, signal_type_code, origin, note, dedup_key, created_at)
    VALUES (:id, :provenance_code, :endpoint_name, :provider_item_id, :signal_type_code, :origin, :note,
            :dedup_key, :now)
    ON CONFLICT (dedup_key) DO NOTHING)sql";

// A taken signal gives its key back: when the same trouble comes again, it is a new signal.
constexpr std::string_view kTake = R"sql(
    UPDATE ing_signal
    SET status_code = 'PLANNED', plan_id = :plan_id, consumed_at = :now, dedup_key = dedup_key || '/' || id
    WHERE id IN (SELECT id FROM ing_signal INDEXED BY idx_signal_open
                 WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
                   AND status_code = 'OPEN' ORDER BY id LIMIT :signals_max)
    RETURNING id, provider_item_id, signal_type_code, origin, note)sql";

constexpr std::string_view kCountOpen = R"sql(
    SELECT count(*) FROM ing_signal INDEXED BY idx_signal_open
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND status_code = 'OPEN')sql";

constexpr std::string_view kTakenBy = R"sql(
    SELECT id, provenance_code, endpoint_name, provider_item_id, signal_type_code, origin, note
    FROM ing_signal WHERE plan_id = :plan_id AND status_code = 'PLANNED' AND id > :after
    ORDER BY id LIMIT :signals_max)sql";

constexpr std::string_view kOfPlan = R"sql(
    SELECT id, provider_item_id FROM ing_signal INDEXED BY idx_signal_of_plan
    WHERE plan_id = :plan_id ORDER BY id LIMIT 10000000)sql";

constexpr std::string_view kList = R"sql(
    SELECT id, provenance_code, endpoint_name, provider_item_id, signal_type_code, origin, note
    FROM ing_signal INDEXED BY idx_signal_status WHERE status_code = :status_code
    ORDER BY id DESC LIMIT :signals_max)sql";

constexpr std::string_view kSettle = R"sql(
    UPDATE ing_signal SET status_code = 'DONE' WHERE plan_id = :plan_id AND status_code = 'PLANNED')sql";

std::string DedupKey(const app::Signal& signal) {
  return Sha256Hex(CanonicalJson(Value::Object{{"source", signal.provenance},
                                               {"endpoint", signal.endpoint},
                                               {"item", signal.item_id},
                                               {"type", signal.type}}));
}

Result<std::vector<app::Signal>> SignalsIn(Rows rows) {
  std::vector<app::Signal> signals;
  while (PATRA_TRY(rows.Next())) {
    signals.push_back({.id = rows.Integer(0),
                       .provenance = rows.Text(1),
                       .endpoint = rows.Text(2),
                       .item_id = rows.Text(3),
                       .type = rows.Text(4),
                       .origin = rows.Text(5),
                       .note = rows.Text(6)});
  }
  return signals;
}

}  // namespace

Result<bool> Insert(Connection& connection, const app::Signal& signal, Id new_id, Instant now) {
  const auto rows =
      PATRA_TRY(connection.Run(kInsert, new_id, signal.provenance, signal.endpoint, signal.item_id,
                               signal.type, signal.origin, signal.note, DedupKey(signal), now));
  return rows == 1;
}

Result<std::int64_t> CountOpen(Connection& connection, const std::string& provenance,
                               const std::string& endpoint) {
  return connection.Integer(kCountOpen, provenance, endpoint);
}

Result<std::vector<app::Signal>> Take(Connection& connection, Id plan,
                                      const std::string& provenance, const std::string& endpoint,
                                      int signals_max, Instant now) {
  std::vector<app::Signal> taken;
  auto rows = PATRA_TRY(connection.Query(kTake, plan, now, provenance, endpoint, signals_max));
  while (PATRA_TRY(rows.Next())) {
    taken.push_back({.id = rows.Integer(0),
                     .provenance = provenance,
                     .endpoint = endpoint,
                     .item_id = rows.Text(1),
                     .type = rows.Text(2),
                     .origin = rows.Text(3),
                     .note = rows.Text(4)});
  }
  std::ranges::sort(taken, {}, &app::Signal::id);  // RETURNING promises no order
  return taken;
}

Result<std::vector<app::Signal>> TakenBy(Connection& connection, Id plan, Id after,
                                         int signals_max) {
  return SignalsIn(PATRA_TRY(connection.Query(kTakenBy, plan, after, signals_max)));
}

Result<std::optional<Id>> LastBefore(Connection& connection, Id plan,
                                     const std::function<bool(const std::string&)>& is_open) {
  std::optional<Id> last;
  auto rows = PATRA_TRY(connection.Query(kOfPlan, plan));
  while (PATRA_TRY(rows.Next()) && !is_open(rows.Text(1))) last = rows.Integer(0);
  return last;
}

Result<std::vector<app::Signal>> List(Connection& connection, const std::string& status,
                                      int signals_max) {
  return SignalsIn(PATRA_TRY(connection.Query(kList, status, signals_max)));
}

Result<void> Settle(Connection& connection, Id plan) {
  PATRA_TRY(connection.Run(kSettle, plan));
  return {};
}

}  // namespace patra::infra::sqlite::signal_table
