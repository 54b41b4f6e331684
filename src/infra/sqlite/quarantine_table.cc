#include "infra/sqlite/quarantine_table.h"

#include <limits>

#include <fmt/format.h>

#include "infra/sqlite/zstd_frame.h"

namespace patra::infra::sqlite::quarantine_table {
namespace {

// A walk that begins anew meets the same again: it stands there once.
constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_quarantine
        (id, provenance_code, endpoint_name, operation_code, provider_item_id, level_code, path, rule,
         reason, body_zstd, body_size, expr_hash, plan_id, slice_id, task_id, run_id, batch_id, batch_no,
         record_no, fetched_at, created_at)
    SELECT :id, :provenance_code, :endpoint_name, :operation_code, :provider_item_id, :level_code, :path,
           :rule, :reason, :body_zstd, :body_size, :expr_hash, :plan_id, :slice_id, :task_id, :run_id,
           :batch_id, :batch_no, :record_no, :fetched_at, :now
    WHERE NOT EXISTS (
        SELECT 1 FROM ing_quarantine INDEXED BY idx_quarantine_slice
        WHERE slice_id = :slice_id AND status_code = 'OPEN' AND batch_id <> :batch_id
          AND provider_item_id IS :provider_item_id AND path = :path AND rule = :rule
          AND body_zstd = :body_zstd))sql";

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

constexpr std::string_view kSettleItem = R"sql(
    UPDATE ing_quarantine
    SET status_code = 'RETRIED', decided_by = 'patra', decided_reason = 'UPDATE fetched it again',
        decided_at = :now
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND provider_item_id = :provider_item_id AND status_code = 'OPEN')sql";

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

Result<void> Insert(Connection& connection, const Origin& origin, const domain::BadRecord& record,
                    Id new_id, Instant now) {
  const auto frame = Compress(record.bytes);
  const auto& partition = origin.task.partition;
  const auto& lineage = origin.lineage;
  PATRA_TRY(connection.Run(
      kInsert, new_id, partition.provenance, partition.endpoint, Code(partition.operation),
      record.id, record.is_page ? "BATCH" : "RECORD", record.path, record.rule, record.reason,
      Blob{frame}, static_cast<std::int64_t>(record.bytes.size()), origin.task.slice_expr_hash,
      lineage.plan, lineage.slice, lineage.task, lineage.run, lineage.batch, origin.batch_no,
      origin.record_no, origin.fetched_at, now));
  return {};
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

Result<void> SettleItem(Connection& connection, const domain::Partition& partition,
                        const std::string& item_id, Instant now) {
  PATRA_TRY(connection.Run(kSettleItem, now, partition.provenance, partition.endpoint, item_id));
  return {};
}

}  // namespace patra::infra::sqlite::quarantine_table
