#include "app/plan/tell_planning.h"

namespace patra::app {
namespace {

domain::Lineage LineageOf(const domain::Plan& plan) {
  return {.trigger = plan.trigger_id,
          .plan = plan.id,
          .correlation = plan.correlation,
          .lane = plan.lane};
}

}  // namespace

void TellMet(Log* log, const domain::Plan& plan, std::string_view kind, std::int64_t count) {
  if (log == nullptr || count <= 0) return;
  log->Write(LogLevel::kInfo, "key.met", LineageOf(plan),
             {{"kind", std::string(kind)}, {"count", count}});
}

void TellSlices(Log* log, const domain::Plan& plan, std::span<const IdSlice> slices, int added) {
  if (log == nullptr) return;
  TellMet(log, plan, "slice", std::ssize(slices) - added);
  for (const auto& [work, ids] : slices) {
    auto lineage = LineageOf(plan);
    lineage.slice = work.slice.id;
    lineage.task = work.task.id;
    log->Write(LogLevel::kDebug, "slice.planned", lineage,
               {{"window", work.slice.window.Describe()}});
  }
}

void TellPlanned(const PlanPorts& ports, const domain::Plan& plan, const Planned& planned,
                 Duration compiled_in, Duration begun) {
  if (ports.log == nullptr) return;
  const auto took = ports.clock.Elapsed() - begun;
  ports.log->Write(LogLevel::kInfo, "trigger.planned", LineageOf(plan),
                   {{"slices", std::int64_t{planned.slices}},
                    {"reason", planned.reason},
                    {"compiledInMs", compiled_in / std::chrono::milliseconds(1)},
                    {"tookMs", took / std::chrono::milliseconds(1)}});
}

}  // namespace patra::app
