#include "infra/sql/batch_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/hash.h"
#include "base/value.h"

namespace patra::infra::sql::batch_table {
namespace {

constexpr std::string_view kInsertRunning = R"sql(
    INSERT INTO ing_task_run_batch
        (id, run_id, task_id, slice_id, plan_id, expr_hash, provenance_code, endpoint_name, operation_code,
         batch_no, page_no, before_token, before_token_hash, time_from, idempotent_key, status_code, created_at)
    VALUES (:id, :run_id, :task_id, :slice_id, :plan_id, :expr_hash, :provenance_code, :endpoint_name,
            :operation_code, :batch_no, :page_no, :before_token, :before_token_hash, :time_from,
            :idempotent_key, 'RUNNING', :now))sql";

constexpr std::string_view kSucceed = R"sql(
    UPDATE ing_task_run_batch
    SET status_code = :status_code, after_token = :after_token, page_size = :page_size, time_to = :time_to, record_count = :record_count,
        error = :error, error_level = :error_level, request_digest = :request_digest, response_digest = :response_digest, stats = :stats,
        committed_at = :now
    WHERE id = :id AND status_code = 'RUNNING')sql";

constexpr std::string_view kFindByNumber = R"sql(
    SELECT id, status_code, stats, after_token, batch_no FROM ing_task_run_batch
    WHERE run_id = :run_id AND batch_no = :batch_no LIMIT 1)sql";

constexpr std::string_view kFindByToken = R"sql(
    SELECT id, status_code, stats, after_token, batch_no FROM ing_task_run_batch
    WHERE run_id = :run_id AND before_token_hash = :before_token_hash LIMIT 1)sql";

constexpr std::string_view kFindByKey = R"sql(
    SELECT id, status_code, stats, after_token, batch_no FROM ing_task_run_batch
    WHERE idempotent_key = :idempotent_key LIMIT 1)sql";

constexpr std::string_view kLastPosition = R"sql(
    SELECT batch.after_token
    FROM ing_task_run AS run
    JOIN ing_task_run_batch AS batch ON batch.run_id = run.id
    WHERE run.task_id = :task_id AND batch.status_code IN ('SUCCEEDED', 'SKIPPED')
      AND run.attempt_no > coalesce(
          (SELECT max(attempt_no) FROM ing_task_run
           WHERE task_id = :task_id AND checkpoint = '{"startOver":true}'), 0)
    ORDER BY run.attempt_no DESC, batch.batch_no DESC LIMIT 1)sql";

constexpr std::string_view kFindRecorded = R"sql(
    SELECT id, task_id, batch_no, page_no, before_token, time_from, idempotent_key, after_token, record_count, status_code,
           error, coalesce(request_digest, '') AS request_digest, coalesce(response_digest, '') AS response_digest, stats, committed_at
    FROM ing_task_run_batch WHERE id = :id AND run_id = :run_id LIMIT 1)sql";

constexpr std::string_view kAfterOf = R"sql(
    SELECT after_token FROM ing_task_run_batch
    WHERE run_id = :run_id AND batch_no = :batch_no AND after_token IS NOT NULL LIMIT 1)sql";

// Where the run began, if it resumed another one.
constexpr std::string_view kLastBefore = R"sql(
    SELECT batch.after_token
    FROM ing_task_run AS run
    JOIN ing_task_run_batch AS batch ON batch.run_id = run.id
    WHERE run.task_id = :task_id AND batch.after_token IS NOT NULL
      AND run.attempt_no < (SELECT attempt_no FROM ing_task_run WHERE id = :run_id)
    ORDER BY run.attempt_no DESC, batch.batch_no DESC LIMIT 1)sql";

constexpr std::string_view kWindowOfRun =
    "SELECT window_from FROM ing_task_run WHERE id = :run_id LIMIT 1";

constexpr std::string_view kRecordsBefore = R"sql(
    SELECT coalesce(sum(record_count), 0) FROM ing_task_run_batch
    WHERE run_id = :run_id AND batch_no < :batch_no)sql";

std::string_view OriginsIn() {
  static const auto kSql = WithList(R"sql(
    SELECT batch.id AS batch_id, slice.plan_id, slice.window_from, slice.window_to
    FROM ing_task_run_batch AS batch JOIN ing_plan_slice AS slice ON slice.id = batch.slice_id
    WHERE batch.id IN)sql");
  return kSql;
}

constexpr std::string_view kFail = R"sql(
    UPDATE ing_task_run_batch
    SET status_code = :status_code, error = :error, error_level = :error_level, committed_at = :now,
        wrong_parameter = :wrong_parameter, page_size = :page_size, stats = :stats
    WHERE id = :id AND status_code = 'RUNNING')sql";

// A run's last row is the one that can be under way (I8).
constexpr std::string_view kUnderWay = R"sql(
    SELECT batch.id FROM ing_task_run AS run JOIN ing_task_run_batch AS batch ON batch.run_id = run.id
    WHERE run.task_id = :task_id AND run.status_code IN ('PLANNED', 'RUNNING')
      AND batch.batch_no = (SELECT max(last.batch_no) FROM ing_task_run_batch AS last WHERE last.run_id = run.id)
      AND batch.status_code = 'RUNNING' LIMIT 100)sql";

std::optional<std::string> TokenHash(const app::Position& before) {
  // Details may have to be asked for twice, from the same id on.
  if (!before.token || !before.token_is_position || before.is_detail) return std::nullopt;
  return Sha256Hex(*before.token);
}

std::string IdempotentKey(Id run, int batch_no, const app::Position& before) {
  Value::Object identity{{"run", fmt::to_string(run)}, {"batch", std::int64_t{batch_no}}};
  if (before.page) identity["page"] = *before.page;
  if (before.token) identity["token"] = *before.token;
  if (before.time) identity["time"] = FormatRfc3339(*before.time);
  if (before.is_detail) identity["detail"] = true;
  return Sha256Hex(CanonicalJson(identity));
}

// Of a walk by time: up to where the answer goes. The last one goes to the end of the slice.
std::optional<Instant> ReachedTime(const app::BatchCommit& batch) {
  if (!batch.before.time) return std::nullopt;
  return batch.after ? batch.after->time : std::optional(batch.task.window().to());
}

std::string Encode(const app::Position& position) { return CanonicalJson(position.ToValue()); }

Result<app::Position> Decode(std::string_view text) {
  return app::Position::FromValue(PATRA_TRY(ParseJson(text)));
}

Value NextHint(const std::optional<app::Position>& after) {
  if (!after) return {};
  Value::Object hint;
  if (after->page) hint["page"] = *after->page;
  if (after->token) hint["token"] = *after->token;
  if (after->time) hint["time"] = FormatRfc3339(*after->time);
  return hint;
}

std::string EncodeStats(const app::BatchCommit& batch, const domain::RecordCounts& counts) {
  Value::Object stats{
      {"itemsCount", counts.received},
      {"inserted", counts.inserted},
      {"updated", counts.updated},
      {"unchanged", counts.unchanged},
      {"stale", counts.stale},
      {"failed", counts.quarantined},
      {"filtered", counts.filtered},
      {"repeated", counts.repeated},
      {"outside", counts.outside},
      {"elsewhere", counts.elsewhere},
      {"isolatedPages", counts.isolated_pages},
      {"passedOver", counts.passed_over},
      {"late", counts.late},
      {"skipped", counts.unchanged + counts.stale + counts.filtered},
      {"latencyMs", batch.latency_ms},
      {"reqCount", batch.requests()},
      {"retryCount", batch.retries},
      {"429Count", batch.throttled},
      {"hasNext", batch.after.has_value()},
      {"nextHint", NextHint(batch.after)},
      {"http", Value::Object{{"status", batch.status}, {"bytes", batch.raw_page_bytes()}}},
      {"selfHealing", Value::Object{{"qpsDownshift", batch.met.slowed > 0},
                                    {"pageSizeShrink", batch.are_pages_smaller}}}};
  batch.met.AddTo(stats);
  return CanonicalJson(stats);
}

// Of a batch that came to nothing: what it cost.
std::string EncodeStats(const app::RequestsSent& sent) {
  return CanonicalJson(Value::Object{
      {"reqCount", sent.requests}, {"retryCount", sent.retries}, {"429Count", sent.throttled}});
}

Result<domain::RecordCounts> DecodeCounts(std::string_view stats) {
  const auto value = PATRA_TRY(ParseJson(stats));
  const auto count = [&](std::string_view name) {
    const auto* member = value.Find(name);
    const auto* number = member == nullptr ? nullptr : member->AsInteger();
    return number == nullptr ? 0 : *number;
  };
  return domain::RecordCounts{.received = count("itemsCount"),
                              .inserted = count("inserted"),
                              .updated = count("updated"),
                              .unchanged = count("unchanged"),
                              .stale = count("stale"),
                              .quarantined = count("failed"),
                              .filtered = count("filtered"),
                              .repeated = count("repeated"),
                              .outside = count("outside"),
                              .elsewhere = count("elsewhere"),
                              .isolated_pages = count("isolatedPages"),
                              .passed_over = count("passedOver"),
                              .late = count("late")};
}

int HttpStatusIn(std::string_view stats) {
  const auto value = ParseJson(stats);
  const auto* http = value ? value->Find("http") : nullptr;
  const auto* status = http == nullptr ? nullptr : http->Find("status");
  const auto* number = status == nullptr ? nullptr : status->AsInteger();
  return number == nullptr || *number < 100 || *number > 999 ? 200 : static_cast<int>(*number);
}

Result<std::optional<app::Position>> PositionIn(Rows rows) {
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return PATRA_TRY(Decode(rows.View(kOnly)));
}

// The row has page, token and time alone, and an old one no time. What else belongs to the position is in the row that led there, or follows from
// the slice where the walk begins; which of these it is, the key tells.
Result<std::optional<app::Position>> FindBefore(Session& session, Id run, const Recorded& recorded,
                                                const app::Position& bare, std::string_view key) {
  std::vector<app::Position> candidates;
  const auto led_here =
      recorded.batch_no > 1
          ? PATRA_TRY(PositionIn(PATRA_TRY(
                session.Query(kAfterOf, {{"run_id", run}, {"batch_no", recorded.batch_no - 1}}))))
          : PATRA_TRY(PositionIn(PATRA_TRY(
                session.Query(kLastBefore, {{"task_id", recorded.task}, {"run_id", run}}))));
  if (led_here) candidates.push_back(*led_here);
  candidates.push_back(bare);
  auto detail = bare;
  detail.is_detail = true;
  candidates.push_back(detail);
  auto by_time = bare;
  by_time.time = Instant(Duration(PATRA_TRY(session.Integer(kWindowOfRun, {{"run_id", run}}))));
  candidates.push_back(by_time);
  for (auto& candidate : candidates) {
    if (IdempotentKey(run, recorded.batch_no, candidate) != key) continue;
    if (!candidate.size && recorded.after && !candidate.is_detail)
      candidate.size = recorded.after->size;
    return candidate;
  }
  return std::nullopt;
}

}  // namespace

Result<std::optional<Recorded>> FindRecorded(Session& session, Id run, Id batch) {
  Recorded recorded;
  app::Position bare;
  std::string key;
  {
    auto rows = PATRA_TRY(session.Query(kFindRecorded, {{"id", batch}, {"run_id", run}}));
    if (!PATRA_TRY(rows.Next())) return std::nullopt;
    recorded = {
        .id = rows.Integer("id"),
        .task = rows.Integer("task_id"),
        .batch_no = static_cast<int>(rows.Integer("batch_no")),
        .status = PATRA_TRY(domain::StatusFromCode<domain::BatchStatus>(rows.View("status_code"))),
        .before = std::nullopt,
        .after = std::nullopt,
        .counts = PATRA_TRY(DecodeCounts(rows.View("stats"))),
        .http_status = HttpStatusIn(rows.View("stats")),
        .error = rows.OptionalText("error"),
        .request_digest = rows.Text("request_digest"),
        .response_digest = rows.Text("response_digest"),
        .committed_at = rows.OptionalTime("committed_at")};
    if (!rows.IsNull("after_token")) recorded.after = PATRA_TRY(Decode(rows.View("after_token")));
    bare.page = rows.OptionalInteger("page_no");
    bare.token = rows.OptionalText("before_token");
    bare.time = rows.OptionalTime("time_from");
    key = rows.Text("idempotent_key");
  }
  recorded.before = PATRA_TRY(FindBefore(session, run, recorded, bare, key));
  recorded.records_before = PATRA_TRY(
      session.Integer(kRecordsBefore, {{"run_id", run}, {"batch_no", recorded.batch_no}}));
  return recorded;
}

Result<void> InsertRunning(Session& session, const app::LeasedTask& task,
                           const domain::Lineage& lineage, int batch_no,
                           const app::Position& before, Instant now) {
  PATRA_TRY(
      session.Run(kInsertRunning, {{"id", lineage.batch},
                                   {"run_id", lineage.run},
                                   {"task_id", lineage.task},
                                   {"slice_id", lineage.slice},
                                   {"plan_id", lineage.plan},
                                   {"expr_hash", task.slice_expr_hash},
                                   {"provenance_code", task.lane.provenance},
                                   {"endpoint_name", task.lane.endpoint},
                                   {"operation_code", Code(task.lane.operation)},
                                   {"batch_no", batch_no},
                                   {"page_no", before.page},
                                   {"before_token", before.token},
                                   {"before_token_hash", TokenHash(before)},
                                   {"time_from", before.time},
                                   {"idempotent_key", IdempotentKey(lineage.run, batch_no, before)},
                                   {"now", now}}));
  return {};
}

domain::BatchStatus StatusOf(const app::BatchCommit& batch, const domain::RecordCounts& counts) {
  const bool is_empty =
      counts.received == 0 && batch.found_ids.empty() && batch.answered_ids.empty();
  return is_empty ? domain::BatchStatus::kSkipped : domain::BatchStatus::kSucceeded;
}

Result<bool> Succeed(Session& session, const app::BatchCommit& batch,
                     const domain::RecordCounts& counts, Instant now) {
  std::optional<std::string> after;
  if (batch.after) after = Encode(*batch.after);
  // A page in quarantine is a bad record among others to everybody who counts failures.
  std::optional<std::string> error;
  std::optional<std::string> level;
  const auto isolated =
      std::ranges::find_if(batch.bad_records, &domain::BadRecord::is_isolated_page);
  if (isolated != batch.bad_records.end()) {
    error = isolated->reason;
    level = Code(domain::ErrorLevel::kL3);
  }
  const auto rows = PATRA_TRY(session.Run(kSucceed, {{"status_code", Code(StatusOf(batch, counts))},
                                                     {"after_token", after},
                                                     {"page_size", batch.page_size},
                                                     {"time_to", ReachedTime(batch)},
                                                     {"record_count", counts.received},
                                                     {"error", error},
                                                     {"error_level", level},
                                                     {"request_digest", batch.request_digest},
                                                     {"response_digest", batch.response_digest},
                                                     {"stats", EncodeStats(batch, counts)},
                                                     {"now", now},
                                                     {"id", batch.lineage.batch}}));
  return rows == 1;
}

Result<std::optional<Committed>> FindCommitted(Session& session, const app::BatchCommit& batch) {
  std::optional<Committed> found;
  const auto look = [&](Result<Rows> query) -> Result<void> {
    auto rows = PATRA_TRY(std::move(query));
    if (!PATRA_TRY(rows.Next())) return {};
    const auto status =
        PATRA_TRY(domain::StatusFromCode<domain::BatchStatus>(rows.View("status_code")));
    if (!domain::IsCommitted(status)) return {};
    const auto counts = PATRA_TRY(DecodeCounts(rows.View("stats")));
    if (found && found->id != rows.Integer("id")) {
      return Fail(
          ErrorCode::kCorruption,
          fmt::format("the keys of batch {} of run {} name two different batches, {} and {}",
                      batch.batch_no, batch.lineage.run, found->id, rows.Integer("id")),
          {}, "the account is inconsistent; stop this source and look at both rows");
    }
    found = Committed{.id = rows.Integer("id"),
                      .counts = counts,
                      .after = std::nullopt,
                      .batch_no = static_cast<int>(rows.Integer("batch_no"))};
    if (!rows.IsNull("after_token")) found->after = PATRA_TRY(Decode(rows.View("after_token")));
    return {};
  };
  PATRA_TRY(look(
      session.Query(kFindByNumber, {{"run_id", batch.lineage.run}, {"batch_no", batch.batch_no}})));
  const auto key = IdempotentKey(batch.lineage.run, batch.batch_no, batch.before);
  PATRA_TRY(look(session.Query(kFindByKey, {{"idempotent_key", key}})));
  if (const auto hash = TokenHash(batch.before)) {
    PATRA_TRY(look(session.Query(kFindByToken,
                                 {{"run_id", batch.lineage.run}, {"before_token_hash", *hash}})));
  }
  return found;
}

Result<std::optional<Id>> FindNumber(Session& session, Id run, int batch_no) {
  auto rows = PATRA_TRY(session.Query(kFindByNumber, {{"run_id", run}, {"batch_no", batch_no}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.Integer("id");
}

Result<std::optional<LastCommitted>> FindLast(Session& session, Id task) {
  auto rows = PATRA_TRY(session.Query(kLastPosition, {{"task_id", task}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  LastCommitted last;
  if (!rows.IsNull("after_token")) last.after = PATRA_TRY(Decode(rows.View("after_token")));
  return last;
}

Result<domain::BatchOrigins> OriginsOf(Session& session, const std::set<Id>& batches) {
  domain::BatchOrigins origins;
  const auto keep = [&](const Rows& rows) -> Result<void> {
    const auto window =
        PATRA_TRY(domain::Window::Between(rows.Time("window_from"), rows.Time("window_to")));
    origins.emplace(rows.Integer("batch_id"),
                    domain::BatchOrigin{.plan = rows.Integer("plan_id"), .window = window});
    return {};
  };
  PATRA_TRY(session.QueryIn(OriginsIn(), ListOf(batches), {}, keep));
  return origins;
}

Result<std::vector<Id>> UnderWay(Session& session, Id task) {
  std::vector<Id> batches;
  auto rows = PATRA_TRY(session.Query(kUnderWay, {{"task_id", task}}));
  while (PATRA_TRY(rows.Next())) batches.push_back(rows.Integer("id"));
  return batches;
}

Result<bool> End(Session& session, Id batch, const Ended& ended, Instant now) {
  const auto& parameter = ended.wrong_parameter;
  const auto rows = PATRA_TRY(session.Run(
      kFail, {{"status_code", Code(ended.status)},
              {"error", ended.error},
              {"error_level", Code(ended.level)},
              {"now", now},
              {"wrong_parameter", parameter.empty() ? std::nullopt : std::optional(parameter)},
              {"page_size", ended.page_size},
              {"stats", EncodeStats(ended.sent)},
              {"id", batch}}));
  return rows == 1;
}

}  // namespace patra::infra::sql::batch_table
