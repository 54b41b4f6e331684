#pragma once

#include "app/port/signal_repository.h"
#include "base/clock.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class SignalRepository final : public app::SignalRepository {
 public:
  SignalRepository(Database& database, const Clock& clock, IdGenerator& ids)
      : database_(database), clock_(clock), ids_(ids) {}

  Result<bool> Add(const app::Signal& signal) override;
  Result<std::int64_t> CountOpen(const std::string& provenance,
                                 const std::string& endpoint) override;
  Result<std::vector<app::Signal>> List(const std::string& status, int signals_max) override;
  Result<std::vector<app::Signal>> TakeFor(Id plan, const std::string& provenance,
                                           const std::string& endpoint, int signals_max) override;
  Result<std::vector<app::Signal>> TakenBy(Id plan, Id after, int signals_max) override;
  Result<void> Settle(Id plan) override;

 private:
  Database& database_;
  const Clock& clock_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sql
