#pragma once

#include "app/port/signal_repository.h"
#include "base/clock.h"
#include "infra/sqlite/store.h"

namespace patra::infra::sqlite {

// Thread-safe.
class SignalRepository final : public app::SignalRepository {
 public:
  SignalRepository(Store& store, const Clock& clock, IdGenerator& ids)
      : store_(store), clock_(clock), ids_(ids) {}

  Result<bool> Add(const app::Signal& signal) override;
  Result<std::int64_t> CountOpen(const std::string& provenance,
                                 const std::string& endpoint) override;
  Result<std::vector<app::Signal>> List(const std::string& status, int signals_max) override;
  Result<std::vector<app::Signal>> TakeFor(Id plan, const std::string& provenance,
                                           const std::string& endpoint, int signals_max) override;
  Result<std::vector<app::Signal>> TakenBy(Id plan, Id after, int signals_max) override;
  Result<void> Settle(Id plan) override;

 private:
  Store& store_;
  const Clock& clock_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sqlite
