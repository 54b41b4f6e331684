#include "app/schedule/plan_executions.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/schedule/job_arguments.h"

namespace patra::app {
namespace {

using domain::ExecutionStatus;

constexpr std::int64_t kTakesMost = 10;
constexpr std::size_t kReasonOfPlanningMax = 2'000;

// What another moment may mend.
bool PassesBy(const Error& error) {
  switch (error.code) {
    case ErrorCode::kUnavailable:
    case ErrorCode::kConflict:
    case ErrorCode::kLeaseLost:
    case ErrorCode::kExhausted:
    case ErrorCode::kCancelled:
      return true;
    default:
      return false;
  }
}

std::string Told(const std::vector<Error>& problems) {
  std::string all;
  for (const auto& problem : problems) {
    if (!all.empty()) all += "; ";
    all += problem.Describe();
    if (all.size() > kReasonOfPlanningMax) return all.substr(0, kReasonOfPlanningMax) + "…";
  }
  return all;
}

PlanRequest Fired(PlanRequest request, const Execution& execution) {
  request.options.origin.job_id = execution.job;
  request.options.origin.log_id = fmt::to_string(execution.id);
  request.options.origin.type = CodeOf(execution.type);
  return request;
}

// Every plan whose end is this execution's: also those that were given up, for something of what it asked for is missing there.
std::vector<Id> RetriedBy(const Planned& planned) {
  auto plans = planned.retried_plans;
  for (const auto& slice : planned.given_up) plans.push_back(slice.plan);
  std::ranges::sort(plans);
  const auto repeated = std::ranges::unique(plans);
  plans.erase(repeated.begin(), repeated.end());
  std::erase(plans, planned.plan);
  return plans;
}

// What was said of it before, such as how late it is, and what its planning says. Why a plan stopped is said on the plan: it may
// have gone on when the execution ends.
std::string NoteOn(const Execution& taken, const Planned& planned) {
  std::string note = taken.reason;
  const auto say = [&](const std::string& more) {
    if (!note.empty() && !more.empty()) note += "; ";
    note += more;
  };
  if (!planned.is_partial) say(planned.reason);
  for (const auto& more : planned.notes) say(more);
  return note.substr(0, kReasonOfPlanningMax);
}

}  // namespace

Result<PlanningReport> PlanExecutions::Round() {
  PlanningReport report;
  for (int i = 0; i < options_.executions_max; ++i) {
    const auto taken = PATRA_TRY(ports_.executions.Take(owner_, options_.lease));
    if (!taken) break;
    PATRA_TRY(PlanOne(*taken, report));
  }
  for (int i = 0; i < options_.executions_max; ++i) {
    const auto untouched_since = ports_.clock.Now() - options_.rest_after;
    const auto running = PATRA_TRY(ports_.executions.TakeRest(untouched_since));
    if (!running) break;
    PATRA_TRY(GoOn(*running, report));
  }
  return report;
}

Result<void> PlanExecutions::PlanOne(const Execution& taken, PlanningReport& report) {
  if (taken.takes > kTakesMost)
    return End(taken, ExecutionStatus::kFailed,
               fmt::format("{} planners took it and none came to an end{}{}", kTakesMost,
                           taken.reason.empty() ? "" : "; the last said: ", taken.reason),
               report);
  const auto job = PATRA_TRY(ports_.jobs.Find(taken.job));
  if (!job || job->removed_at)
    return End(taken, ExecutionStatus::kSkipped, "the job was removed meanwhile", report);
  const bool is_by_itself = taken.type == domain::FiringType::kSchedule;
  if (is_by_itself && !job->enabled)
    return End(taken, ExecutionStatus::kSkipped,
               fmt::format("the job was disabled meanwhile: {}", job->disabled_reason), report);

  const auto request = RequestOf(*job);
  if (!request) return End(taken, ExecutionStatus::kFailed, request.error().Describe(), report);
  const auto before = PATRA_TRY(ports_.executions.FindPlanned(taken));
  if (before && before->plan) return TakeOver(taken, *request, *before, report);
  const auto planned = ports_.planning.Plan(Fired(*request, taken));
  return planned ? Settle(taken, *request, *planned, report)
                 : Trouble(taken, planned.error(), report);
}

// A planner before this one has died over it. Planning once more would find what is under way, and nothing left to do; so its plan
// is gone on with, from where it was cut.
Result<void> PlanExecutions::TakeOver(const Execution& taken, const PlanRequest& request,
                                      const PlannedBefore& before, PlanningReport& report) {
  if (!before.is_cut) {
    const auto rest = ports_.planning.TakeRest(*before.plan, Fired(request, taken));
    if (!rest) return Trouble(taken, rest.error(), report);
  }
  return Start(taken,
               {.plan = before.plan,
                .takes_rest = !request.options.requests_max.has_value(),
                .note = "planned by one that died before it could say so"},
               report);
}

Result<void> PlanExecutions::Trouble(const Execution& taken, const Error& error,
                                     PlanningReport& report) {
  if (!PassesBy(error)) return End(taken, ExecutionStatus::kFailed, error.Describe(), report);
  ++report.given_back;
  return ports_.executions.GiveBack(taken, ports_.clock.Now() + options_.again_after,
                                    error.Describe());
}

Result<void> PlanExecutions::Settle(const Execution& taken, const PlanRequest& request,
                                    const PlanReport& planned_report, PlanningReport& report) {
  if (!planned_report.problems.empty())
    return End(taken, ExecutionStatus::kFailed, Told(planned_report.problems), report);
  const auto& planned = planned_report.planned;
  if (planned.kind == Planned::Kind::kHeld)
    return End(taken, ExecutionStatus::kSkipped, planned.reason, report);
  auto retried = RetriedBy(planned);
  const bool has_work = planned.plan != 0 || !retried.empty();
  if (!has_work) {
    auto idle = planned;
    idle.reason = "nothing to do: " + planned.reason;
    return End(taken, ExecutionStatus::kSuccess, NoteOn(taken, idle), report);
  }
  return Start(taken,
               {.plan = planned.plan == 0 ? std::nullopt : std::optional(planned.plan),
                .retried_plans = std::move(retried),
                .takes_rest = !request.options.requests_max.has_value(),
                .note = NoteOn(taken, planned)},
               report);
}

Result<void> PlanExecutions::Start(const Execution& taken, const ExecutionPlanned& planned,
                                   PlanningReport& report) {
  if (PATRA_TRY(ports_.executions.Start(taken, planned))) ++report.started;
  return {};
}

Result<void> PlanExecutions::End(const Execution& taken, ExecutionStatus status,
                                 const std::string& reason, PlanningReport& report) {
  if (PATRA_TRY(ports_.executions.End(taken, status, reason))) ++report.ended;
  return {};
}

// The plan goes on as it began. Its job may be another one by now, or gone: then nothing but the plan counts.
Result<void> PlanExecutions::GoOn(const Execution& running, PlanningReport& report) {
  const auto job = PATRA_TRY(ports_.jobs.Find(running.job));
  auto request = job ? RequestOf(*job) : Result<PlanRequest>(PlanRequest{});
  if (!request) request = PlanRequest{};
  request->options.requests_max.reset();
  const auto planned = ports_.planning.TakeRest(*running.plan, Fired(*request, running));
  if (planned && planned->slices > 0) ++report.rests;
  // Whatever it was, the next look at this rest says it again, and who watches the execution says it at last.
  if (!planned && !PassesBy(planned.error())) ++report.given_back;
  return {};
}

}  // namespace patra::app
