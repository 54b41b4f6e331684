#include "app/retention/forget_source.h"

#include <algorithm>

#include "app/retention/retention_turn.h"

namespace patra::app {
namespace {

constexpr int kForgottenAtOnce = 500;
constexpr int kFilesAtOnce = 100;
constexpr Duration kForgetRestMost = std::chrono::seconds(1);

void Add(const ForgetStep& step, ForgetReport& report) {
  if (step.rows == 0) return;
  if (report.tables.empty() || report.tables.back().table != step.table)
    report.tables.push_back({.table = step.table});
  report.tables.back().rows += step.rows;
}

}  // namespace

Result<ForgetReport> ForgetSource::Run(const std::string& source, const Decision& decision) {
  // Rows that are on their way into a file would come back in it.
  auto turn = PATRA_TRY(RetentionTurn::Take(ports_.duties, ports_.clock, owner_));
  PATRA_TRY(ports_.forgetting.Begin(source, decision));
  ForgetReport report{.source = source};
  for (ForgetStep step; !ports_.stop.asked();) {
    PATRA_TRY(turn.Keep());
    const auto began_at = ports_.clock.Elapsed();
    step = PATRA_TRY(ports_.forgetting.Delete(source, step, kForgottenAtOnce));
    if (step.table.empty()) break;
    Add(step, report);
    ports_.clock.SleepFor(std::min<Duration>(ports_.clock.Elapsed() - began_at, kForgetRestMost));
  }
  while (!ports_.stop.asked()) {
    const auto files = PATRA_TRY(ports_.forgetting.FilesOf(source, kFilesAtOnce));
    if (files.empty()) break;
    for (const auto& file : files) {
      PATRA_TRY(ports_.files.Remove(file.location));
      PATRA_TRY(ports_.store.Withdraw(file.id));
      ++report.files;
    }
  }
  report.is_stopped = ports_.stop.asked();
  return report;
}

}  // namespace patra::app
