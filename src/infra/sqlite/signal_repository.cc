#include "infra/sqlite/signal_repository.h"

#include "infra/sqlite/signal_table.h"

namespace patra::infra::sqlite {

Result<bool> SignalRepository::Add(const app::Signal& signal) {
  return store_.Write([&](Connection& connection) {
    return signal_table::Insert(connection, signal, ids_.Next(), clock_.Now());
  });
}

Result<std::vector<app::Signal>> SignalRepository::TakeFor(Id plan, const std::string& provenance,
                                                           const std::string& endpoint,
                                                           int signals_max) {
  return store_.Write([&](Connection& connection) {
    return signal_table::Take(connection, plan, provenance, endpoint, signals_max, clock_.Now());
  });
}

}  // namespace patra::infra::sqlite
