// How many tasks run at once over the whole store, whoever runs them: of one lane, and of all. The gate keeps to what a provider
// allows; this keeps executors from holding tasks that could only wait for permits, and lets them be elsewhere.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/time.h"
#include "domain/gate/gate_rules.h"

namespace patra::domain {

// More than any machine has to do.
inline constexpr int kTasksAtOnceMost = 10'000;

// As the configuration says.
struct AtOnceSettings {
  std::int64_t per_lane = 0;  // 0: as many as keep its allowance busy
  std::int64_t in_all = 0;    // 0: so many for each executor
};

struct AtOnce {
  std::map<std::string, int> lanes{};  // by key, of those that somebody knows about
  std::optional<int> other_lane{};     // of each other one
  std::optional<int> in_all{};

  std::optional<int> Of(const std::string& lane) const {
    const auto found = lanes.find(lane);
    return found == lanes.end() ? other_lane : std::optional(found->second);
  }
};

// How many tasks keep an allowance busy whose requests take that long. Nothing where the rules only guess how fast requests may
// go. Quotas say how many there may be, and not how fast.
std::optional<int> TasksThatKeepBusy(const GateRules& rules, Duration latency);

// `workers` of each executor, those that serve neglected lanes included.
int TasksInAll(const AtOnceSettings& settings, int executors, int workers);

}  // namespace patra::domain
