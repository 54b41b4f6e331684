#include "infra/sql/alert_repository.h"

#include "infra/sql/alert_silence_table.h"
#include "infra/sql/alert_table.h"
#include "infra/sql/audit_table.h"

namespace patra::infra::sql {

Result<void> AlertRepository::Raise(const domain::Alert& alert) {
  return database_.Write([&](Session& session) {
    return alert_table::Raise(session, alert, ids_.Next(), clock_.Now());
  });
}

Result<bool> AlertRepository::Resolve(const std::string& key) {
  return database_.Write(
      [&](Session& session) { return alert_table::Resolve(session, key, clock_.Now()); });
}

Result<std::vector<domain::Alert>> AlertRepository::List(const app::AlertFilter& filter) {
  return database_.Read([&](Session& session) { return alert_table::Read(session, filter); });
}

Result<void> AlertRepository::Silence(const std::string& pattern, Instant until,
                                      const app::Decision& decision) {
  return database_.Write([&](Session& session) -> Result<void> {
    const auto now = clock_.Now();
    PATRA_TRY(alert_silence_table::Insert(session, {.id = ids_.Next(),
                                                    .pattern = pattern,
                                                    .reason = decision.reason,
                                                    .created_by = decision.actor.name,
                                                    .created_at = now,
                                                    .until = until}));
    return audit_table::Insert(session, "SILENCE", "ALERT", pattern, decision, ids_.Next(), now);
  });
}

Result<std::vector<domain::Silence>> AlertRepository::Silences() {
  return database_.Read(
      [&](Session& session) { return alert_silence_table::Read(session, clock_.Now()); });
}

}  // namespace patra::infra::sql
