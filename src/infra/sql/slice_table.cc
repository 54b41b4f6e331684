#include "infra/sql/slice_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "infra/sql/state_move.h"
#include "infra/sql/texts_in.h"

namespace patra::infra::sql::slice_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_plan_slice
        (id, plan_id, provenance_code, endpoint_name, operation_code, query_hash, slice_no,
         slice_signature_hash, slice_spec, window_from, window_to, expr_hash, expr_snapshot, status_code,
         created_at, updated_at)
    VALUES (:id, :plan_id, :provenance_code, :endpoint_name, :operation_code, :query_hash, :slice_no,
            :slice_signature_hash, :slice_spec, :window_from, :window_to, :expr_hash, :expr_snapshot,
            :status_code, :now, :now))sql";

std::string_view KnownIn() {
  static const auto kSql = WithList(
      "SELECT slice_signature_hash FROM ing_plan_slice WHERE plan_id = :plan_id "
      "AND slice_signature_hash IN");
  return kSql;
}

constexpr std::string_view kNextNumber = R"sql(
    SELECT coalesce(max(slice_no), 0) + 1 FROM ing_plan_slice
    WHERE plan_id = :plan_id AND slice_no < 1000000000)sql";

constexpr std::string_view kOpenStretches = R"sql(
    SELECT window_from, window_to FROM ing_plan_slice INDEXED BY idx_slice_open
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND query_hash = :query_hash AND window_from < :to AND window_to > :from
      AND status_code IN ('PENDING', 'READY', 'EXECUTING') AND operation_code = :operation_code
    ORDER BY window_from LIMIT 100000)sql";

constexpr std::string_view kProvenUnder = R"sql(
    SELECT slice.window_from, slice.window_to, slice.provable_to, slice.status_code = 'SUCCEEDED' AS is_whole,
           EXISTS (SELECT 1 FROM ing_plan_slice AS child WHERE child.parent_slice_id = slice.id) AS is_cut
    FROM ing_plan_slice AS slice
    JOIN ing_plan AS plan ON plan.id = slice.plan_id
    WHERE slice.provenance_code = :provenance_code AND slice.endpoint_name = :endpoint_name
      AND slice.query_hash = :query_hash AND slice.window_from < :to AND slice.window_to > :from
      AND slice.status_code IN ('SUCCEEDED', 'PARTIAL') AND slice.operation_code IN ('HARVEST', 'BACKFILL')
      AND instr(:fingerprints, '/' || plan.spec_fingerprint || '/') > 0
    ORDER BY slice.window_from LIMIT 1000000)sql";

constexpr std::string_view kUnfinished = R"sql(
    SELECT slice.plan_id, slice.id AS slice_id, task.id AS task_id, slice.window_from, slice.window_to, plan.spec_fingerprint,
           task.command_tries, coalesce(slice.gap, '') AS reason, slice.provable_to,
           slice.status_code = 'FAILED' AS has_failed, task.finished_at
    FROM ing_plan_slice AS slice INDEXED BY idx_slice_unfinished
    JOIN ing_task AS task ON task.slice_id = slice.id
    JOIN ing_plan AS plan ON plan.id = slice.plan_id
    WHERE slice.provenance_code = :provenance_code AND slice.endpoint_name = :endpoint_name
      AND slice.query_hash = :query_hash AND slice.window_from < :to AND slice.window_to > :from
      AND slice.status_code IN ('FAILED', 'PARTIAL') AND slice.operation_code = :operation_code
      AND plan.status_code NOT IN ('FAILED', 'CANCELLED')
      AND NOT EXISTS (SELECT 1 FROM ing_plan_slice AS child WHERE child.parent_slice_id = slice.id)
    ORDER BY slice.id DESC LIMIT 10000)sql";

constexpr std::string_view kUnfinishedOf = R"sql(
    SELECT slice.plan_id, slice.id AS slice_id, task.id AS task_id, slice.window_from, slice.window_to, plan.spec_fingerprint,
           task.command_tries, coalesce(slice.gap, '') AS reason, slice.provable_to,
           slice.status_code = 'FAILED' AS has_failed, task.finished_at
    FROM ing_plan_slice AS slice
    JOIN ing_task AS task ON task.slice_id = slice.id
    JOIN ing_plan AS plan ON plan.id = slice.plan_id
    WHERE slice.plan_id = :plan_id AND slice.status_code IN ('FAILED', 'PARTIAL')
      AND plan.status_code NOT IN ('FAILED', 'CANCELLED')
      AND NOT EXISTS (SELECT 1 FROM ing_plan_slice AS child WHERE child.parent_slice_id = slice.id)
    ORDER BY slice.id DESC LIMIT 10000)sql";

// The newest slices of a query, whatever became of them: bounded also where few have succeeded.
constexpr std::string_view kHistory = R"sql(
    SELECT count(*) AS slices, sum(received) AS records, sum(window_to - window_from) AS width
    FROM (SELECT received, window_from, window_to, status_code FROM ing_plan_slice
          WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
            AND query_hash = :query_hash
          ORDER BY window_from DESC LIMIT 1000) AS newest
    WHERE status_code = 'SUCCEEDED')sql";

constexpr std::string_view kBrought = R"sql(
    SELECT window_to - window_from AS width, received
    FROM (SELECT received, window_from, window_to, status_code, operation_code, slice_spec FROM ing_plan_slice
          WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
            AND query_hash = :query_hash
          ORDER BY window_from DESC LIMIT 200) AS newest
    WHERE status_code = 'SUCCEEDED' AND operation_code = :operation_code
      AND json_extract(slice_spec, '$.dimension') = 'TIME'
      AND json_extract(slice_spec, '$.bounds.split') IS NULL)sql";

constexpr std::string_view kWasAnyRead = R"sql(
    SELECT EXISTS (SELECT 1 FROM ing_plan AS plan JOIN ing_plan_slice AS slice ON slice.plan_id = plan.id
                   WHERE plan.expr_proto_hash = :expr_proto_hash
                     AND slice.status_code IN ('SUCCEEDED', 'PARTIAL', 'EXECUTING')
                     AND (slice.status_code = 'SUCCEEDED' OR slice.received > 0)))sql";

constexpr std::string_view kCancel = R"sql(
    UPDATE ing_plan_slice
    SET status_code = 'CANCELLED', gap = :reason, closed_at = :now, updated_at = :now, version = version + 1
    WHERE id = :id AND instr(:allowed, '/' || status_code || '/') > 0)sql";

constexpr std::string_view kStart = R"sql(
    UPDATE ing_plan_slice SET status_code = 'EXECUTING', updated_at = :now, version = version + 1
    WHERE id = :id AND status_code IN ('READY', 'EXECUTING'))sql";

constexpr std::string_view kGiveBack = R"sql(
    UPDATE ing_plan_slice SET status_code = 'READY', updated_at = :now, version = version + 1
    WHERE id = :id AND status_code = 'EXECUTING')sql";

constexpr std::string_view kReopen = R"sql(
    UPDATE ing_plan_slice SET status_code = 'READY', gap = NULL, closed_at = NULL, updated_at = :now, version = version + 1
    WHERE id = :id AND status_code IN ('FAILED', 'PARTIAL'))sql";

constexpr std::string_view kAddCounts = R"sql(
    UPDATE ing_plan_slice SET received = received + :received, inserted = inserted + :inserted, updated = updated + :updated,
        unchanged = unchanged + :unchanged, stale = stale + :stale, quarantined = quarantined + :quarantined,
        filtered = filtered + :filtered, late = late + :late, repeated = repeated + :repeated, outside = outside + :outside,
        elsewhere = elsewhere + :elsewhere, isolated_pages = isolated_pages + :isolated_pages, announced = coalesce(:announced, announced),
        walk = coalesce(:walk, walk), updated_at = :now
    WHERE id = :id)sql";

constexpr std::string_view kBound =
    "UPDATE ing_plan_slice SET provable_to = :provable_to WHERE id = :id AND NOT (provable_to IS "
    ":provable_to)";

constexpr std::string_view kResetCounts = R"sql(
    UPDATE ing_plan_slice
    SET received = 0, inserted = 0, updated = 0, unchanged = 0, stale = 0, quarantined = 0, filtered = 0,
        repeated = 0, outside = 0, elsewhere = 0, isolated_pages = 0, late = 0, announced = NULL, provable_to = NULL, updated_at = :now
    WHERE id = :id)sql";

constexpr std::string_view kRememberWalk =
    "UPDATE ing_plan_slice SET walk = :walk, updated_at = :now WHERE id = :id";

constexpr std::string_view kWalk = "SELECT walk FROM ing_plan_slice WHERE id = :id LIMIT 1";

constexpr std::string_view kCounts = R"sql(
    SELECT received, inserted, updated, unchanged, stale, quarantined, filtered, repeated, outside,
           elsewhere, isolated_pages, late, provable_to FROM ing_plan_slice WHERE id = :id LIMIT 1)sql";

constexpr std::string_view kClose = R"sql(
    UPDATE ing_plan_slice
    SET status_code = :to, gap = :gap, closed_at = :now, updated_at = :now, version = version + 1
    WHERE id = :id AND instr(:allowed, '/' || status_code || '/') > 0)sql";

// Numbers of slices that take over from another begin far above those that the planner hands out.
constexpr std::string_view kNextChildNumber = R"sql(
    SELECT max(coalesce(max(slice_no), 0), 1000000000) + 1 FROM ing_plan_slice WHERE plan_id = :plan_id)sql";

constexpr std::string_view kSetParent =
    "UPDATE ing_plan_slice SET parent_slice_id = :parent WHERE id = :id";

constexpr std::string_view kCountDifferent = R"sql(
    SELECT coalesce(sum(received - repeated), 0) FROM ing_plan_slice
    WHERE plan_id = :plan_id AND status_code = 'SUCCEEDED')sql";

constexpr std::string_view kCountOutside =
    "SELECT coalesce(sum(outside), 0) FROM ing_plan_slice WHERE plan_id = :plan_id";

constexpr std::string_view kHasCancelled = R"sql(
    SELECT count(*) FROM (SELECT 1 FROM ing_plan_slice
                          WHERE plan_id = :plan_id AND status_code = 'CANCELLED' LIMIT 1) AS cancelled)sql";

// Slices that were cut along another dimension than time cover their window only together.
constexpr std::string_view kCountUnfinishedParts = R"sql(
    SELECT count(*) FROM ing_plan_slice AS part
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND query_hash = :query_hash AND window_from = :from AND window_to = :to AND plan_id = :plan_id
      AND status_code <> 'SUCCEEDED'
      AND NOT EXISTS (SELECT 1 FROM ing_plan_slice AS child WHERE child.parent_slice_id = part.id))sql";

Result<std::vector<domain::UnfinishedSlice>> UnfinishedIn(Rows rows) {
  std::vector<domain::UnfinishedSlice> unfinished;
  while (PATRA_TRY(rows.Next())) {
    unfinished.push_back({.plan = rows.Integer("plan_id"),
                          .slice = rows.Integer("slice_id"),
                          .task = rows.Integer("task_id"),
                          .window = PATRA_TRY(domain::Window::Between(rows.Time("window_from"),
                                                                      rows.Time("window_to"))),
                          .fingerprint = rows.Text("spec_fingerprint"),
                          .tries = rows.Integer("command_tries"),
                          .reason = rows.Text("reason"),
                          .provable_to = rows.OptionalTime("provable_to"),
                          .has_failed = rows.Integer("has_failed") != 0,
                          .ended_at = rows.OptionalTime("finished_at")});
  }
  return unfinished;
}

}  // namespace

Result<std::vector<domain::UnfinishedSlice>> Unfinished(
    Session& session, const domain::Lane& lane, const std::string& query_hash,
    const std::optional<domain::Window>& window) {
  const auto to = window ? window->to() : Instant::max();
  const auto from = window ? window->from() : Instant::min();
  return UnfinishedIn(
      PATRA_TRY(session.Query(kUnfinished, {{"provenance_code", lane.provenance},
                                            {"endpoint_name", lane.endpoint},
                                            {"query_hash", query_hash},
                                            {"to", to},
                                            {"from", from},
                                            {"operation_code", Code(lane.operation)}})));
}

Result<std::vector<domain::UnfinishedSlice>> UnfinishedOf(Session& session, Id plan) {
  return UnfinishedIn(PATRA_TRY(session.Query(kUnfinishedOf, {{"plan_id", plan}})));
}

Result<int> NextChildNumber(Session& session, Id plan) {
  return static_cast<int>(PATRA_TRY(session.Integer(kNextChildNumber, {{"plan_id", plan}})));
}

Result<void> SetParent(Session& session, Id slice, Id parent) {
  PATRA_TRY(session.Run(kSetParent, {{"parent", parent}, {"id", slice}}));
  return {};
}

Result<std::int64_t> CountDifferent(Session& session, Id plan) {
  return session.Integer(kCountDifferent, {{"plan_id", plan}});
}

Result<bool> HasCancelled(Session& session, Id plan) {
  return PATRA_TRY(session.Integer(kHasCancelled, {{"plan_id", plan}})) > 0;
}

Result<bool> AllPartsSucceeded(Session& session, const domain::Lane& lane,
                               const std::string& query_hash, const domain::Window& window,
                               Id plan) {
  const auto unfinished =
      PATRA_TRY(session.Integer(kCountUnfinishedParts, {{"provenance_code", lane.provenance},
                                                        {"endpoint_name", lane.endpoint},
                                                        {"query_hash", query_hash},
                                                        {"from", window.from()},
                                                        {"to", window.to()},
                                                        {"plan_id", plan}}));
  return unfinished == 0;
}

Result<Works> InsertAll(Session& session, const domain::Plan& plan, const Works& works,
                        Instant now) {
  std::vector<std::string_view> signatures;
  for (const auto* work : works) signatures.push_back(work->slice.signature_hash);
  auto known =
      PATRA_TRY(TextsAmong(session, KnownIn(), ListOf(signatures), {{"plan_id", plan.id}}));
  Works added;
  for (const auto* work : works) {
    if (known.insert(work->slice.signature_hash).second) added.push_back(work);
  }
  const auto has_no_number = [](const auto* work) { return work->slice.number == 0; };
  std::int64_t next = 0;
  if (std::ranges::any_of(added, has_no_number))
    next = PATRA_TRY(session.Integer(kNextNumber, {{"plan_id", plan.id}}));
  PATRA_TRY(session.RunEach(kInsert, added.size(), [&](std::size_t i, const auto& with) {
    const auto& slice = added[i]->slice;
    return with({{"id", slice.id},
                 {"plan_id", plan.id},
                 {"provenance_code", plan.lane.provenance},
                 {"endpoint_name", plan.lane.endpoint},
                 {"operation_code", Code(plan.lane.operation)},
                 {"query_hash", plan.query_hash},
                 {"slice_no", slice.number != 0 ? slice.number : next++},
                 {"slice_signature_hash", slice.signature_hash},
                 {"slice_spec", slice.spec},
                 {"window_from", slice.window.from()},
                 {"window_to", slice.window.to()},
                 {"expr_hash", slice.expr_hash},
                 {"expr_snapshot", slice.expr_snapshot},
                 {"status_code", Code(domain::SliceStatus::kReady)},
                 {"now", now}});
  }));
  return added;
}

Result<std::vector<domain::Window>> OpenStretches(Session& session, const domain::Lane& lane,
                                                  const std::string& query_hash,
                                                  const domain::Window& window) {
  std::vector<domain::Window> open;
  auto rows = PATRA_TRY(session.Query(kOpenStretches, {{"provenance_code", lane.provenance},
                                                       {"endpoint_name", lane.endpoint},
                                                       {"query_hash", query_hash},
                                                       {"to", window.to()},
                                                       {"from", window.from()},
                                                       {"operation_code", Code(lane.operation)}}));
  while (PATRA_TRY(rows.Next()))
    open.push_back(
        PATRA_TRY(domain::Window::Between(rows.Time("window_from"), rows.Time("window_to"))));
  return open;
}

Result<domain::Coverage> ProvenUnder(Session& session, const domain::Lane& lane,
                                     const std::string& query_hash,
                                     const std::set<std::string>& fingerprints,
                                     const domain::Window& window) {
  domain::Coverage proven;
  const auto of = fmt::format("/{}/", fmt::join(fingerprints, "/"));
  auto rows = PATRA_TRY(session.Query(kProvenUnder, {{"provenance_code", lane.provenance},
                                                     {"endpoint_name", lane.endpoint},
                                                     {"query_hash", query_hash},
                                                     {"to", window.to()},
                                                     {"from", window.from()},
                                                     {"fingerprints", of}}));
  while (PATRA_TRY(rows.Next())) {
    // One that ended early has proven what lies before that; of one that was cut, its parts prove the rest.
    auto to = rows.OptionalTime("provable_to").value_or(rows.Time("window_from"));
    if (rows.Integer("is_whole") != 0 || rows.Integer("is_cut") != 0) to = rows.Time("window_to");
    if (const auto part = domain::Window::Between(rows.Time("window_from"), to)) proven.Add(*part);
  }
  return proven;
}

Result<std::optional<domain::SliceHistory>> History(Session& session, const domain::Lane& lane,
                                                    const std::string& query_hash) {
  auto rows = PATRA_TRY(session.Query(kHistory, {{"provenance_code", lane.provenance},
                                                 {"endpoint_name", lane.endpoint},
                                                 {"query_hash", query_hash}}));
  if (!PATRA_TRY(rows.Next()) || rows.Integer("slices") == 0 || rows.Integer("width") <= 0)
    return std::nullopt;
  const std::chrono::duration<double, std::ratio<3600>> hours = Duration(rows.Integer("width"));
  return domain::SliceHistory{
      .slices = rows.Integer("slices"),
      .records_per_hour = static_cast<double>(rows.Integer("records")) / hours.count()};
}

Result<std::int64_t> CountOutside(Session& session, Id plan) {
  return session.Integer(kCountOutside, {{"plan_id", plan}});
}

Result<std::vector<domain::SliceBrought>> Brought(Session& session, const domain::Lane& lane,
                                                  const std::string& query_hash) {
  std::vector<domain::SliceBrought> brought;
  auto rows = PATRA_TRY(session.Query(kBrought, {{"provenance_code", lane.provenance},
                                                 {"endpoint_name", lane.endpoint},
                                                 {"query_hash", query_hash},
                                                 {"operation_code", Code(lane.operation)}}));
  while (PATRA_TRY(rows.Next()))
    brought.push_back(
        {.width = Duration(rows.Integer("width")), .records = rows.Integer("received")});
  return brought;
}

Result<bool> WasAnyRead(Session& session, const std::string& expr_proto_hash) {
  return PATRA_TRY(session.Integer(kWasAnyRead, {{"expr_proto_hash", expr_proto_hash}})) > 0;
}

Result<bool> Cancel(Session& session, Id slice, const std::string& reason, Instant now) {
  return PATRA_TRY(session.Run(kCancel,
                               {{"reason", reason},
                                {"now", now},
                                {"id", slice},
                                {"allowed", CodesBefore(domain::SliceStatus::kCancelled)}})) == 1;
}

Result<void> Start(Session& session, Id slice, Instant now) {
  const auto rows = PATRA_TRY(session.Run(kStart, {{"now", now}, {"id", slice}}));
  return Moved(rows, "slice", slice, domain::SliceStatus::kExecuting);
}

Result<void> GiveBack(Session& session, Id slice, Instant now) {
  PATRA_TRY(session.Run(kGiveBack, {{"now", now}, {"id", slice}}));
  return {};
}

Result<void> Reopen(Session& session, Id slice, Instant now) {
  const auto rows = PATRA_TRY(session.Run(kReopen, {{"now", now}, {"id", slice}}));
  return Moved(rows, "slice", slice, domain::SliceStatus::kReady);
}

Result<void> AddCounts(Session& session, Id slice, const domain::RecordCounts& counts,
                       std::optional<std::int64_t> announced,
                       const std::optional<app::WalkedPage>& walked, Instant now) {
  std::optional<std::string> walk;
  if (walked) walk = CanonicalJson(walked->memory.ToValue());
  PATRA_TRY(session.Run(kAddCounts, {{"received", counts.received},
                                     {"inserted", counts.inserted},
                                     {"updated", counts.updated},
                                     {"unchanged", counts.unchanged},
                                     {"stale", counts.stale},
                                     {"quarantined", counts.quarantined},
                                     {"filtered", counts.filtered},
                                     {"repeated", counts.repeated},
                                     {"outside", counts.outside},
                                     {"elsewhere", counts.elsewhere},
                                     {"isolated_pages", counts.isolated_pages},
                                     {"late", counts.late},
                                     {"announced", announced},
                                     {"walk", walk},
                                     {"now", now},
                                     {"id", slice}}));
  return {};
}

Result<void> RememberWalk(Session& session, Id slice, const domain::WalkMemory& memory,
                          Instant now) {
  PATRA_TRY(session.Run(kRememberWalk,
                        {{"walk", CanonicalJson(memory.ToValue())}, {"now", now}, {"id", slice}}));
  return {};
}

Result<std::optional<domain::WalkMemory>> FindWalk(Session& session, Id slice) {
  auto rows = PATRA_TRY(session.Query(kWalk, {{"id", slice}}));
  if (!PATRA_TRY(rows.Next()) || rows.IsNull("walk")) return std::nullopt;
  return PATRA_TRY(domain::WalkMemory::FromValue(PATRA_TRY(ParseJson(rows.View("walk")))));
}

Result<void> Bound(Session& session, Id slice, std::optional<Instant> provable_to) {
  PATRA_TRY(session.Run(kBound, {{"provable_to", provable_to}, {"id", slice}}));
  return {};
}

Result<void> ResetCounts(Session& session, Id slice, Instant now) {
  PATRA_TRY(session.Run(kResetCounts, {{"now", now}, {"id", slice}}));
  return {};
}

Result<SliceAccount> Account(Session& session, Id slice) {
  auto rows = PATRA_TRY(session.Query(kCounts, {{"id", slice}}));
  if (!PATRA_TRY(rows.Next())) return Fail(ErrorCode::kNotFound, fmt::format("no slice {}", slice));
  return SliceAccount{.counts = {.received = rows.Integer("received"),
                                 .inserted = rows.Integer("inserted"),
                                 .updated = rows.Integer("updated"),
                                 .unchanged = rows.Integer("unchanged"),
                                 .stale = rows.Integer("stale"),
                                 .quarantined = rows.Integer("quarantined"),
                                 .filtered = rows.Integer("filtered"),
                                 .repeated = rows.Integer("repeated"),
                                 .outside = rows.Integer("outside"),
                                 .elsewhere = rows.Integer("elsewhere"),
                                 .isolated_pages = rows.Integer("isolated_pages"),
                                 .late = rows.Integer("late")},
                      .provable_to = rows.OptionalTime("provable_to")};
}

Result<void> Close(Session& session, Id slice, domain::SliceStatus status,
                   const std::optional<std::string>& gap, Instant now) {
  const auto rows = PATRA_TRY(session.Run(kClose, {{"to", Code(status)},
                                                   {"gap", gap},
                                                   {"now", now},
                                                   {"id", slice},
                                                   {"allowed", CodesBefore(status)}}));
  return Moved(rows, "slice", slice, status);
}

}  // namespace patra::infra::sql::slice_table
