#include "infra/sql/quarantine_table.h"

#include <limits>
#include <set>
#include <tuple>

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
    SELECT CAST(:asked_no AS INTEGER) AS asked_no, bad.id, bad.status_code
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

constexpr std::string_view kOpenOfBatch = R"sql(
    SELECT coalesce(provider_item_id, '') AS provider_item_id, body_zstd FROM ing_quarantine
    WHERE batch_id = :batch_id AND status_code = 'OPEN' LIMIT 1000000)sql";

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
std::string_view SettleItemsIn() {
  static const auto kSql = WithList(R"sql(
    UPDATE ing_quarantine
    SET status_code = 'RETRIED', decided_by = 'patra', decided_reason = 'it came again, and well',
        decided_at = :now
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name AND status_code = 'OPEN'
      AND NOT EXISTS (SELECT 1 FROM ing_quarantine_place AS place
                      WHERE place.quarantine_id = ing_quarantine.id AND place.slice_id = :slice_id
                        AND place.is_current = 1)
      AND provider_item_id IN)sql");
  return kSql;
}

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

// A bad record on its way in.
struct Arrival {
  const domain::BadRecord& record;
  std::string frame;
  Id id;  // its own, or that of the row which stands for it already
  Met met = Met::kFirst;

  const char* level() const { return record.is_page ? "BATCH" : "RECORD"; }
  std::int64_t size() const { return static_cast<std::int64_t>(record.bytes.size()); }
};

Result<void> FindSame(Session& session, const Origin& origin, std::span<Arrival> arrivals) {
  const auto& task = origin.task;
  const auto ask = [&](std::size_t i, const auto& with) {
    const auto& arrival = arrivals[i];
    return with({{"asked_no", static_cast<std::int64_t>(i)},
                 {"provenance_code", task.lane.provenance},
                 {"endpoint_name", task.lane.endpoint},
                 {"provider_item_id", arrival.record.id},
                 {"rule", arrival.record.rule},
                 {"path", arrival.record.path},
                 {"body_size", arrival.size()},
                 {"body_zstd", Blob{arrival.frame}},
                 {"level_code", arrival.level()},
                 {"batch_id", origin.lineage.batch},
                 {"query_hash", task.query_hash},
                 {"to", task.window().to()},
                 {"from", task.window().from()}});
  };
  return session.QueryEach(kFindSame, arrivals.size(), ask, [&](const Rows& rows) -> Result<void> {
    auto& arrival = arrivals[static_cast<std::size_t>(rows.Integer("asked_no"))];
    arrival.id = rows.Integer("id");
    const auto status = app::QuarantineStatusOf(rows.View("status_code"));
    arrival.met = status == app::QuarantineStatus::kApproved   ? Met::kApproved
                  : status == app::QuarantineStatus::kRejected ? Met::kRejected
                                                               : Met::kAgain;
    return {};
  });
}

Result<void> InsertNew(Session& session, const Origin& origin, std::span<const Arrival> arrivals,
                       Instant now) {
  const auto& [task, lineage] = std::tie(origin.task, origin.lineage);
  const auto& lane = task.lane;
  return session.RunEach(kInsert, arrivals.size(),
                         [&](std::size_t i, const auto& with) -> Result<void> {
                           const auto& arrival = arrivals[i];
                           if (arrival.met != Met::kFirst) return {};
                           return with({{"id", arrival.id},
                                        {"provenance_code", lane.provenance},
                                        {"endpoint_name", lane.endpoint},
                                        {"operation_code", Code(lane.operation)},
                                        {"provider_item_id", arrival.record.id},
                                        {"level_code", arrival.level()},
                                        {"path", arrival.record.path},
                                        {"rule", arrival.record.rule},
                                        {"reason", arrival.record.reason},
                                        {"body_zstd", Blob{arrival.frame}},
                                        {"body_size", arrival.size()},
                                        {"expr_hash", task.slice_expr_hash},
                                        {"plan_id", lineage.plan},
                                        {"slice_id", lineage.slice},
                                        {"task_id", lineage.task},
                                        {"run_id", lineage.run},
                                        {"batch_id", lineage.batch},
                                        {"batch_no", origin.batch_no},
                                        {"record_no", origin.record_no + static_cast<int>(i)},
                                        {"fetched_at", origin.fetched_at},
                                        {"now", now}});
                         });
}

}  // namespace

Result<std::vector<Met>> InsertAll(Session& session, const Origin& origin,
                                   std::span<const domain::BadRecord> records, IdGenerator& ids,
                                   Instant now) {
  std::vector<Arrival> arrivals;
  for (const auto& record : records)
    arrivals.push_back({.record = record, .frame = Compress(record.bytes), .id = ids.Next()});
  PATRA_TRY(FindSame(session, origin, arrivals));
  PATRA_TRY(InsertNew(session, origin, arrivals, now));
  std::vector<quarantine_place_table::Met> places;
  std::set<Id> placed;
  std::vector<Met> met;
  for (const auto& arrival : arrivals) {
    met.push_back(arrival.met);
    const bool is_first = arrival.met == Met::kFirst;
    if ((is_first || arrival.met == Met::kAgain) && placed.insert(arrival.id).second)
      places.push_back({arrival.id, is_first, arrival.record.id && !arrival.record.is_page});
  }
  PATRA_TRY(quarantine_place_table::Add(session, places, origin.lineage.slice, origin.task.window(),
                                        origin.is_walked_past, now));
  return met;
}

Result<OfReplays> FindReplayed(Session& session, Id batch) {
  OfReplays found;
  found.last_record_no =
      static_cast<int>(PATRA_TRY(session.Integer(kLastRecordNo, {{"batch_id", batch}})));
  auto rows = PATRA_TRY(session.Query(kOpenOfBatch, {{"batch_id", batch}}));
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

Result<void> SettleItems(Session& session, const domain::Lane& lane, ValueList item_ids, Id slice,
                         Instant now) {
  PATRA_TRY(session.RunIn(SettleItemsIn(), item_ids,
                          {{"now", now},
                           {"provenance_code", lane.provenance},
                           {"endpoint_name", lane.endpoint},
                           {"slice_id", slice}}));
  return {};
}

}  // namespace patra::infra::sql::quarantine_table
