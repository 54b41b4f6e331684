// Deletes what is older than a store keeps it, a few rows at a time, and adds up sums of batches that are old.
#pragma once

#include <string>

#include "app/api/retention.h"
#include "app/retention/retention_ports.h"
#include "app/retention/retention_turn.h"
#include "domain/retention/retention_policy.h"

namespace patra::app {

class CollectOld {
 public:
  CollectOld(const RetentionPorts& ports, std::string owner)
      : ports_(ports), owner_(std::move(owner)) {}

  Result<CollectReport> Run(const domain::RetentionPolicy& policy);
  // What it would delete.
  Result<CollectReport> Count(const domain::RetentionPolicy& policy);

 private:
  Result<std::int64_t> DeleteAll(OldKind kind, Instant before, RetentionTurn& turn);
  Result<std::int64_t> AddUp(Duration width, Duration kept_for, RetentionTurn& turn);
  Result<void> NumberChanges();
  void Rest(Duration since);

  const RetentionPorts ports_;
  const std::string owner_;
};

}  // namespace patra::app
