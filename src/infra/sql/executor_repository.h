// Table ing_executor.
#pragma once

#include "app/port/executor_repository.h"
#include "base/clock.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class ExecutorRepository final : public app::ExecutorRepository {
 public:
  ExecutorRepository(Database& database, const Clock& clock) : database_(database), clock_(clock) {}

  Result<void> Beat(const std::string& owner, const std::string& host, int tasks) override;
  Result<void> Leave(const std::string& owner) override;
  Result<std::vector<app::Executor>> Alive(Duration within) override;
  Result<int> Forget(Duration unseen_for) override;

 private:
  Database& database_;
  const Clock& clock_;
};

}  // namespace patra::infra::sql
