#include "app/gate/rate_book.h"

#include <algorithm>
#include <vector>

namespace patra::app {

RateBook::~RateBook() {
  // Nobody is there any more to hear that it failed.
  (void)Write().has_value();
}

SentInMinute& RateBook::RowOf(Instant minute, domain::LimitScope scope,
                              const domain::GateTarget& target) {
  auto key = domain::GateKey(scope, target);
  auto& row = rows_[{minute, key, target.provenance, target.endpoint}];
  if (row.key.empty()) {
    row.minute = minute;
    row.key = std::move(key);
    row.provenance = target.provenance;
    row.endpoint = target.endpoint;
  }
  return row;
}

void RateBook::Note(const domain::GateTarget& target, const domain::GateRules& rules,
                    const domain::GateSignal& signal, const domain::GateChange& change,
                    Duration sent_at) {
  using Kind = domain::GateSignal::Kind;
  const auto now = clock_.Now();
  const auto sent = now - std::max(clock_.Elapsed() - sent_at, Duration::zero());
  const auto minute = std::chrono::floor<std::chrono::minutes>(sent);
  const std::lock_guard lock(mutex_);
  for (const auto scope : rules.Scopes()) {
    const auto limit = rules.RequestsPerDay(scope);
    if (limit == 0 && scope != rules.feedback_scope) continue;
    auto& row = RowOf(minute, scope, target);
    ++row.requests;
    row.share_ppm_sum += change.share;
    row.limit_per_day = std::max(row.limit_per_day, limit);
  }
  auto& main = RowOf(minute, rules.feedback_scope, target);
  main.throttled += signal.kind == Kind::kThrottled ? 1 : 0;
  main.failures += signal.kind == Kind::kTransient || signal.kind == Kind::kRefused ? 1 : 0;
  main.cuts += change.is_slowed ? 1 : 0;
  main.cool_downs += change.is_frozen ? 1 : 0;
  if (change.is_frozen) main.stopped_until = std::max(main.stopped_until, now + change.stopped_for);
  if (change.is_opened) {
    auto& circuit = RowOf(minute, rules.breaker_scope, target);
    ++circuit.openings;
    circuit.stopped_until = std::max(circuit.stopped_until, now + change.stopped_for);
  }
  while (rows_.size() > kRowsMax) rows_.erase(rows_.begin());
}

Result<void> RateBook::WriteIfDue() {
  {
    const std::lock_guard lock(mutex_);
    if (rows_.empty() || clock_.Elapsed() - written_at_ < kWriteEvery) return {};
  }
  return Write();
}

Result<void> RateBook::Write() {
  decltype(rows_) taken;
  {
    const std::lock_guard lock(mutex_);
    taken.swap(rows_);
    written_at_ = clock_.Elapsed();
  }
  if (taken.empty()) return {};
  std::vector<SentInMinute> sent;
  for (const auto& [key, row] : taken) sent.push_back(row);
  auto written = history_.Add(sent);
  if (written) return {};
  const std::lock_guard lock(mutex_);
  for (auto& [key, row] : rows_) {
    const auto before = taken.find(key);
    if (before != taken.end()) row += before->second;
  }
  rows_.merge(taken);
  return written;
}

}  // namespace patra::app
