#include "infra/sql/quarantine_table.h"

#include <limits>

#include <fmt/format.h>

#include "base/zstd_frame.h"
#include "infra/sql/quarantine_place_table.h"

namespace patra::infra::sql::quarantine_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_quarantine
        (id, provenance_code, endpoint_name, operation_code, provider_item_id, level_code, path, rule,
         reason, body_zstd, body_size, expr_hash, plan_id, slice_id, task_id, run_id, batch_id, batch_no,
         record_no, fetched_at, created_at)
    VALUES (:id, :provenance_code, :endpoint_name, :operation_code, :provider_item_id, :level_code, :path,
            :rule, :reason, :body_zstd, :body_size, :expr_hash, :plan_id, :slice_id, :task_id, :run_id,
            :batch_id, :batch_no, :record_no, :fetched_at, :now))sql";

// What comes again as it was stands there once, and what a person decided about it holds. A batch has a row for each of its
// own. What has an id is known by it; pages and records without one only where they were met, for the same bytes elsewhere
// may be something else.
constexpr std::string_view kFindSame = R"sql(
    SELECT bad.id, bad.status_code
    FROM ing_quarantine AS bad INDEXED BY idx_quarantine_same
    WHERE bad.provenance_code = :provenance_code AND bad.endpoint_name = :endpoint_name
      AND bad.provider_item_id IS :provider_item_id AND bad.rule = :rule AND bad.path = :path
      AND bad.body_size = :body_size AND bad.body_zstd = :body_zstd AND bad.level_code = :level_code
      AND bad.batch_id <> :batch_id
      AND CASE WHEN :level_code = 'RECORD' AND :provider_item_id IS NOT NULL
               THEN bad.status_code = 'OPEN'
                    OR (bad.status_code IN ('APPROVED', 'REJECTED') AND :rule <> 'replay')
               ELSE bad.status_code = 'OPEN' AND EXISTS (
                   SELECT 1 FROM ing_quarantine_place AS place
                   JOIN ing_plan_slice AS slice ON slice.id = place.slice_id
                   WHERE place.quarantine_id = bad.id AND slice.query_hash = :query_hash
                     AND place.window_from < :to AND place.window_to > :from)
          END
    ORDER BY bad.id DESC LIMIT 1)sql";

// Ids first, rows after: the same columns for every way to look them up.
constexpr std::string_view kIds = R"sql(
    SELECT id FROM ing_quarantine INDEXED BY idx_quarantine_status
    WHERE status_code = :status_code AND id < :before
      AND (:endpoint = '' OR endpoint_name = :endpoint) AND (:rule = '' OR rule = :rule)
      AND (:path = '' OR path = :path) AND (:item = '' OR provider_item_id = :item)
    ORDER BY id DESC LIMIT :entries_max)sql";

constexpr std::string_view kIdsOfSource = R"sql(
    SELECT id FROM ing_quarantine INDEXED BY idx_quarantine_source
    WHERE status_code = :status_code AND provenance_code = :provenance_code AND id < :before
      AND (:endpoint = '' OR endpoint_name = :endpoint) AND (:rule = '' OR rule = :rule)
      AND (:path = '' OR path = :path) AND (:item = '' OR provider_item_id = :item)
    ORDER BY id DESC LIMIT :entries_max)sql";

constexpr std::string_view kFind = R"sql(
    SELECT id, provenance_code, endpoint_name, operation_code, provider_item_id, level_code, path, rule, reason,
        body_size, expr_hash, plan_id, slice_id, task_id, run_id, batch_id, batch_no, record_no, status_code,
        decided_by, decided_reason, decided_at, created_at
    FROM ing_quarantine WHERE id = :id LIMIT 1)sql";

constexpr std::string_view kBytes = R"sql(
    SELECT quarantine.body_zstd, coalesce(quarantine.fetched_at, page.fetched_at, quarantine.created_at) AS fetched_at
    FROM ing_quarantine AS quarantine
    LEFT JOIN ing_raw_page AS page ON page.batch_id = quarantine.batch_id
    WHERE quarantine.id = :id LIMIT 1)sql";

constexpr std::string_view kLastRecordNo = R"sql(
    SELECT coalesce(max(record_no), 0) FROM ing_quarantine WHERE batch_id = :batch_id)sql";

constexpr std::string_view kOpenReplayed = R"sql(
    SELECT coalesce(provider_item_id, '') AS provider_item_id, body_zstd FROM ing_quarantine
    WHERE batch_id = :batch_id AND rule = 'replay' AND status_code = 'OPEN' LIMIT 1000000)sql";

constexpr std::string_view kCountKinds = R"sql(
    SELECT provenance_code, endpoint_name, rule, path, count(*) AS how_many
    FROM ing_quarantine INDEXED BY idx_quarantine_kind WHERE status_code = :status_code
    GROUP BY provenance_code, endpoint_name, rule, path LIMIT :kinds_max)sql";

constexpr std::string_view kDecide = R"sql(
    UPDATE ing_quarantine
    SET status_code = :status_code, decided_by = :decided_by, decided_reason = :decided_reason, decided_at = :now
    WHERE id = :id AND status_code = 'OPEN')sql";

constexpr std::string_view kCountOpenIn = R"sql(
    SELECT count(*) FROM (
        SELECT 1 FROM ing_quarantine AS bad INDEXED BY idx_quarantine_open
        WHERE bad.status_code = 'OPEN' AND bad.provenance_code = :provenance_code
          AND bad.endpoint_name = :endpoint_name
          AND EXISTS (SELECT 1 FROM ing_quarantine_place AS place
                      JOIN ing_plan_slice AS slice ON slice.id = place.slice_id
                      WHERE place.quarantine_id = bad.id AND slice.query_hash = :query_hash
                        AND place.window_from < :to AND place.window_to > :from)
        LIMIT :counted_at_most) AS open)sql";

constexpr std::string_view kCountOpenOf = R"sql(
    SELECT count(*) FROM (
        SELECT 1 FROM ing_quarantine AS bad INDEXED BY idx_quarantine_open
        WHERE bad.status_code = 'OPEN' AND bad.provenance_code = :provenance_code
          AND bad.endpoint_name = :endpoint_name
          AND EXISTS (SELECT 1 FROM ing_quarantine_place AS place
                      JOIN ing_plan_slice AS slice ON slice.id = place.slice_id
                      WHERE place.quarantine_id = bad.id AND slice.plan_id = :plan_id)
        LIMIT :counted_at_most) AS open)sql";

constexpr std::string_view kCountOpenAbout = R"sql(
    SELECT count(*) FROM ing_quarantine AS bad INDEXED BY idx_quarantine_item
    WHERE bad.provenance_code = :provenance_code AND bad.endpoint_name = :endpoint_name
      AND bad.provider_item_id = :provider_item_id AND bad.status_code = 'OPEN')sql";

constexpr std::string_view kHasOpen = R"sql(
    SELECT EXISTS (SELECT 1 FROM ing_quarantine INDEXED BY idx_quarantine_open
                   WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
                     AND status_code = 'OPEN'))sql";

// A list that has the record twice, once well and once not, would settle it and isolate it with every walk.
constexpr std::string_view kSettleItem = R"sql(
    UPDATE ing_quarantine
    SET status_code = 'RETRIED', decided_by = 'patra', decided_reason = 'it came again, and well',
        decided_at = :now
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND provider_item_id = :provider_item_id AND status_code = 'OPEN'
      AND NOT EXISTS (SELECT 1 FROM ing_quarantine_place AS place
                      WHERE place.quarantine_id = ing_quarantine.id AND place.slice_id = :slice_id
                        AND place.is_current = 1))sql";

constexpr std::size_t kBytesMax = std::size_t{1} << 30;

Result<app::QuarantineEntry> Decode(const Rows& rows) {
  const auto status = app::QuarantineStatusOf(rows.View("status_code"));
  const auto operation = domain::OperationFromCode(rows.View("operation_code"));
  if (!status || !operation) {
    return Fail(ErrorCode::kCorruption,
                fmt::format("quarantine {} has a state or an operation that nobody knows",
                            rows.Integer("id")));
  }
  return app::QuarantineEntry{
      .id = rows.Integer("id"),
      .lane = {rows.Text("provenance_code"), rows.Text("endpoint_name"), *operation},
      .item_id = rows.OptionalText("provider_item_id"),
      .level = rows.Text("level_code"),
      .path = rows.Text("path"),
      .rule = rows.Text("rule"),
      .reason = rows.Text("reason"),
      .body_size = rows.Integer("body_size"),
      .expr_hash = rows.Text("expr_hash"),
      .lineage = {.plan = rows.Integer("plan_id"),
                  .slice = rows.Integer("slice_id"),
                  .task = rows.Integer("task_id"),
                  .run = rows.Integer("run_id"),
                  .batch = rows.Integer("batch_id")},
      .batch_no = static_cast<int>(rows.Integer("batch_no")),
      .record_no = static_cast<int>(rows.Integer("record_no")),
      .status = *status,
      .decided_by = rows.OptionalText("decided_by"),
      .decided_reason = rows.OptionalText("decided_reason"),
      .decided_at = rows.OptionalTime("decided_at"),
      .created_at = rows.Time("created_at")};
}

}  // namespace

Result<Met> Insert(Session& session, const Origin& origin, const domain::BadRecord& record,
                   Id new_id, Instant now) {
  const auto frame = Compress(record.bytes);
  const auto size = static_cast<std::int64_t>(record.bytes.size());
  const auto* level = record.is_page ? "BATCH" : "RECORD";
  const auto& task = origin.task;
  const auto& lane = task.lane;
  const auto& lineage = origin.lineage;
  const auto& window = task.window();
  std::optional<std::pair<Id, app::QuarantineStatus>> same;
  {
    auto rows = PATRA_TRY(session.Query(kFindSame, {{"provenance_code", lane.provenance},
                                                    {"endpoint_name", lane.endpoint},
                                                    {"provider_item_id", record.id},
                                                    {"rule", record.rule},
                                                    {"path", record.path},
                                                    {"body_size", size},
                                                    {"body_zstd", Blob{frame}},
                                                    {"level_code", level},
                                                    {"batch_id", lineage.batch},
                                                    {"query_hash", task.query_hash},
                                                    {"to", window.to()},
                                                    {"from", window.from()}}));
    if (PATRA_TRY(rows.Next())) {
      const auto status = app::QuarantineStatusOf(rows.View("status_code"));
      same = std::pair(rows.Integer("id"), status.value_or(app::QuarantineStatus::kOpen));
    }
  }
  if (same && same->second == app::QuarantineStatus::kApproved) return Met::kApproved;
  if (same && same->second == app::QuarantineStatus::kRejected) return Met::kRejected;
  if (!same) {
    PATRA_TRY(session.Run(kInsert, {{"id", new_id},
                                    {"provenance_code", lane.provenance},
                                    {"endpoint_name", lane.endpoint},
                                    {"operation_code", Code(lane.operation)},
                                    {"provider_item_id", record.id},
                                    {"level_code", level},
                                    {"path", record.path},
                                    {"rule", record.rule},
                                    {"reason", record.reason},
                                    {"body_zstd", Blob{frame}},
                                    {"body_size", size},
                                    {"expr_hash", task.slice_expr_hash},
                                    {"plan_id", lineage.plan},
                                    {"slice_id", lineage.slice},
                                    {"task_id", lineage.task},
                                    {"run_id", lineage.run},
                                    {"batch_id", lineage.batch},
                                    {"batch_no", origin.batch_no},
                                    {"record_no", origin.record_no},
                                    {"fetched_at", origin.fetched_at},
                                    {"now", now}}));
  }
  PATRA_TRY(quarantine_place_table::Add(session, same ? same->first : new_id,
                                        record.id && !record.is_page, lineage.slice, window,
                                        origin.is_walked_past, now));
  return same ? Met::kAgain : Met::kFirst;
}

Result<OfReplays> FindReplayed(Session& session, Id batch) {
  OfReplays found;
  found.last_record_no =
      static_cast<int>(PATRA_TRY(session.Integer(kLastRecordNo, {{"batch_id", batch}})));
  auto rows = PATRA_TRY(session.Query(kOpenReplayed, {{"batch_id", batch}}));
  while (PATRA_TRY(rows.Next()))
    found.open.emplace(rows.Text("provider_item_id"), rows.Text("body_zstd"));
  return found;
}

std::string Packed(const std::string& bytes) { return Compress(bytes); }

Result<std::vector<app::QuarantineEntry>> List(Session& session,
                                               const app::QuarantineFilter& filter, Id before,
                                               int entries_max) {
  const Id below = before == 0 ? std::numeric_limits<Id>::max() : before;
  const auto status = Code(filter.status);
  auto rows = PATRA_TRY(filter.provenance.empty()
                            ? session.Query(kIds, {{"status_code", status},
                                                   {"before", below},
                                                   {"endpoint", filter.endpoint},
                                                   {"rule", filter.rule},
                                                   {"path", filter.path},
                                                   {"item", filter.item_id},
                                                   {"entries_max", entries_max}})
                            : session.Query(kIdsOfSource, {{"status_code", status},
                                                           {"provenance_code", filter.provenance},
                                                           {"before", below},
                                                           {"endpoint", filter.endpoint},
                                                           {"rule", filter.rule},
                                                           {"path", filter.path},
                                                           {"item", filter.item_id},
                                                           {"entries_max", entries_max}}));
  std::vector<app::QuarantineEntry> entries;
  while (PATRA_TRY(rows.Next())) {
    if (auto entry = PATRA_TRY(FindEntry(session, rows.Integer(kOnly))))
      entries.push_back(*std::move(entry));
  }
  return entries;
}

Result<std::vector<app::QuarantineKind>> CountKinds(Session& session, app::QuarantineStatus status,
                                                    int kinds_max) {
  auto rows = PATRA_TRY(
      session.Query(kCountKinds, {{"status_code", Code(status)}, {"kinds_max", kinds_max}}));
  std::vector<app::QuarantineKind> kinds;
  while (PATRA_TRY(rows.Next())) {
    kinds.push_back({.provenance = rows.Text("provenance_code"),
                     .endpoint = rows.Text("endpoint_name"),
                     .rule = rows.Text("rule"),
                     .path = rows.Text("path"),
                     .count = rows.Integer("how_many")});
  }
  return kinds;
}

Result<std::optional<app::QuarantineEntry>> FindEntry(Session& session, Id id) {
  auto rows = PATRA_TRY(session.Query(kFind, {{"id", id}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return PATRA_TRY(Decode(rows));
}

Result<std::optional<app::QuarantinedBytes>> Find(Session& session, Id id) {
  auto entry = PATRA_TRY(FindEntry(session, id));
  if (!entry) return std::nullopt;
  auto rows = PATRA_TRY(session.Query(kBytes, {{"id", id}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  auto bytes = PATRA_TRY(Decompress(rows.View("body_zstd"), kBytesMax));
  return app::QuarantinedBytes{
      .entry = *std::move(entry), .bytes = std::move(bytes), .fetched_at = rows.Time("fetched_at")};
}

Result<bool> Decide(Session& session, Id id, app::QuarantineStatus status,
                    const app::Decision& decision, Instant now) {
  return PATRA_TRY(session.Run(kDecide, {{"status_code", Code(status)},
                                         {"decided_by", decision.actor.name},
                                         {"decided_reason", decision.reason},
                                         {"now", now},
                                         {"id", id}})) == 1;
}

Result<std::int64_t> CountOpenIn(Session& session, const std::string& provenance,
                                 const std::string& endpoint, const std::string& query_hash,
                                 Instant from, Instant to, std::int64_t counted_at_most) {
  return session.Integer(kCountOpenIn, {{"provenance_code", provenance},
                                        {"endpoint_name", endpoint},
                                        {"query_hash", query_hash},
                                        {"to", to},
                                        {"from", from},
                                        {"counted_at_most", counted_at_most}});
}

Result<std::int64_t> CountOpenOf(Session& session, const domain::Lane& lane, Id plan,
                                 std::int64_t counted_at_most) {
  return session.Integer(kCountOpenOf, {{"provenance_code", lane.provenance},
                                        {"endpoint_name", lane.endpoint},
                                        {"plan_id", plan},
                                        {"counted_at_most", counted_at_most}});
}

Result<std::int64_t> CountOpenAbout(Session& session, const std::string& provenance,
                                    const std::string& endpoint,
                                    const std::vector<std::string>& ids) {
  std::int64_t open = 0;
  for (const auto& id : ids)
    open += PATRA_TRY(session.Integer(
        kCountOpenAbout,
        {{"provenance_code", provenance}, {"endpoint_name", endpoint}, {"provider_item_id", id}}));
  return open;
}

Result<bool> HasOpen(Session& session, const domain::Lane& lane) {
  return PATRA_TRY(session.Integer(kHasOpen, {{"provenance_code", lane.provenance},
                                              {"endpoint_name", lane.endpoint}})) > 0;
}

Result<void> SettleItem(Session& session, const domain::Lane& lane, const std::string& item_id,
                        Id slice, Instant now) {
  PATRA_TRY(session.Run(kSettleItem, {{"now", now},
                                      {"provenance_code", lane.provenance},
                                      {"endpoint_name", lane.endpoint},
                                      {"provider_item_id", item_id},
                                      {"slice_id", slice}}));
  return {};
}

}  // namespace patra::infra::sql::quarantine_table
