// Tables ing_alert and ing_alert_silence.
#pragma once

#include "app/port/alert_repository.h"
#include "base/clock.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class AlertRepository final : public app::AlertRepository {
 public:
  AlertRepository(Database& database, const Clock& clock, IdGenerator& ids)
      : database_(database), clock_(clock), ids_(ids) {}

  Result<void> Raise(const domain::Alert& alert) override;
  Result<bool> Resolve(const std::string& key) override;
  Result<std::vector<domain::Alert>> List(const app::AlertFilter& filter) override;
  Result<void> Silence(const std::string& pattern, Instant until,
                       const app::Decision& decision) override;
  Result<std::vector<domain::Silence>> Silences() override;

 private:
  Database& database_;
  const Clock& clock_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sql
