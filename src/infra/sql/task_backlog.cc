// Table ing_task, where it is looked at as a whole: what waits, what runs, and what all of it will ask of providers. The rest
// of the table's statements are in task_table.cc.
#include <algorithm>

#include "infra/sql/task_table.h"
#include "infra/sql/texts_in.h"

namespace patra::infra::sql::task_table {
namespace {

constexpr std::string_view kDue = R"sql(
    SELECT id FROM ing_task
    WHERE status_code = 'QUEUED' AND ready = 0 AND scheduled_at <= :now
    ORDER BY scheduled_at LIMIT 1000)sql";

std::string_view ReleaseIn() {
  static const auto kSql = WithList(R"sql(
    UPDATE ing_task NOT INDEXED SET ready = 1, wait_reason = NULL
    WHERE status_code = 'QUEUED' AND ready = 0 AND id IN)sql");
  return kSql;
}

// Jumps from lane to lane along the index instead of reading every ready row.
constexpr std::string_view kLanes = R"sql(
    WITH RECURSIVE lane (lane_key) AS (
        SELECT min(lane_key) FROM ing_task WHERE status_code = 'QUEUED' AND ready = 1
        UNION ALL
        SELECT (SELECT min(task.lane_key) FROM ing_task AS task
                WHERE task.status_code = 'QUEUED' AND task.ready = 1 AND task.lane_key > lane.lane_key)
        FROM lane WHERE lane.lane_key IS NOT NULL
    )
    SELECT lane_key FROM lane WHERE lane_key IS NOT NULL LIMIT 1000)sql";

// MySQL jumps only where it is told from where to where: from one lane that is known to the next, to see whether there is
// one between them.
constexpr std::string_view kLaneBetween = R"sql(
    SELECT min(lane_key) AS lane_key FROM ing_task
    WHERE status_code = 'QUEUED' AND ready = 1 AND lane_key > :after AND lane_key < :before)sql";

// Where none is known yet, it reads every ready row once.
constexpr std::string_view kLanesAnew = R"sql(
    SELECT DISTINCT lane_key FROM ing_task INDEXED BY idx_task_queue
    WHERE status_code = 'QUEUED' AND ready = 1 LIMIT 1000)sql";

constexpr std::string_view kBehindAll = "\xFF";  // in no name

// Each by an index that tells it alone: others may run thousands.
constexpr std::string_view kRunning = R"sql(
    SELECT lane_key, count(*) AS running, 0 AS own FROM ing_task INDEXED BY idx_task_running
    WHERE status_code IN ('DISPATCHED', 'EXECUTING') GROUP BY lane_key
    UNION ALL
    SELECT lane_key, 0, 1 FROM ing_task INDEXED BY idx_task_owner
    WHERE status_code IN ('DISPATCHED', 'EXECUTING') AND lease_owner = :owner
    LIMIT 10000)sql";

constexpr std::string_view kHeads = R"sql(
    SELECT CAST(:lane_no AS INTEGER) AS lane_no, id, priority, scheduled_at
    FROM ing_task AS task INDEXED BY idx_task_queue
    WHERE status_code = 'QUEUED' AND ready = 1 AND lane_key = :lane_key
      AND (at_once IS NULL OR at_once > (SELECT count(*) FROM ing_task AS other
                                         WHERE other.plan_id = task.plan_id
                                           AND other.status_code IN ('DISPATCHED', 'EXECUTING')))
    ORDER BY priority, scheduled_at, id LIMIT :tasks_max)sql";

// Jumps along the indexes of the ready, the parked and the running, which hold open tasks only.
constexpr std::string_view kOpenByLane = R"sql(
    SELECT lane_key, count(*) AS queued, 0 AS running, min(scheduled_at) AS oldest
    FROM ing_task INDEXED BY idx_task_queue
    WHERE status_code = 'QUEUED' AND ready = 1 GROUP BY lane_key
    UNION ALL
    SELECT lane_key, count(*), 0, min(scheduled_at) FROM ing_task INDEXED BY idx_task_parked_part
    WHERE status_code = 'QUEUED' AND ready = 0 GROUP BY lane_key
    UNION ALL
    SELECT lane_key, 0, count(*), NULL FROM ing_task INDEXED BY idx_task_running
    WHERE status_code IN ('DISPATCHED', 'EXECUTING') GROUP BY lane_key
    LIMIT 10000)sql";

constexpr std::string_view kCountOpen = R"sql(
    SELECT count(*) FROM ing_task
    WHERE provenance_code = :provenance_code AND operation_code = :operation_code
      AND status_code IN ('QUEUED', 'DISPATCHED', 'EXECUTING') AND endpoint_name = :endpoint_name)sql";

// Whatever it was expected to take, a task that is open makes one more request at least.
constexpr std::string_view kCountRequests = R"sql(
    SELECT coalesce(sum(CASE WHEN status_code != 'QUEUED' OR priority <= :priority
                             THEN max(requests_left, 1) ELSE 0 END), 0) AS urgent,
           coalesce(sum(CASE WHEN status_code = 'QUEUED' AND priority > :priority
                             THEN max(requests_left, 1) ELSE 0 END), 0) AS postponable
    FROM ing_task INDEXED BY idx_task_rate
    WHERE rate_key = :rate_key AND status_code IN ('QUEUED', 'DISPATCHED', 'EXECUTING')
      AND NOT (ready = 0 AND wait_reason = :quota AND scheduled_at > :now))sql";

constexpr std::string_view kRequestsLeft = "SELECT requests_left FROM ing_task WHERE id = :id";

constexpr std::string_view kLeastUrgent = R"sql(
    SELECT id, max(requests_left, 1) AS requests FROM ing_task INDEXED BY idx_task_rate
    WHERE rate_key = :rate_key AND status_code IN ('QUEUED', 'DISPATCHED', 'EXECUTING')
      AND status_code = 'QUEUED' AND priority > :priority
      AND NOT (ready = 0 AND wait_reason = :quota AND scheduled_at > :now)
    ORDER BY priority DESC, scheduled_at DESC LIMIT 10000)sql";

std::string_view RollOverIn() {
  static const auto kSql = WithList(R"sql(
    UPDATE ing_task NOT INDEXED
    SET ready = 0, scheduled_at = :until, wait_reason = :quota, updated_at = :now, version = version + 1
    WHERE status_code = 'QUEUED' AND id IN)sql");
  return kSql;
}

constexpr std::string_view kFirstParked = R"sql(
    SELECT wait_reason, scheduled_at FROM ing_task INDEXED BY idx_task_parked
    WHERE status_code = 'QUEUED' AND ready = 0 AND scheduled_at > :now
    ORDER BY scheduled_at LIMIT 1)sql";

constexpr std::string_view kFirstParkedOf = R"sql(
    SELECT wait_reason, scheduled_at FROM ing_task INDEXED BY idx_task_parked_part
    WHERE status_code = 'QUEUED' AND ready = 0 AND lane_key = :lane_key AND scheduled_at > :now
    ORDER BY scheduled_at LIMIT 1)sql";

constexpr std::string_view kUnpark = R"sql(
    UPDATE ing_task
    SET ready = 1, scheduled_at = :now, wait_reason = NULL, failures = 0, command_tries = 0,
        updated_at = :now, version = version + 1
    WHERE id = :id AND status_code = 'QUEUED' AND ready = 0)sql";

constexpr std::string_view kParkedOf = R"sql(
    SELECT id FROM ing_task
    WHERE provenance_code = :provenance_code AND status_code = 'QUEUED' AND ready = 0
      AND wait_reason IS NOT NULL
    LIMIT 10000)sql";

std::string_view FreeIn() {
  static const auto kSql = WithList(R"sql(
    UPDATE ing_task NOT INDEXED
    SET ready = 1, scheduled_at = :now, wait_reason = NULL, updated_at = :now, version = version + 1
    WHERE status_code = 'QUEUED' AND ready = 0 AND id IN)sql");
  return kSql;
}

// Read to the end before any of them changes.
Result<std::vector<Id>> IdsIn(Rows rows) {
  std::vector<Id> ids;
  while (PATRA_TRY(rows.Next())) ids.push_back(rows.Integer("id"));
  return ids;
}

}  // namespace

Result<void> ReleaseDue(Session& session, Instant now) {
  const auto due = PATRA_TRY(IdsIn(PATRA_TRY(session.Query(kDue, {{"now", now}}))));
  PATRA_TRY(session.RunIn(ReleaseIn(), ListOf(due), {}));
  return {};
}

Result<std::vector<OpenInLane>> OpenByLane(Session& session) {
  std::vector<OpenInLane> open;
  auto rows = PATRA_TRY(session.Query(kOpenByLane));
  while (PATRA_TRY(rows.Next())) {
    auto& lane = open.emplace_back(OpenInLane{.key = rows.Text("lane_key"),
                                              .queued = rows.Integer("queued"),
                                              .running = rows.Integer("running")});
    if (!rows.IsNull("oldest")) lane.next_due = rows.Time("oldest");
  }
  return open;
}

namespace {

// What is known may have been added to, and may have run dry.
Result<void> FindLanes(Session& session, Lanes& known) {
  if (session.dialect() == Dialect::kSqlite || known.empty()) {
    const auto sql = session.dialect() == Dialect::kSqlite ? kLanes : kLanesAnew;
    const auto found = PATRA_TRY(TextsIn(PATRA_TRY(session.Query(sql))));
    known = Lanes(found.begin(), found.end());
    return {};
  }
  for (bool has_found = true; has_found;) {
    std::vector<std::string> ends{""};
    ends.insert(ends.end(), known.begin(), known.end());
    ends.emplace_back(kBehindAll);
    const auto ask = [&](std::size_t i, const auto& with) {
      return with({{"after", Blob{ends[i]}}, {"before", Blob{ends[i + 1]}}});
    };
    has_found = false;
    PATRA_TRY(session.QueryEach(kLaneBetween, ends.size() - 1, ask,
                                [&](const Rows& rows) -> Result<void> {
                                  if (rows.IsNull(kOnly)) return {};
                                  has_found = known.insert(rows.Text(kOnly)).second || has_found;
                                  return {};
                                }));
  }
  return {};
}

}  // namespace

Result<Backlog> Backlogs(Session& session, const std::string& owner, int tasks_max, Lanes& known) {
  PATRA_TRY(FindLanes(session, known));
  Backlog backlog;
  auto& backlogs = backlog.lanes;
  for (const auto& lane : known) backlogs.push_back({.key = lane});
  const auto ask = [&](std::size_t i, const auto& with) {
    return with({{"lane_no", static_cast<std::int64_t>(i)},
                 {"lane_key", backlogs[i].key},
                 {"tasks_max", tasks_max}});
  };
  PATRA_TRY(session.QueryEach(kHeads, backlogs.size(), ask, [&](const Rows& heads) -> Result<void> {
    backlogs[static_cast<std::size_t>(heads.Integer("lane_no"))].tasks.push_back(
        {heads.Integer("id"), static_cast<int>(heads.Integer("priority")),
         heads.Time("scheduled_at")});
    return {};
  }));
  std::erase_if(backlogs, [](const auto& lane) { return lane.tasks.empty(); });
  if (backlogs.empty()) return backlog;
  auto running = PATRA_TRY(session.Query(kRunning, {{"owner", owner}}));
  while (PATRA_TRY(running.Next())) {
    backlog.running += static_cast<int>(running.Integer("running"));
    const auto found =
        std::ranges::find(backlogs, running.View("lane_key"), &domain::LaneBacklog::key);
    if (found == backlogs.end()) continue;
    found->running += static_cast<int>(running.Integer("running"));
    found->running_here += static_cast<int>(running.Integer("own"));
  }
  return backlog;
}

Result<std::int64_t> CountOpen(Session& session, const std::string& provenance,
                               std::string_view operation, const std::string& endpoint) {
  return session.Integer(kCountOpen, {{"provenance_code", provenance},
                                      {"operation_code", operation},
                                      {"endpoint_name", endpoint}});
}

Result<app::OpenRequests> CountRequests(Session& session, const std::string& rate_key, int priority,
                                        Instant now) {
  auto rows = PATRA_TRY(session.Query(kCountRequests, {{"priority", priority},
                                                       {"rate_key", rate_key},
                                                       {"quota", Name(domain::WaitReason::kQuota)},
                                                       {"now", now}}));
  if (!PATRA_TRY(rows.Next())) return app::OpenRequests{};
  return app::OpenRequests{.ahead = rows.Integer("urgent"), .behind = rows.Integer("postponable")};
}

Result<std::int64_t> RequestsLeft(Session& session, Id task) {
  return session.Integer(kRequestsLeft, {{"id", task}});
}

Result<void> RollOver(Session& session, const std::string& rate_key, int priority,
                      std::int64_t requests, Instant until, Instant now) {
  const auto quota = Name(domain::WaitReason::kQuota);
  std::vector<Id> chosen;
  {
    auto rows = PATRA_TRY(session.Query(
        kLeastUrgent,
        {{"rate_key", rate_key}, {"priority", priority}, {"quota", quota}, {"now", now}}));
    while (requests > 0 && PATRA_TRY(rows.Next())) {
      chosen.push_back(rows.Integer("id"));
      requests -= rows.Integer("requests");
    }
  }
  PATRA_TRY(session.RunIn(RollOverIn(), ListOf(chosen),
                          {{"until", until}, {"quota", quota}, {"now", now}}));
  return {};
}

Result<std::optional<domain::TaskWait>> FirstParked(Session& session,
                                                    const std::optional<std::string>& lane_key,
                                                    Instant now) {
  auto rows =
      PATRA_TRY(lane_key ? session.Query(kFirstParkedOf, {{"lane_key", *lane_key}, {"now", now}})
                         : session.Query(kFirstParked, {{"now", now}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return domain::TaskWait{rows.OptionalText("wait_reason").value_or("its start"),
                          rows.Time("scheduled_at")};
}

Result<bool> Unpark(Session& session, Id task, Instant now) {
  return PATRA_TRY(session.Run(kUnpark, {{"now", now}, {"id", task}})) == 1;
}

Result<std::int64_t> FreeParked(Session& session, const std::string& provenance, Instant now) {
  const auto parked =
      PATRA_TRY(IdsIn(PATRA_TRY(session.Query(kParkedOf, {{"provenance_code", provenance}}))));
  return session.RunIn(FreeIn(), ListOf(parked), {{"now", now}});
}

}  // namespace patra::infra::sql::task_table
