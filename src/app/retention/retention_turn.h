// One process at a time archives and deletes on a store.
#pragma once

#include <string>

#include "app/retention/retention_ports.h"

namespace patra::app {

class RetentionTurn {
 public:
  // kConflict while it is another's.
  static Result<RetentionTurn> Take(DutyRoster& duties, const Clock& clock,
                                    const std::string& owner);
  ~RetentionTurn();
  RetentionTurn(RetentionTurn&& other) noexcept;
  RetentionTurn& operator=(RetentionTurn&&) = delete;

  // For whoever goes on. kLeaseLost where it was away for so long that another has begun.
  Result<void> Keep();

 private:
  RetentionTurn(DutyRoster& duties, const Clock& clock, std::string owner)
      : duties_(&duties), clock_(&clock), owner_(std::move(owner)) {}

  Result<bool> TakeUntil(Instant until);

  DutyRoster* duties_;  // null: it was handed over
  const Clock* clock_;
  std::string owner_;
};

}  // namespace patra::app
