// How the lanes of a store are doing, as self-healing sees it. Bounded, and never in the way of work.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "domain/heal/decide.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

struct LaneHealth {
  domain::Observations seen;
  std::optional<domain::SpecSnapshot> spec{};  // of its newest plan, where that can be read
  Id newest_plan = 0;
};

class HealthReader {
 public:
  virtual ~HealthReader() = default;

  // Every lane that did something within `policy.watch`, has work under way or has a plan that waits.
  virtual Result<std::vector<LaneHealth>> Observe(const domain::HealPolicy& policy) = 0;

  // Remembers how deep the queues are, which tells later what is usual.
  virtual Result<void> NoteQueues(const std::vector<LaneHealth>& lanes) = 0;
};

}  // namespace patra::app
