#include "adapter/cli/schedule_command.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/table.h"
#include "app/api/report_facts.h"
#include "base/duration.h"

namespace patra::adapter::cli {
namespace {

using app::FactsOf;
using domain::Execution;
using domain::Job;

constexpr std::size_t kReasonShown = 80;

std::string OnOff(const Job& job) {
  if (job.enabled) return "on";
  return job.disabled_reason.empty() ? "off" : "off: " + Short(job.disabled_reason, kReasonShown);
}

std::string LastCell(const std::optional<Execution>& last) {
  if (!last) return "-";
  return fmt::format("{} {}", CodeOf(last->status), When(last->fired_at));
}

void PrintExecutions(const std::vector<Execution>& executions, const Console& console) {
  Table table({"job", "fired", "type", "status", "received", "inserted", "updated", "requests",
               "plan", "finished", "reason"});
  for (const auto& one : executions) {
    const auto plan = one.plan ? fmt::to_string(*one.plan) : std::string("-");
    table.Add({one.job, When(one.fired_at), std::string(CodeOf(one.type)),
               std::string(CodeOf(one.status)), Thousands(one.counts.received),
               Thousands(one.counts.inserted), Thousands(one.counts.updated),
               Thousands(one.counts.requests), plan, When(one.finished_at),
               one.reason.empty() ? "-" : one.reason});
  }
  fmt::print(console.out, "{}", table.Print(console));
}

int Told(const Result<void>& done, const std::string& words, const Console& console) {
  if (!done) return PrintError(console, done.error());
  if (!console.quiet) fmt::print(console.out, "{}\n", words);
  return kComplete;
}

void PrintNames(std::string_view what, const std::vector<std::string>& names,
                const Console& console) {
  for (const auto& name : names) fmt::print(console.out, "{} {}\n", what, name);
}

}  // namespace

int RunScheduleList(const JobListing& listing, app::Schedule& schedule, const Console& console) {
  const auto reports = schedule.List(listing.source, listing.jobs_max);
  if (!reports) return PrintError(console, reports.error());
  const bool may_be_cut = std::ssize(*reports) == listing.jobs_max;
  if (may_be_cut && !console.quiet)
    fmt::print(console.err, "the first {}, by name; `--limit` shows more\n",
               Several(listing.jobs_max, "job"));
  if (listing.as_json) {
    for (const auto& [job, last] : *reports) {
      auto facts = FactsOf(job);
      facts.push_back({"last", last ? contract::ToObject(FactsOf(*last)) : Value()});
      PrintJsonLine(console, contract::ToObject(facts));
    }
    return kComplete;
  }
  if (reports->empty()) {
    fmt::print(console.out, "no jobs\n");
    return kComplete;
  }
  Table table({"job", "source", "operation", "cron", "zone", "next", "last", "state"});
  for (const auto& [job, last] : *reports) {
    table.Add({job.id, job.Target(), std::string(Code(job.operation)), job.cron, job.timezone,
               When(job.next_fire_at), LastCell(last), OnOff(job)});
  }
  fmt::print(console.out, "{}", table.Print(console));
  return kComplete;
}

int RunScheduleShow(const std::string& job, bool as_json, app::Schedule& schedule,
                    const Console& console) {
  const auto report = schedule.Show(job);
  if (!report) return PrintError(console, report.error());
  auto facts = FactsOf(report->job);
  if (as_json) {
    facts.push_back({"last", report->last ? contract::ToObject(FactsOf(*report->last)) : Value()});
    PrintJsonLine(console, contract::ToObject(facts));
    return kComplete;
  }
  fmt::print(console.out, "{}", Lines(facts));
  if (!report->last) return kComplete;
  fmt::print(console.out, "\nlast execution\n{}", Lines(FactsOf(*report->last)));
  return kComplete;
}

int RunScheduleSet(const app::JobRequest& request, app::Schedule& schedule,
                   const domain::Actor& actor, const Console& console) {
  const auto put = schedule.Put(request, actor);
  if (!put) return PrintError(console, put.error());
  for (const auto& problem : put->problems) Report(console, problem);
  if (!put->problems.empty()) return kInvalidConfiguration;
  if (console.quiet) return kComplete;
  const auto& job = put->job;
  fmt::print(console.out, "{} is {}; {}\n", job.id, put->is_new ? "set" : "changed",
             job.enabled ? "it fires next at " + When(job.next_fire_at) : OnOff(job));
  return kComplete;
}

int RunScheduleEnable(const JobDecision& decision, app::Schedule& schedule,
                      const domain::Actor& actor, const Console& console) {
  return Told(schedule.Enable(decision.job, decision.reason, actor), decision.job + " is enabled",
              console);
}

int RunScheduleDisable(const JobDecision& decision, app::Schedule& schedule,
                       const domain::Actor& actor, const Console& console) {
  return Told(schedule.Disable(decision.job, decision.reason, actor), decision.job + " is disabled",
              console);
}

int RunScheduleRemove(const JobDecision& decision, app::Schedule& schedule,
                      const domain::Actor& actor, const Console& console) {
  return Told(schedule.Remove(decision.job, decision.reason, actor), decision.job + " is removed",
              console);
}

int RunScheduleTrigger(const JobDecision& decision, app::Schedule& schedule,
                       const domain::Actor& actor, const Console& console) {
  const auto execution = schedule.Trigger(decision.job, decision.reason, actor);
  if (!execution) return PrintError(console, execution.error());
  if (decision.as_json) {
    PrintJsonLine(console, contract::ToObject(FactsOf(*execution)));
    return kComplete;
  }
  if (console.quiet) return kComplete;
  fmt::print(console.out, "{} waits for a planner\n", execution->job);
  fmt::print(console.err, "next: patra schedule log {}\n", execution->job);
  return kComplete;
}

int RunScheduleLog(const ExecutionsCommand& command, app::Schedule& schedule,
                   const Console& console) {
  const auto executions = schedule.Log(command.listing);
  if (!executions) return PrintError(console, executions.error());
  if (command.as_json) {
    for (const auto& one : *executions) PrintJsonLine(console, contract::ToObject(FactsOf(one)));
    return kComplete;
  }
  if (executions->empty()) {
    fmt::print(console.out, "nothing has fired\n");
    return kComplete;
  }
  PrintExecutions(*executions, console);
  return kComplete;
}

int RunScheduleNext(const OccurrencesCommand& command, app::Schedule& schedule,
                    const Console& console) {
  const auto occurrences = schedule.Next(command.job, command.count);
  if (!occurrences) return PrintError(console, occurrences.error());
  if (command.as_json) {
    for (const auto& [at, local] : *occurrences)
      PrintJsonLine(console, Value::Object{{"at", FormatRfc3339(at)}, {"local", local}});
    return kComplete;
  }
  Table table({"local", "utc"});
  for (const auto& [at, local] : *occurrences) table.Add({local, FormatRfc3339(at)});
  fmt::print(console.out, "{}", table.Print(console));
  return kComplete;
}

int RunScheduleApply(const std::string& file, app::Schedule& schedule, const domain::Actor& actor,
                     const Console& console) {
  const auto applied = schedule.Apply(file, actor);
  if (!applied) return PrintError(console, applied.error());
  for (const auto& problem : applied->problems) Report(console, problem);
  if (!applied->problems.empty()) return kInvalidConfiguration;
  PrintNames("created", applied->created, console);
  PrintNames("changed", applied->changed, console);
  if (!console.quiet)
    fmt::print(console.err, "{} created, {} changed, {} as they were\n", applied->created.size(),
               applied->changed.size(), applied->unchanged.size());
  return kComplete;
}

int RunScheduleExport(app::Schedule& schedule, const Console& console) {
  const auto text = schedule.Export();
  if (!text) return PrintError(console, text.error());
  fmt::print(console.out, "{}", *text);
  return kComplete;
}

}  // namespace patra::adapter::cli
