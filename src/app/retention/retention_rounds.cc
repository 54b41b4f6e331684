#include "app/retention/retention_rounds.h"

#include <fmt/format.h>

namespace patra::app {
namespace {

// Whoever holds this one has done what is due until then.
constexpr const char* kRetentionPace = "retention-pace";
constexpr Duration kRetentionEvery = std::chrono::days(1);
// After trouble, such as a folder that is away for a while.
constexpr Duration kRetentionAgainAfter = std::chrono::hours(1);

}  // namespace

void RetentionRounds::RunIfDue() {
  if (!is_wanted()) return;
  // Of another name each time: who has done it today does not do it again.
  const auto name = fmt::format("{}/{}", owner_, ++rounds_);
  const auto is_due =
      ports_.duties.Take(kRetentionPace, name, ports_.clock.Now() + kRetentionEvery);
  if (!is_due.value_or(false)) return;
  const auto done = Run();
  if (!done && !ports_.stop.asked())
    ports_.log.Write(LogLevel::kError, "retention.failed", {},
                     {{"reason", done.error().Describe()}});
  const bool is_over = done.has_value() && !ports_.stop.asked();
  if (is_over) {
    ports_.log.Write(LogLevel::kInfo, "retention.done", {}, {});
    return;
  }
  // Whoever comes next goes on. Where this cannot be said, that is tomorrow.
  const auto again_at = ports_.clock.Now() + (done ? Duration{} : kRetentionAgainAfter);
  (void)ports_.duties.Take(kRetentionPace, name, again_at).has_value();
}

Result<void> RetentionRounds::Run() {
  if (policy_.archive_daily) PATRA_TRY(Archive());
  if (policy_.gc_daily && !ports_.stop.asked()) PATRA_TRY(Collect());
  return {};
}

Result<void> RetentionRounds::Archive() {
  const auto report =
      PATRA_TRY(archive_old_.Run({.before = ports_.clock.Now() - policy_.archive_after,
                                  .gathers = policy_.archive_gathers,
                                  .vault_max = policy_.vault_max,
                                  .vault_drops = policy_.vault_drops},
                                 [](ArchivedKind, std::int64_t) {}));
  for (const auto& kind : report.kinds) {
    if (kind.rows == 0) continue;
    ports_.log.Write(LogLevel::kInfo, "archive.done", {},
                     {{"kind", domain::LowerCode(domain::CodeOf(kind.kind))},
                      {"rows", kind.rows},
                      {"files", kind.files},
                      {"bytes", kind.bytes},
                      {"needed", kind.needed}});
  }
  return {};
}

Result<void> RetentionRounds::Collect() {
  const auto report = PATRA_TRY(collect_old_.Run(policy_));
  for (const auto& kind : report.kinds) {
    if (kind.rows == 0) continue;
    ports_.log.Write(LogLevel::kInfo, "gc.done", {},
                     {{"what", domain::LowerCode(domain::CodeOf(kind.kind))}, {"rows", kind.rows}});
  }
  return {};
}

}  // namespace patra::app
