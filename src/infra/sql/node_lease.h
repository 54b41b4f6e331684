// The number with which a process makes ids, taken from the store for as long as it lives.
#pragma once

#include <string>

#include "base/clock.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

class NodeLease {
 public:
  // For whoever makes no ids.
  NodeLease(Database& database, const Clock& clock) : database_(database), clock_(clock) {}
  ~NodeLease();
  NodeLease(const NodeLease&) = delete;
  NodeLease& operator=(const NodeLease&) = delete;

  Result<void> Take();

  // Within a transaction of those who show that they live. kLeaseLost where the process slept so long that another has its
  // number.
  Result<void> Renew(Session& session) const;

  int number() const { return number_; }

 private:
  Database& database_;
  const Clock& clock_;
  std::string owner_;
  int number_ = 0;
};

}  // namespace patra::infra::sql
