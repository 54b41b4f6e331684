#include "infra/sql/forget_parts.h"

#include <array>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "infra/sql/record_set_table.h"
#include "infra/sql/texts_in.h"

namespace patra::infra::sql {
namespace {

// Of runs and slices: what they lead to is looked for of so many at a time.
constexpr int kParentsAtOnce = 20;

Result<std::vector<Id>> IdsIn(Result<Rows> query) {
  auto rows = PATRA_TRY(std::move(query));
  std::vector<Id> ids;
  while (PATRA_TRY(rows.Next())) ids.push_back(rows.Integer(kOnly));
  return ids;
}

// Rows of the table that the list chooses by that column; how many.
Result<std::int64_t> DeleteIn(Session& session, std::string_view table, std::string_view column,
                              const std::vector<Id>& ids) {
  const auto sql = WithList(fmt::format("DELETE FROM {} WHERE {} IN", table, column));
  return session.RunIn(sql, ListOf(ids), {});
}

Result<std::vector<Id>> SelectIn(Session& session, std::string_view table, std::string_view key,
                                 std::string_view column, const std::vector<Id>& ids,
                                 int rows_max) {
  const auto sql = WithList(fmt::format("SELECT {} FROM {} WHERE {} IN", key, table, column));
  std::vector<Id> found;
  PATRA_TRY(session.QueryIn(sql, ListOf(ids), {}, [&](const Rows& rows) -> Result<void> {
    if (std::ssize(found) < rows_max) found.push_back(rows.Integer(kOnly));
    return {};
  }));
  return found;
}

Result<std::vector<Id>> OfSource(Session& session, const ForgetPart& part,
                                 const std::string& source, Id after, int rows_max) {
  if (part.index == nullptr) {
    const auto sql = fmt::format(
        "SELECT id FROM {} NOT INDEXED WHERE id > :after AND provenance_code = :source ORDER BY id "
        "LIMIT :rows_max",
        part.table);
    return IdsIn(
        session.Query(sql, {{"after", after}, {"source", source}, {"rows_max", rows_max}}));
  }
  const auto sql =
      fmt::format("SELECT id FROM {} INDEXED BY {} WHERE provenance_code = :source LIMIT :rows_max",
                  part.table, part.index);
  return IdsIn(session.Query(sql, {{"source", source}, {"rows_max", rows_max}}));
}

Result<Forgotten> ForgetById(Session& session, const ForgetPart& part, const std::string& source,
                             Id after, int rows_max) {
  const auto ids = PATRA_TRY(OfSource(session, part, source, after, rows_max));
  Forgotten gone{.is_all = std::ssize(ids) < rows_max, .after = ids.empty() ? 0 : ids.back()};
  gone.rows = PATRA_TRY(DeleteIn(session, part.table, "id", ids));
  return gone;
}

// Few rows of a source each.
Result<Forgotten> ForgetAtOnce(Session& session, const ForgetPart& part, const std::string& source,
                               Id /*after*/, int /*rows_max*/) {
  const auto sql = fmt::format("DELETE FROM {} WHERE provenance_code = :source", part.table);
  return Forgotten{.rows = PATRA_TRY(session.Run(sql, {{"source", source}})), .is_all = true};
}

constexpr std::string_view kCountRunning = R"sql(
    SELECT count(*) FROM ing_task INDEXED BY idx_task_src_op
    WHERE provenance_code = :source AND status_code IN ('DISPATCHED', 'EXECUTING'))sql";

// Somebody may have claimed one before it was paused.
Result<Forgotten> ForgetTasks(Session& session, const ForgetPart& part, const std::string& source,
                              Id after, int rows_max) {
  const auto running = PATRA_TRY(session.Integer(kCountRunning, {{"source", source}}));
  if (running > 0) {
    return Fail(ErrorCode::kConflict, fmt::format("{} tasks of {} run", running, source), {},
                "it is paused: try again when they are done");
  }
  return ForgetById(session, part, source, after, rows_max);
}

// Batches with their pages and the notes of where they went; then the runs themselves.
Result<Forgotten> ForgetRuns(Session& session, const ForgetPart& part, const std::string& source,
                             Id /*after*/, int rows_max) {
  const auto runs = PATRA_TRY(OfSource(session, part, source, 0, kParentsAtOnce));
  Forgotten gone;
  const auto batches =
      PATRA_TRY(SelectIn(session, "ing_task_run_batch", "id", "run_id", runs, rows_max));
  gone.rows += PATRA_TRY(DeleteIn(session, "ing_raw_page", "batch_id", batches));
  gone.rows += PATRA_TRY(DeleteIn(session, "ing_task_run_batch", "id", batches));
  const auto notes =
      PATRA_TRY(SelectIn(session, "ing_archived_batch", "batch_id", "run_id", runs, rows_max));
  gone.rows += PATRA_TRY(DeleteIn(session, "ing_archived_batch", "batch_id", notes));
  if (std::ssize(batches) == rows_max || std::ssize(notes) == rows_max) return gone;
  gone.rows += PATRA_TRY(DeleteIn(session, part.table, "id", runs));
  gone.is_all = std::ssize(runs) < kParentsAtOnce;
  return gone;
}

constexpr std::string_view kIdsOfSlice = R"sql(
    SELECT provider_item_id FROM ing_enumerated_id WHERE slice_id = :slice_id
    ORDER BY provider_item_id LIMIT :rows_max)sql";

std::string_view DeleteIdsIn() {
  static const auto kSql =
      WithList("DELETE FROM ing_enumerated_id WHERE slice_id = :slice_id AND provider_item_id IN");
  return kSql;
}

// What they remember of their walks, then the slices themselves.
Result<Forgotten> ForgetSlices(Session& session, const ForgetPart& part, const std::string& source,
                               Id /*after*/, int rows_max) {
  const auto slices = PATRA_TRY(OfSource(session, part, source, 0, kParentsAtOnce));
  Forgotten gone;
  gone.rows += PATRA_TRY(DeleteIn(session, "ing_walk_page", "slice_id", slices));
  gone.rows += PATRA_TRY(DeleteIn(session, "ing_quarantine_place", "slice_id", slices));
  for (const auto slice : slices) {
    const auto ids = PATRA_TRY(TextsIn(
        PATRA_TRY(session.Query(kIdsOfSlice, {{"slice_id", slice}, {"rows_max", rows_max}}))));
    gone.rows += PATRA_TRY(session.RunIn(DeleteIdsIn(), ListOf(ids), {{"slice_id", slice}}));
    if (std::ssize(ids) == rows_max || gone.rows > rows_max) return gone;
  }
  gone.rows += PATRA_TRY(DeleteIn(session, part.table, "id", slices));
  gone.is_all = std::ssize(slices) < kParentsAtOnce;
  return gone;
}

constexpr std::string_view kItemsOfSet = R"sql(
    SELECT id FROM ing_item INDEXED BY uk_item WHERE record_set_id = :record_set LIMIT :rows_max)sql";

// The names of its endpoints stay: changes that were told have their numbers.
Result<Forgotten> ForgetItems(Session& session, const ForgetPart& part, const std::string& source,
                              Id /*after*/, int rows_max) {
  for (const auto& set : PATRA_TRY(record_set_table::List(session, source, ""))) {
    const auto ids = PATRA_TRY(
        IdsIn(session.Query(kItemsOfSet, {{"record_set", set.number}, {"rows_max", rows_max}})));
    if (ids.empty()) continue;
    return Forgotten{.rows = PATRA_TRY(DeleteIn(session, part.table, "id", ids))};
  }
  return Forgotten{.is_all = true};
}

constexpr std::string_view kListedOfSet = R"sql(
    SELECT query_hash, provider_item_id FROM ing_listed_item WHERE record_set_id = :record_set
    ORDER BY query_hash, provider_item_id LIMIT :rows_max)sql";
constexpr std::string_view kDeleteListed = R"sql(
    DELETE FROM ing_listed_item
    WHERE record_set_id = :record_set AND query_hash = :query_hash AND provider_item_id = :id)sql";

Result<Forgotten> ForgetListed(Session& session, const ForgetPart& /*part*/,
                               const std::string& source, Id /*after*/, int rows_max) {
  for (const auto& set : PATRA_TRY(record_set_table::List(session, source, ""))) {
    std::vector<std::pair<std::string, std::string>> keys;
    {
      auto rows = PATRA_TRY(
          session.Query(kListedOfSet, {{"record_set", set.number}, {"rows_max", rows_max}}));
      while (PATRA_TRY(rows.Next()))
        keys.emplace_back(rows.Text("query_hash"), rows.Text("provider_item_id"));
    }
    if (keys.empty()) continue;
    for (const auto& [query, id] : keys)
      PATRA_TRY(session.Run(kDeleteListed,
                            {{"record_set", set.number}, {"query_hash", query}, {"id", id}}));
    return Forgotten{.rows = std::ssize(keys)};
  }
  return Forgotten{.is_all = true};
}

constexpr std::string_view kMessagesAfter = R"sql(
    SELECT id, record_set, payload_json = '{}' AS is_empty FROM ing_outbox_message NOT INDEXED
    WHERE id > :after ORDER BY id LIMIT :rows_max)sql";

std::string_view EmptyIn() {
  static const auto kSql = WithList(
      "UPDATE ing_outbox_message NOT INDEXED SET payload_json = '{}', headers_json = '{}' WHERE id "
      "IN");
  return kSql;
}

// A message that was missing would be a gap to whoever hears of changes: it stays, and says nothing.
Result<Forgotten> EmptyMessages(Session& session, const ForgetPart& /*part*/,
                                const std::string& source, Id after, int rows_max) {
  std::set<Id> sets;
  for (const auto& set : PATRA_TRY(record_set_table::List(session, source, "")))
    sets.insert(set.number);
  std::vector<Id> messages;
  int met = 0;
  {
    auto rows =
        PATRA_TRY(session.Query(kMessagesAfter, {{"after", after}, {"rows_max", rows_max}}));
    for (; PATRA_TRY(rows.Next()); ++met) {
      after = rows.Integer("id");
      const auto set = rows.OptionalInteger("record_set");
      if (set && sets.contains(*set) && rows.Integer("is_empty") == 0) messages.push_back(after);
    }
  }
  PATRA_TRY(session.RunIn(EmptyIn(), ListOf(messages), {}));
  return Forgotten{.rows = std::ssize(messages), .is_all = met < rows_max, .after = after};
}

constexpr std::string_view kBadIds = R"sql(
    SELECT endpoint_name, provider_item_id FROM ing_bad_id WHERE provenance_code = :source
    ORDER BY endpoint_name, provider_item_id LIMIT :rows_max)sql";
constexpr std::string_view kDeleteBadId = R"sql(
    DELETE FROM ing_bad_id
    WHERE provenance_code = :source AND endpoint_name = :endpoint AND provider_item_id = :id)sql";

Result<Forgotten> ForgetBadIds(Session& session, const ForgetPart& /*part*/,
                               const std::string& source, Id /*after*/, int rows_max) {
  std::vector<std::pair<std::string, std::string>> keys;
  {
    auto rows = PATRA_TRY(session.Query(kBadIds, {{"source", source}, {"rows_max", rows_max}}));
    while (PATRA_TRY(rows.Next()))
      keys.emplace_back(rows.Text("endpoint_name"), rows.Text("provider_item_id"));
  }
  for (const auto& [endpoint, id] : keys)
    PATRA_TRY(session.Run(kDeleteBadId, {{"source", source}, {"endpoint", endpoint}, {"id", id}}));
  return Forgotten{.rows = std::ssize(keys), .is_all = std::ssize(keys) < rows_max};
}

constexpr std::string_view kSumsOfSource = R"sql(
    SELECT minute FROM ing_batch_rollup WHERE minute >= :after AND provenance_code = :source
    ORDER BY minute LIMIT :rows_max)sql";
constexpr std::string_view kDeleteSums = R"sql(
    DELETE FROM ing_batch_rollup
    WHERE minute >= :first AND minute <= :last AND provenance_code = :source)sql";

Result<Forgotten> ForgetSums(Session& session, const ForgetPart& /*part*/,
                             const std::string& source, Id after, int rows_max) {
  const auto minutes = PATRA_TRY(IdsIn(session.Query(
      kSumsOfSource, {{"after", after}, {"source", source}, {"rows_max", rows_max}})));
  if (minutes.empty()) return Forgotten{.is_all = true};
  const auto rows = PATRA_TRY(session.Run(
      kDeleteSums, {{"first", minutes.front()}, {"last", minutes.back()}, {"source", source}}));
  return Forgotten{.rows = rows, .is_all = std::ssize(minutes) < rows_max, .after = minutes.back()};
}

constexpr std::string_view kDeleteQueueDays =
    "DELETE FROM ing_queue_day WHERE lane_key >= :from AND lane_key < :to";

// "demo/" and all that follows it, up to what would follow "demo".
Result<Forgotten> ForgetQueueDays(Session& session, const ForgetPart& /*part*/,
                                  const std::string& source, Id /*after*/, int /*rows_max*/) {
  return Forgotten{.rows = PATRA_TRY(session.Run(kDeleteQueueDays,
                                                 {{"from", source + "/"}, {"to", source + "0"}})),
                   .is_all = true};
}

}  // namespace

std::span<const ForgetPart> ForgetParts() {
  static constexpr auto kParts = std::to_array<ForgetPart>({
      {"ing_task", ForgetTasks, "idx_task_src_op"},
      {"ing_task_run", ForgetRuns, "idx_run_prov_op_status"},
      {"ing_plan_slice", ForgetSlices, "idx_slice_prov_status"},
      {"ing_plan", ForgetById, "idx_plan_src_op_time"},
      {"ing_schedule_instance", ForgetById},
      {"ing_cursor_event", ForgetById, "idx_cur_evt_timeline"},
      {"ing_cursor_refusal", ForgetById, "idx_cursor_refusal_ns"},
      {"ing_cursor", ForgetById, "uk_cursor_ns"},
      {"ing_coverage", ForgetById, "uk_coverage"},
      {"ing_query", ForgetAtOnce},
      {"ing_provider_clock", ForgetAtOnce},
      {"ing_quarantine", ForgetById, "idx_quarantine_same"},
      {"ing_item", ForgetItems},
      {"ing_listed_item", ForgetListed},
      {"ing_bad_id", ForgetBadIds},
      {"ing_signal", ForgetById},
      {"ing_outbox_message", EmptyMessages},
      {"ing_heal_journal", ForgetById, "idx_heal_source"},
      {"ing_adjustment", ForgetAtOnce},
      {"ing_fuse", ForgetById},
      {"ing_alert", ForgetById},
      {"ing_remap", ForgetById, "idx_remap_endpoint"},
      {"ing_batch_rollup", ForgetSums},
      {"ing_gate_minute", ForgetAtOnce},
      {"ing_queue_day", ForgetQueueDays},
  });
  return kParts;
}

}  // namespace patra::infra::sql
