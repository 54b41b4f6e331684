#pragma once

#include "app/port/duty_roster.h"
#include "base/clock.h"
#include "infra/sql/database.h"
#include "infra/sql/duty_table.h"

namespace patra::infra::sql {

// Thread-safe.
class DutyRoster final : public app::DutyRoster {
 public:
  DutyRoster(Database& database, const Clock& clock) : database_(database), clock_(clock) {}

  Result<bool> Take(const std::string& duty, const std::string& owner, Instant until) override {
    return database_.Write([&](Session& session) {
      return duty_table::Take(session, duty, owner, until, clock_.Now());
    });
  }

 private:
  Database& database_;
  const Clock& clock_;
};

}  // namespace patra::infra::sql
