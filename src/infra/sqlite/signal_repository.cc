#include "infra/sqlite/signal_repository.h"

#include "infra/sqlite/signal_table.h"

namespace patra::infra::sqlite {

Result<bool> SignalRepository::Add(const app::Signal& signal) {
  return store_.Write([&](Connection& connection) {
    return signal_table::Insert(connection, signal, ids_.Next(), clock_.Now());
  });
}

Result<std::int64_t> SignalRepository::CountOpen(const std::string& provenance,
                                                 const std::string& endpoint) {
  return store_.Read([&](Connection& connection) {
    return signal_table::CountOpen(connection, provenance, endpoint);
  });
}

Result<std::vector<app::Signal>> SignalRepository::List(const std::string& status,
                                                        int signals_max) {
  return store_.Read(
      [&](Connection& connection) { return signal_table::List(connection, status, signals_max); });
}

Result<std::vector<app::Signal>> SignalRepository::TakeFor(Id plan, const std::string& provenance,
                                                           const std::string& endpoint,
                                                           int signals_max) {
  return store_.Write([&](Connection& connection) {
    return signal_table::Take(connection, plan, provenance, endpoint, signals_max, clock_.Now());
  });
}

Result<std::vector<app::Signal>> SignalRepository::TakenBy(Id plan, Id after, int signals_max) {
  return store_.Read([&](Connection& connection) {
    return signal_table::TakenBy(connection, plan, after, signals_max);
  });
}

Result<void> SignalRepository::Settle(Id plan) {
  return store_.Write(
      [&](Connection& connection) { return signal_table::Settle(connection, plan); });
}

}  // namespace patra::infra::sqlite
