#include "infra/sql/signal_table.h"

#include <map>

#include "base/canonical_json.h"
#include "base/hash.h"
#include "base/value.h"
#include "infra/sql/texts_in.h"

namespace patra::infra::sql::signal_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_signal
        (id, provenance_code, endpoint_name, provider_item_id, signal_type_code, origin, note, dedup_key, created_at)
    VALUES (:id, :provenance_code, :endpoint_name, :provider_item_id, :signal_type_code, :origin, :note,
            :dedup_key, :now)
    ON CONFLICT (dedup_key) DO NOTHING)sql";

constexpr std::string_view kOldestOpen = R"sql(
    SELECT id, provenance_code, endpoint_name, provider_item_id, signal_type_code, origin, note
    FROM ing_signal INDEXED BY idx_signal_open
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND status_code = 'OPEN' ORDER BY id LIMIT :signals_max)sql";

// A taken signal gives its key back: when the same trouble comes again, it is a new signal.
constexpr std::string_view kTake = R"sql(
    UPDATE ing_signal
    SET status_code = 'PLANNED', plan_id = :plan_id, consumed_at = :now, dedup_key = dedup_key || '/' || id
    WHERE id = :id AND status_code = 'OPEN')sql";

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

std::string_view WaitingIn() {
  static const auto kSql = WithList("SELECT dedup_key FROM ing_signal WHERE dedup_key IN");
  return kSql;
}

std::string DedupKey(const app::Signal& signal) {
  return Sha256Hex(CanonicalJson(Value::Object{{"source", signal.provenance},
                                               {"endpoint", signal.endpoint},
                                               {"item", signal.item_id},
                                               {"type", signal.type}}));
}

Result<std::vector<app::Signal>> SignalsIn(Rows rows) {
  std::vector<app::Signal> signals;
  while (PATRA_TRY(rows.Next())) {
    signals.push_back({.id = rows.Integer("id"),
                       .provenance = rows.Text("provenance_code"),
                       .endpoint = rows.Text("endpoint_name"),
                       .item_id = rows.Text("provider_item_id"),
                       .type = rows.Text("signal_type_code"),
                       .origin = rows.Text("origin"),
                       .note = rows.Text("note")});
  }
  return signals;
}

}  // namespace

Result<bool> Insert(Session& session, const app::Signal& signal, Id new_id, Instant now) {
  const auto rows = PATRA_TRY(session.Run(kInsert, {{"id", new_id},
                                                    {"provenance_code", signal.provenance},
                                                    {"endpoint_name", signal.endpoint},
                                                    {"provider_item_id", signal.item_id},
                                                    {"signal_type_code", signal.type},
                                                    {"origin", signal.origin},
                                                    {"note", signal.note},
                                                    {"dedup_key", DedupKey(signal)},
                                                    {"now", now}}));
  return rows == 1;
}

Result<void> InsertAll(Session& session, std::span<const app::Signal> signals, IdGenerator& ids,
                       Instant now) {
  std::map<std::string, const app::Signal*> by_key;
  for (const auto& signal : signals) by_key.try_emplace(DedupKey(signal), &signal);
  std::vector<std::string_view> keys;
  for (const auto& [key, signal] : by_key) keys.push_back(key);
  const auto waiting = PATRA_TRY(TextsAmong(session, WaitingIn(), ListOf(keys), {}));
  std::erase_if(by_key, [&](const auto& keyed) { return waiting.contains(keyed.first); });
  auto next = by_key.begin();
  return session.RunEach(kInsert, by_key.size(), [&](std::size_t, const auto& with) {
    const auto& [key, signal] = *next++;
    return with({{"id", ids.Next()},
                 {"provenance_code", signal->provenance},
                 {"endpoint_name", signal->endpoint},
                 {"provider_item_id", signal->item_id},
                 {"signal_type_code", signal->type},
                 {"origin", signal->origin},
                 {"note", signal->note},
                 {"dedup_key", key},
                 {"now", now}});
  });
}

Result<std::int64_t> CountOpen(Session& session, const std::string& provenance,
                               const std::string& endpoint) {
  return session.Integer(kCountOpen,
                         {{"provenance_code", provenance}, {"endpoint_name", endpoint}});
}

Result<std::vector<app::Signal>> Take(Session& session, Id plan, const std::string& provenance,
                                      const std::string& endpoint, int signals_max, Instant now) {
  auto taken =
      PATRA_TRY(SignalsIn(PATRA_TRY(session.Query(kOldestOpen, {{"provenance_code", provenance},
                                                                {"endpoint_name", endpoint},
                                                                {"signals_max", signals_max}}))));
  for (const auto& signal : taken)
    PATRA_TRY(session.Run(kTake, {{"plan_id", plan}, {"now", now}, {"id", signal.id}}));
  return taken;
}

Result<std::vector<app::Signal>> TakenBy(Session& session, Id plan, Id after, int signals_max) {
  return SignalsIn(PATRA_TRY(session.Query(
      kTakenBy, {{"plan_id", plan}, {"after", after}, {"signals_max", signals_max}})));
}

Result<std::optional<Id>> LastBefore(Session& session, Id plan,
                                     const std::function<bool(const std::string&)>& is_open) {
  std::optional<Id> last;
  auto rows = PATRA_TRY(session.Query(kOfPlan, {{"plan_id", plan}}));
  while (PATRA_TRY(rows.Next()) && !is_open(rows.Text("provider_item_id")))
    last = rows.Integer("id");
  return last;
}

Result<std::vector<app::Signal>> List(Session& session, const std::string& status,
                                      int signals_max) {
  return SignalsIn(
      PATRA_TRY(session.Query(kList, {{"status_code", status}, {"signals_max", signals_max}})));
}

Result<void> Settle(Session& session, Id plan) {
  PATRA_TRY(session.Run(kSettle, {{"plan_id", plan}}));
  return {};
}

}  // namespace patra::infra::sql::signal_table
