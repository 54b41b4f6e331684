// Table ing_executor.
#pragma once

#include "app/port/executor_repository.h"
#include "base/clock.h"
#include "infra/sql/database.h"
#include "infra/sql/node_lease.h"

namespace patra::infra::sql {

// Thread-safe.
class ExecutorRepository final : public app::ExecutorRepository {
 public:
  // A beat keeps the number with which this process makes ids, too.
  ExecutorRepository(Database& database, const Clock& clock, const NodeLease& node)
      : database_(database), clock_(clock), node_(node) {}

  Result<void> Beat(const std::string& owner, const std::string& host, int tasks) override;
  Result<void> Leave(const std::string& owner) override;
  Result<std::vector<app::Executor>> Alive(Duration within) override;
  Result<int> Forget(Duration unseen_for) override;

 private:
  Database& database_;
  const Clock& clock_;
  const NodeLease& node_;
};

}  // namespace patra::infra::sql
