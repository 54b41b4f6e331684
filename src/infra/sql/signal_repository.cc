#include "infra/sql/signal_repository.h"

#include "infra/sql/signal_table.h"

namespace patra::infra::sql {

Result<bool> SignalRepository::Add(const app::Signal& signal) {
  return database_.Write([&](Session& session) {
    return signal_table::Insert(session, signal, ids_.Next(), clock_.Now());
  });
}

Result<std::int64_t> SignalRepository::CountOpen(const std::string& provenance,
                                                 const std::string& endpoint) {
  return database_.Read(
      [&](Session& session) { return signal_table::CountOpen(session, provenance, endpoint); });
}

Result<std::vector<app::Signal>> SignalRepository::List(const std::string& status,
                                                        int signals_max) {
  return database_.Read(
      [&](Session& session) { return signal_table::List(session, status, signals_max); });
}

Result<std::vector<app::Signal>> SignalRepository::TakeFor(Id plan, const std::string& provenance,
                                                           const std::string& endpoint,
                                                           int signals_max) {
  return database_.Write([&](Session& session) {
    return signal_table::Take(session, plan, provenance, endpoint, signals_max, clock_.Now());
  });
}

Result<std::vector<app::Signal>> SignalRepository::TakenBy(Id plan, Id after, int signals_max) {
  return database_.Read(
      [&](Session& session) { return signal_table::TakenBy(session, plan, after, signals_max); });
}

Result<void> SignalRepository::Settle(Id plan) {
  return database_.Write([&](Session& session) { return signal_table::Settle(session, plan); });
}

}  // namespace patra::infra::sql
