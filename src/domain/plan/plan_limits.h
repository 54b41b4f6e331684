#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/time.h"
#include "domain/word/operation.h"

namespace patra::domain {

// How much is planned ahead.
struct PlanLimits {
  std::int64_t open_tasks_max = 1'000;           // per lane; beyond it a plan stays PARTIAL
  std::size_t slices_per_transaction = 400;      // executors get their turn in between
  std::size_t ids_per_slice_max = 10'000;        // of an UPDATE
  Duration gate_horizon = std::chrono::days(1);  // for which the gate's permits are planned
  std::int64_t tries_max = 3;  // of a slice that failed, by commands that ask for it again
  // Which operation goes before which; smaller is more urgent.
  std::int64_t harvest_priority = DefaultPriority(Operation::kHarvest);
  std::int64_t update_priority = DefaultPriority(Operation::kUpdate);
  std::int64_t backfill_priority = DefaultPriority(Operation::kBackfill);
  std::string release{};         // whose definitions go before those of all; empty: none's
  std::string registry{};        // another machine that definitions are read of; empty: the store
  std::string registry_token{};  // where its token is

  int PriorityOf(Operation operation) const {
    switch (operation) {
      case Operation::kHarvest:
        return static_cast<int>(harvest_priority);
      case Operation::kUpdate:
        return static_cast<int>(update_priority);
      case Operation::kBackfill:
        break;
    }
    return static_cast<int>(backfill_priority);
  }
};

}  // namespace patra::domain
