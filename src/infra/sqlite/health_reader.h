#pragma once

#include "app/port/health_reader.h"
#include "base/clock.h"
#include "infra/sqlite/store.h"

namespace patra::infra::sqlite {

// Thread-safe.
class HealthReader final : public app::HealthReader {
 public:
  HealthReader(Store& store, const Clock& clock) : store_(store), clock_(clock) {}

  Result<std::vector<app::PartitionHealth>> Observe(const domain::HealPolicy& policy) override;
  Result<void> NoteQueues(const std::vector<app::PartitionHealth>& partitions) override;

 private:
  Store& store_;
  const Clock& clock_;
};

}  // namespace patra::infra::sqlite
