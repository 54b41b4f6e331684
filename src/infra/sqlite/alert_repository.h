// Tables ing_alert and ing_alert_silence.
#pragma once

#include "app/port/alert_repository.h"
#include "base/clock.h"
#include "infra/sqlite/store.h"

namespace patra::infra::sqlite {

// Thread-safe.
class AlertRepository final : public app::AlertRepository {
 public:
  AlertRepository(Store& store, const Clock& clock, IdGenerator& ids)
      : store_(store), clock_(clock), ids_(ids) {}

  Result<void> Raise(const domain::Alert& alert) override;
  Result<bool> Resolve(const std::string& key) override;
  Result<std::vector<domain::Alert>> List(const app::AlertFilter& filter) override;
  Result<void> Silence(const std::string& pattern, Instant until,
                       const app::Decision& decision) override;
  Result<std::vector<domain::Silence>> Silences() override;

 private:
  Store& store_;
  const Clock& clock_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sqlite
