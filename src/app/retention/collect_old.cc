#include "app/retention/collect_old.h"

#include <algorithm>

#include "domain/retention/kept_for.h"

namespace patra::app {
namespace {

constexpr int kDeletedAtOnce = 500;
constexpr std::int64_t kCountedMost = 1'000'000;
constexpr int kNumberedAtOnce = 1000;
constexpr Duration kCollectRestMost = std::chrono::seconds(1);

}  // namespace

// Others write in between, at least half of the time.
void CollectOld::Rest(Duration since) {
  ports_.clock.SleepFor(std::min<Duration>(ports_.clock.Elapsed() - since, kCollectRestMost));
}

Result<CollectReport> CollectOld::Count(const domain::RetentionPolicy& policy) {
  const auto now = ports_.clock.Now();
  CollectReport report{.is_dry_run = true};
  for (const auto& [kind, code] : domain::CodesOf(OldKind{})) {
    CollectedKind counted{.kind = kind, .kept_for = domain::KeptFor(kind, policy)};
    if (counted.kept_for > Duration::zero()) {
      counted.rows = PATRA_TRY(ports_.old_rows.Count(kind, now - counted.kept_for, kCountedMost));
    }
    counted.is_cut = counted.rows >= kCountedMost;
    report.kinds.push_back(counted);
  }
  return report;
}

Result<CollectReport> CollectOld::Run(const domain::RetentionPolicy& policy) {
  auto turn = PATRA_TRY(RetentionTurn::Take(ports_.duties, ports_.clock, owner_));
  const auto now = ports_.clock.Now();
  CollectReport report;
  if (policy.keep_changes > Duration::zero()) PATRA_TRY(NumberChanges());
  for (const auto& [kind, code] : domain::CodesOf(OldKind{})) {
    CollectedKind collected{.kind = kind, .kept_for = domain::KeptFor(kind, policy)};
    if (collected.kept_for > Duration::zero()) {
      collected.rows = PATRA_TRY(DeleteAll(kind, now - collected.kept_for, turn));
    }
    if (collected.rows > 0)
      PATRA_TRY(ports_.old_rows.AddToTally(
          {.what = "deleted." + domain::LowerCode(code), .rows = collected.rows}));
    report.kinds.push_back(collected);
  }
  report.added_up += PATRA_TRY(AddUp(std::chrono::hours(1), policy.keep_minutes, turn));
  report.added_up += PATRA_TRY(AddUp(std::chrono::days(1), policy.keep_hours, turn));
  report.is_stopped = ports_.stop.asked();
  return report;
}

// Whoever hears of changes is told of a gap by positions that are missing: what goes has to have had one.
Result<void> CollectOld::NumberChanges() {
  while (!ports_.stop.asked()) {
    const auto began_at = ports_.clock.Elapsed();
    if (PATRA_TRY(ports_.outbox.NumberChanges(kNumberedAtOnce)) < kNumberedAtOnce) break;
    Rest(began_at);
  }
  return {};
}

Result<std::int64_t> CollectOld::DeleteAll(OldKind kind, Instant before, RetentionTurn& turn) {
  std::int64_t deleted = 0;
  for (std::optional<Id> place = 0; place && !ports_.stop.asked();) {
    PATRA_TRY(turn.Keep());
    const auto began_at = ports_.clock.Elapsed();
    const auto step = PATRA_TRY(ports_.old_rows.Delete(kind, before, *place, kDeletedAtOnce));
    deleted += step.rows;
    place = step.next;
    if (place) Rest(began_at);
  }
  return deleted;
}

Result<std::int64_t> CollectOld::AddUp(Duration width, Duration kept_for, RetentionTurn& turn) {
  if (kept_for == Duration::zero()) return 0;
  std::int64_t fewer = 0;
  const auto before = ports_.clock.Now() - kept_for;
  for (std::optional<Instant> from = kInstantMin; from && !ports_.stop.asked();) {
    PATRA_TRY(turn.Keep());
    const auto began_at = ports_.clock.Elapsed();
    const auto step = PATRA_TRY(ports_.old_rows.Coarsen(width, before, *from));
    fewer += step.rows;
    from = step.next;
    if (from) Rest(began_at);
  }
  return fewer;
}

}  // namespace patra::app
