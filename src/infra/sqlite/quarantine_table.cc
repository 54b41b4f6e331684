#include "infra/sqlite/quarantine_table.h"

#include <limits>

#include <fmt/format.h>

#include "infra/sqlite/quarantine_place_table.h"
#include "infra/sqlite/zstd_frame.h"

namespace patra::infra::sqlite::quarantine_table {
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
    SELECT quarantine.body_zstd, coalesce(quarantine.fetched_at, page.fetched_at, quarantine.created_at)
    FROM ing_quarantine AS quarantine
    LEFT JOIN ing_raw_page AS page ON page.batch_id = quarantine.batch_id
    WHERE quarantine.id = :id LIMIT 1)sql";

constexpr std::string_view kLastRecordNo = R"sql(
    SELECT coalesce(max(record_no), 0) FROM ing_quarantine WHERE batch_id = :batch_id)sql";

constexpr std::string_view kOpenReplayed = R"sql(
    SELECT coalesce(provider_item_id, ''), body_zstd FROM ing_quarantine
    WHERE batch_id = :batch_id AND rule = 'replay' AND status_code = 'OPEN' LIMIT 1000000)sql";

constexpr std::string_view kCountKinds = R"sql(
    SELECT provenance_code, endpoint_name, rule, path, count(*)
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
        LIMIT :counted_at_most))sql";

constexpr std::string_view kCountOpenOf = R"sql(
    SELECT count(*) FROM (
        SELECT 1 FROM ing_quarantine AS bad INDEXED BY idx_quarantine_open
        WHERE bad.status_code = 'OPEN' AND bad.provenance_code = :provenance_code
          AND bad.endpoint_name = :endpoint_name
          AND EXISTS (SELECT 1 FROM ing_quarantine_place AS place
                      JOIN ing_plan_slice AS slice ON slice.id = place.slice_id
                      WHERE place.quarantine_id = bad.id AND slice.plan_id = :plan_id)
        LIMIT :counted_at_most))sql";

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
  const auto status = app::QuarantineStatusOf(rows.View(18));
  const auto operation = domain::OperationFromCode(rows.View(3));
  if (!status || !operation) {
    return Fail(ErrorCode::kCorruption,
                fmt::format("quarantine {} has a state or an operation that nobody knows",
                            rows.Integer(0)));
  }
  return app::QuarantineEntry{.id = rows.Integer(0),
                              .partition = {rows.Text(1), rows.Text(2), *operation},
                              .item_id = rows.OptionalText(4),
                              .level = rows.Text(5),
                              .path = rows.Text(6),
                              .rule = rows.Text(7),
                              .reason = rows.Text(8),
                              .body_size = rows.Integer(9),
                              .expr_hash = rows.Text(10),
                              .lineage = {.plan = rows.Integer(11),
                                          .slice = rows.Integer(12),
                                          .task = rows.Integer(13),
                                          .run = rows.Integer(14),
                                          .batch = rows.Integer(15)},
                              .batch_no = static_cast<int>(rows.Integer(16)),
                              .record_no = static_cast<int>(rows.Integer(17)),
                              .status = *status,
                              .decided_by = rows.OptionalText(19),
                              .decided_reason = rows.OptionalText(20),
                              .decided_at = rows.OptionalTime(21),
                              .created_at = rows.Time(22)};
}

}  // namespace

Result<Met> Insert(Connection& connection, const Origin& origin, const domain::BadRecord& record,
                   Id new_id, Instant now) {
  const auto frame = Compress(record.bytes);
  const auto size = static_cast<std::int64_t>(record.bytes.size());
  const auto* level = record.is_page ? "BATCH" : "RECORD";
  const auto& task = origin.task;
  const auto& partition = task.partition;
  const auto& lineage = origin.lineage;
  const auto& window = task.window();
  std::optional<std::pair<Id, app::QuarantineStatus>> same;
  {
    auto rows = PATRA_TRY(connection.Query(
        kFindSame, partition.provenance, partition.endpoint, record.id, record.rule, record.path,
        size, Blob{frame}, level, lineage.batch, task.query_hash, window.to(), window.from()));
    if (PATRA_TRY(rows.Next())) {
      const auto status = app::QuarantineStatusOf(rows.View(1));
      same = std::pair(rows.Integer(0), status.value_or(app::QuarantineStatus::kOpen));
    }
  }
  if (same && same->second == app::QuarantineStatus::kApproved) return Met::kApproved;
  if (same && same->second == app::QuarantineStatus::kRejected) return Met::kRejected;
  if (!same) {
    PATRA_TRY(connection.Run(kInsert, new_id, partition.provenance, partition.endpoint,
                             Code(partition.operation), record.id, level, record.path, record.rule,
                             record.reason, Blob{frame}, size, task.slice_expr_hash, lineage.plan,
                             lineage.slice, lineage.task, lineage.run, lineage.batch,
                             origin.batch_no, origin.record_no, origin.fetched_at, now));
  }
  PATRA_TRY(quarantine_place_table::Add(connection, same ? same->first : new_id,
                                        record.id && !record.is_page, lineage.slice, window,
                                        origin.is_walked_past, now));
  return same ? Met::kAgain : Met::kFirst;
}

Result<OfReplays> FindReplayed(Connection& connection, Id batch) {
  OfReplays found;
  found.last_record_no = static_cast<int>(PATRA_TRY(connection.Integer(kLastRecordNo, batch)));
  auto rows = PATRA_TRY(connection.Query(kOpenReplayed, batch));
  while (PATRA_TRY(rows.Next())) found.open.emplace(rows.Text(0), rows.Text(1));
  return found;
}

std::string Packed(const std::string& bytes) { return Compress(bytes); }

Result<std::vector<app::QuarantineEntry>> List(Connection& connection,
                                               const app::QuarantineFilter& filter, Id before,
                                               int entries_max) {
  const Id below = before == 0 ? std::numeric_limits<Id>::max() : before;
  const auto status = Code(filter.status);
  auto rows = PATRA_TRY(filter.provenance.empty()
                            ? connection.Query(kIds, status, below, filter.endpoint, filter.rule,
                                               filter.path, filter.item_id, entries_max)
                            : connection.Query(kIdsOfSource, status, filter.provenance, below,
                                               filter.endpoint, filter.rule, filter.path,
                                               filter.item_id, entries_max));
  std::vector<app::QuarantineEntry> entries;
  while (PATRA_TRY(rows.Next())) {
    if (auto entry = PATRA_TRY(FindEntry(connection, rows.Integer(0))))
      entries.push_back(*std::move(entry));
  }
  return entries;
}

Result<std::vector<app::QuarantineKind>> CountKinds(Connection& connection,
                                                    app::QuarantineStatus status, int kinds_max) {
  auto rows = PATRA_TRY(connection.Query(kCountKinds, Code(status), kinds_max));
  std::vector<app::QuarantineKind> kinds;
  while (PATRA_TRY(rows.Next())) {
    kinds.push_back({.provenance = rows.Text(0),
                     .endpoint = rows.Text(1),
                     .rule = rows.Text(2),
                     .path = rows.Text(3),
                     .count = rows.Integer(4)});
  }
  return kinds;
}

Result<std::optional<app::QuarantineEntry>> FindEntry(Connection& connection, Id id) {
  auto rows = PATRA_TRY(connection.Query(kFind, id));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return PATRA_TRY(Decode(rows));
}

Result<std::optional<app::QuarantinedBytes>> Find(Connection& connection, Id id) {
  auto entry = PATRA_TRY(FindEntry(connection, id));
  if (!entry) return std::nullopt;
  auto rows = PATRA_TRY(connection.Query(kBytes, id));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  auto bytes = PATRA_TRY(Decompress(rows.View(0), kBytesMax));
  return app::QuarantinedBytes{
      .entry = *std::move(entry), .bytes = std::move(bytes), .fetched_at = rows.Time(1)};
}

Result<bool> Decide(Connection& connection, Id id, app::QuarantineStatus status,
                    const app::Decision& decision, Instant now) {
  return PATRA_TRY(
             connection.Run(kDecide, Code(status), decision.actor, decision.reason, now, id)) == 1;
}

Result<std::int64_t> CountOpenIn(Connection& connection, const std::string& provenance,
                                 const std::string& endpoint, const std::string& query_hash,
                                 Instant from, Instant to, std::int64_t counted_at_most) {
  return connection.Integer(kCountOpenIn, provenance, endpoint, query_hash, to, from,
                            counted_at_most);
}

Result<std::int64_t> CountOpenOf(Connection& connection, const domain::Partition& partition,
                                 Id plan, std::int64_t counted_at_most) {
  return connection.Integer(kCountOpenOf, partition.provenance, partition.endpoint, plan,
                            counted_at_most);
}

Result<std::int64_t> CountOpenAbout(Connection& connection, const std::string& provenance,
                                    const std::string& endpoint,
                                    const std::vector<std::string>& ids) {
  std::int64_t open = 0;
  for (const auto& id : ids)
    open += PATRA_TRY(connection.Integer(kCountOpenAbout, provenance, endpoint, id));
  return open;
}

Result<bool> HasOpen(Connection& connection, const domain::Partition& partition) {
  return PATRA_TRY(connection.Integer(kHasOpen, partition.provenance, partition.endpoint)) > 0;
}

Result<void> SettleItem(Connection& connection, const domain::Partition& partition,
                        const std::string& item_id, Id slice, Instant now) {
  PATRA_TRY(
      connection.Run(kSettleItem, now, partition.provenance, partition.endpoint, item_id, slice));
  return {};
}

}  // namespace patra::infra::sqlite::quarantine_table
