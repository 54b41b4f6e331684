#include "app/work/lane_bounds.h"

namespace patra::app {
namespace {

// Executors beat every few seconds.
constexpr Duration kAliveWithin = std::chrono::minutes(1);

}  // namespace

void LaneBounds::Learn(const LeasedTask& task) {
  const auto key = task.lane.Key();
  {
    const std::lock_guard lock(mutex_);
    const auto known = lanes_.find(key);
    if (known != lanes_.end() && known->second.snapshot_hash == task.expr_proto_hash) return;
  }
  auto rules = execute_.RulesOf(task);
  const std::lock_guard lock(mutex_);
  if (rules) lanes_.insert_or_assign(key, OfLane{task.expr_proto_hash, *std::move(rules)});
}

void LaneBounds::Refresh() {
  auto latencies = queue_.Latencies();
  const auto alive =
      executors_ == nullptr
          ? Result<std::vector<Executor>>(Fail(ErrorCode::kNotFound, "nobody knows them"))
          : executors_->Alive(kAliveWithin);
  const std::lock_guard lock(mutex_);
  if (latencies) latencies_ = *std::move(latencies);
  if (alive) alive_ = static_cast<int>(alive->size());
}

domain::AtOnce LaneBounds::Now() const {
  const std::lock_guard lock(mutex_);
  domain::AtOnce now;
  if (settings_.in_all > 0 || alive_)
    now.in_all = domain::TasksInAll(settings_, alive_.value_or(1), workers_);
  if (settings_.per_lane > 0) {
    now.other_lane = static_cast<int>(settings_.per_lane);
    return now;
  }
  for (const auto& [lane, known] : lanes_) {
    const auto latency = latencies_.find(lane);
    if (latency == latencies_.end()) continue;
    if (const auto tasks = domain::TasksThatKeepBusy(known.rules, latency->second))
      now.lanes.emplace(lane, *tasks);
  }
  return now;
}

}  // namespace patra::app
