#pragma once

#include "app/port/duty_roster.h"
#include "base/clock.h"
#include "infra/sqlite/duty_table.h"
#include "infra/sqlite/store.h"

namespace patra::infra::sqlite {

// Thread-safe.
class DutyRoster final : public app::DutyRoster {
 public:
  DutyRoster(Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  Result<bool> Take(const std::string& duty, const std::string& owner, Instant until) override {
    return store_.Write([&](Connection& connection) {
      return duty_table::Take(connection, duty, owner, until, clock_.Now());
    });
  }

 private:
  Store& store_;
  const Clock& clock_;
};

}  // namespace patra::infra::sqlite
