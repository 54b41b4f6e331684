#include "infra/sqlite/executor_repository.h"

#include <algorithm>

namespace patra::infra::sqlite {
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
    DELETE FROM ing_executor
    WHERE owner IN (SELECT owner FROM ing_executor WHERE last_seen_at < :before LIMIT 1000))sql";

}  // namespace

Result<void> ExecutorRepository::Beat(const std::string& owner, const std::string& host,
                                      int tasks) {
  return store_.Write([&](Connection& connection) -> Result<void> {
    PATRA_TRY(connection.Run(kBeat, owner, host, clock_.Now(), tasks));
    return {};
  });
}

Result<void> ExecutorRepository::Leave(const std::string& owner) {
  return store_.Write([&](Connection& connection) -> Result<void> {
    PATRA_TRY(connection.Run(kLeave, owner));
    return {};
  });
}

Result<std::vector<app::Executor>> ExecutorRepository::Alive(Duration within) {
  return store_.Read([&](Connection& connection) -> Result<std::vector<app::Executor>> {
    std::vector<app::Executor> alive;
    auto rows = PATRA_TRY(connection.Query(kAlive, clock_.Now() - within));
    while (PATRA_TRY(rows.Next())) {
      alive.push_back({.owner = rows.Text(0),
                       .host = rows.Text(1),
                       .started_at = rows.Time(2),
                       .last_seen_at = rows.Time(3),
                       .tasks = static_cast<int>(rows.Integer(4))});
    }
    std::ranges::sort(alive, {}, [](const app::Executor& executor) {
      return std::pair(executor.started_at, executor.owner);
    });
    return alive;
  });
}

Result<int> ExecutorRepository::Forget(Duration unseen_for) {
  return store_.Write([&](Connection& connection) -> Result<int> {
    return static_cast<int>(PATRA_TRY(connection.Run(kForget, clock_.Now() - unseen_for)));
  });
}

}  // namespace patra::infra::sqlite
