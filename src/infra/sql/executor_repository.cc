#include "infra/sql/executor_repository.h"

#include <algorithm>

namespace patra::infra::sql {
namespace {

constexpr std::string_view kBeat = R"sql(
    INSERT INTO ing_executor (owner, host, started_at, last_seen_at, tasks)
    VALUES (:owner, :host, :now, :now, :tasks)
    ON CONFLICT (owner) DO UPDATE SET last_seen_at = excluded.last_seen_at, tasks = excluded.tasks)sql";

constexpr std::string_view kLeave = "DELETE FROM ing_executor WHERE owner = :owner";

constexpr std::string_view kAlive = R"sql(
    SELECT owner, host, started_at, last_seen_at, tasks FROM ing_executor
    WHERE last_seen_at >= :since LIMIT 10000)sql";

constexpr std::string_view kForget = R"sql(
    DELETE FROM ing_executor WHERE last_seen_at < :before)sql";

}  // namespace

Result<void> ExecutorRepository::Beat(const std::string& owner, const std::string& host,
                                      int tasks) {
  return database_.Write(LockScope::RowsAlone(), [&](Session& session) -> Result<void> {
    PATRA_TRY(session.Run(
        kBeat, {{"owner", owner}, {"host", host}, {"now", clock_.Now()}, {"tasks", tasks}}));
    return node_.Renew(session);
  });
}

Result<void> ExecutorRepository::Leave(const std::string& owner) {
  return database_.Write([&](Session& session) -> Result<void> {
    PATRA_TRY(session.Run(kLeave, {{"owner", owner}}));
    return {};
  });
}

Result<std::vector<app::Executor>> ExecutorRepository::Alive(Duration within) {
  return database_.Read([&](Session& session) -> Result<std::vector<app::Executor>> {
    std::vector<app::Executor> alive;
    auto rows = PATRA_TRY(session.Query(kAlive, {{"since", clock_.Now() - within}}));
    while (PATRA_TRY(rows.Next())) {
      alive.push_back({.owner = rows.Text("owner"),
                       .host = rows.Text("host"),
                       .started_at = rows.Time("started_at"),
                       .last_seen_at = rows.Time("last_seen_at"),
                       .tasks = static_cast<int>(rows.Integer("tasks"))});
    }
    std::ranges::sort(alive, {}, [](const app::Executor& executor) {
      return std::pair(executor.started_at, executor.owner);
    });
    return alive;
  });
}

Result<int> ExecutorRepository::Forget(Duration unseen_for) {
  return database_.Write([&](Session& session) -> Result<int> {
    return static_cast<int>(
        PATRA_TRY(session.Run(kForget, {{"before", clock_.Now() - unseen_for}})));
  });
}

}  // namespace patra::infra::sql
