#include "infra/sqlite/alert_repository.h"

#include "infra/sqlite/alert_silence_table.h"
#include "infra/sqlite/alert_table.h"
#include "infra/sqlite/audit_table.h"

namespace patra::infra::sqlite {

Result<void> AlertRepository::Raise(const domain::Alert& alert) {
  return store_.Write([&](Connection& connection) {
    return alert_table::Raise(connection, alert, ids_.Next(), clock_.Now());
  });
}

Result<bool> AlertRepository::Resolve(const std::string& key) {
  return store_.Write(
      [&](Connection& connection) { return alert_table::Resolve(connection, key, clock_.Now()); });
}

Result<std::vector<domain::Alert>> AlertRepository::List(const app::AlertFilter& filter) {
  return store_.Read([&](Connection& connection) { return alert_table::Read(connection, filter); });
}

Result<void> AlertRepository::Silence(const std::string& pattern, Instant until,
                                      const app::Decision& decision) {
  return store_.Write([&](Connection& connection) -> Result<void> {
    const auto now = clock_.Now();
    PATRA_TRY(alert_silence_table::Insert(connection, {.id = ids_.Next(),
                                                       .pattern = pattern,
                                                       .reason = decision.reason,
                                                       .created_by = decision.actor,
                                                       .created_at = now,
                                                       .until = until}));
    return audit_table::Insert(connection, "SILENCE", "ALERT", pattern, decision, ids_.Next(), now);
  });
}

Result<std::vector<domain::Silence>> AlertRepository::Silences() {
  return store_.Read(
      [&](Connection& connection) { return alert_silence_table::Read(connection, clock_.Now()); });
}

}  // namespace patra::infra::sqlite
