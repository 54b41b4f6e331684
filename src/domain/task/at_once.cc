#include "domain/task/at_once.h"

#include <algorithm>
#include <cmath>

namespace patra::domain {
namespace {

// What a page takes beside its answer: to be read, mapped and stored, on a busy store.
constexpr Duration kOwnWork = std::chrono::milliseconds(250);
constexpr Duration kAnswerLeast = std::chrono::milliseconds(50);
constexpr int kTasksPerExecutor = 16;

double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

std::optional<int> TasksThatKeepBusy(const GateRules& rules, Duration latency) {
  if (!rules.adapt.limit_is_known || rules.told_may_raise) return std::nullopt;
  const auto cycle = latency + kOwnWork;
  std::optional<double> fewest;
  for (const auto& limit : rules.limits) {
    if (limit.kind == LimitKind::kQuota) continue;
    // While one request is under way, the tasks of others do their own work.
    const double tasks =
        limit.kind == LimitKind::kConcurrency
            ? static_cast<double>(limit.count) * Seconds(cycle) /
                  Seconds(std::max(latency, kAnswerLeast))
            : static_cast<double>(limit.count) * Seconds(cycle) / Seconds(limit.window);
    fewest = std::min(fewest.value_or(tasks), tasks);
  }
  if (!fewest) return std::nullopt;
  return static_cast<int>(std::clamp(std::ceil(*fewest), 1.0, double{kTasksAtOnceMost}));
}

int TasksInAll(const AtOnceSettings& settings, int executors, int workers) {
  if (settings.in_all > 0) return static_cast<int>(settings.in_all);
  return std::max(kTasksPerExecutor, workers) * std::max(executors, 1);
}

}  // namespace patra::domain
