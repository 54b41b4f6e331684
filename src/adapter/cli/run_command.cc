#include "adapter/cli/run_command.h"

#include <algorithm>
#include <csignal>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/progress_bar.h"
#include "adapter/cli/run_summary.h"
#include "adapter/cli/table.h"
#include "base/canonical_json.h"
#include "base/duration.h"

namespace patra::adapter::cli {
namespace {

constexpr Duration kEventEvery = std::chrono::seconds(1);
constexpr Duration kEarliestEstimate = std::chrono::seconds(3);
constexpr Duration kWaitTold = std::chrono::seconds(3);
constexpr std::size_t kStretchesTold = 20;

Value CountsValue(const domain::RecordCounts& counts) {
  return Value::Object{{"received", counts.received},
                       {"inserted", counts.inserted},
                       {"updated", counts.updated},
                       {"unchanged", counts.unchanged},
                       {"stale", counts.stale},
                       {"quarantined", counts.quarantined},
                       {"filtered", counts.filtered},
                       {"repeated", counts.repeated},
                       {"outside", counts.outside},
                       {"isolatedPages", counts.isolated_pages},
                       {"passedOver", counts.passed_over},
                       {"deleted", counts.inserted_gone + counts.updated_gone}};
}

Value TimeValue(const std::optional<Instant>& time) {
  return time ? Value(FormatRfc3339(*time)) : Value();
}

Value HoldsValue(const std::vector<domain::Hold>& holds) {
  Value::Array held;
  for (const auto& hold : holds)
    held.push_back(Value::Object{{"what", hold.Describe()}, {"release", hold.Release()}});
  return held;
}

Value WorkValue(const app::WorkSummary& work) {
  return Value::Object{
      {"slices", Value::Object{{"succeeded", work.succeeded},
                               {"failed", work.failed},
                               {"partial", work.partial},
                               {"early", work.early},
                               {"recut", work.recut}}},
      {"records", CountsValue(work.totals.counts)},
      {"gone", work.totals.gone},
      {"goneDoubt", work.gone_doubt},
      {"unmetFields", work.unmet_fields},
      {"requests", work.totals.requests},
      {"retries", work.totals.retries},
      {"throttled", work.totals.throttled},
      {"waitedMs", work.totals.waited / std::chrono::milliseconds(1)},
      {"left", work.left},
      {"spent", work.spent},
      {"holds", HoldsValue(work.holds)},
      {"waitsFor", work.waits ? Value(work.waits->what) : Value()},
      {"waitsUntil", work.waits ? Value(FormatRfc3339(work.waits->until)) : Value()},
      {"gaveUpWaitingFor", work.tired ? Value(work.tired->what) : Value()},
      {"gaveUpAfterMs",
       work.tired ? Value(work.tired->waited / std::chrono::milliseconds(1)) : Value()},
      {"error", work.first_error ? Value(work.first_error->Describe()) : Value()}};
}

// Events of a long command, one JSON object a line, not more often than people read.
class Events {
 public:
  Events(bool is_on, const Clock& clock, const Console& console)
      : is_on_(is_on), clock_(clock), console_(console) {}

  void Progress(const app::WorkProgress& work, std::int64_t slices) {
    const auto now = clock_.Elapsed();
    if (!is_on_ || (told_at_ && now - *told_at_ < kEventEvery)) return;
    told_at_ = now;
    Value::Object event{{"event", "progress"},
                        {"slicesDone", work.slices_done},
                        {"slices", slices},
                        {"records", CountsValue(work.counts)},
                        {"announced", work.announced},
                        {"requests", work.requests},
                        {"retries", work.retries},
                        {"running", work.running}};
    if (work.waiting) {
      event["waitingFor"] = std::string(Name(work.waiting->reason));
      event["waitingUntil"] = FormatRfc3339(work.waiting->until);
    } else if (work.parked) {
      event["waitingFor"] = work.parked->what;
      event["waitingUntil"] = FormatRfc3339(work.parked->until);
    }
    Print(std::move(event));
  }
  void Print(Value::Object event) {
    if (!is_on_) return;
    fmt::print(console_.out, "{}\n", CanonicalJson(event));
    console_.out.flush();
  }
  bool is_on() const { return is_on_; }

 private:
  const bool is_on_;
  const Clock& clock_;
  const Console& console_;
  std::optional<Duration> told_at_;
};

// What it waits for, where that is worth telling: between two requests it always waits a little.
std::string Waits(const app::WorkProgress& work, Instant now) {
  const auto told = [&](Instant until, const std::string& what) {
    return until - now < kWaitTold
               ? std::string()
               : fmt::format("waits {} for {}, ", Roughly(until - now), Short(what, 60));
  };
  if (work.waiting) return told(work.waiting->until, std::string(Name(work.waiting->reason)));
  return work.parked ? told(work.parked->until, work.parked->what) : std::string();
}

// What a person sees while it goes on, the most important first, for a narrow terminal cuts the end off: how long it
// takes, what it waits for, how much, how fast against what is allowed.
std::string Details(const app::OperationProgress& progress, Duration elapsed,
                    const std::optional<Duration>& left, Instant now) {
  const auto& work = progress.work;
  std::string text;
  if (left && elapsed > kEarliestEstimate)
    text += fmt::format("about {} left, ", Roughly(*left + std::chrono::seconds(1)));
  text += Waits(work, now);
  text += fmt::format("{} of {} slices, {} requests", Thousands(work.slices_done),
                      Thousands(std::max<std::int64_t>(progress.slices, work.slices_done)),
                      Thousands(work.requests));
  const auto seconds = std::chrono::duration<double>(elapsed).count();
  if (seconds > 1) text += fmt::format(", {:.1f}/s", work.requests / seconds);
  if (seconds > 1 && progress.rate_per_second)
    text += fmt::format(" of {:.1f}/s allowed", *progress.rate_per_second);
  return text;
}

ExitCode ExitCodeOf(const app::WorkSummary& work) {
  if (work.is_refused) return kRefused;
  if (work.is_misdefined) return kInvalidConfiguration;
  if (work.failed > 0 || work.partial > 0) return kFailed;
  if (work.is_at_limit || (work.spent > 0 && work.left > 0)) return kStoppedByLimit;
  if (work.left > 0) return kTryLater;
  return work.totals.counts.quarantined > 0 ? kQuarantined : kComplete;
}

// Of the stretch that was asked for: what an earlier command left undone or put into quarantine is this one's affair, too.
ExitCode ExitCodeOf(const app::OperationSummary& summary) {
  const auto code = ExitCodeOf(summary.work);
  if (code != kComplete && code != kQuarantined) return code;
  if (summary.is_proven()) return summary.quarantine_open > 0 ? kQuarantined : kComplete;
  if (!summary.plan.planned.given_up.empty()) return kFailed;
  if (summary.plan.planned.is_partial) return kStoppedByLimit;
  return summary.unproven.is_under_way ? kTryLater : kFailed;
}

// Whoever was told to stop does not wait for a store that is away, and says so; it ended as it was told to.
int ReportEnd(const Error& error, const Services& services, const Console& console) {
  const int code = PrintError(console, error);
  const auto signal = services.StoppedBySignal();
  return signal && error.code == ErrorCode::kUnavailable ? StopCode(signal) : code;
}

Value IdsValue(const std::vector<Id>& ids) {
  Value::Array list;
  for (const auto id : ids) list.emplace_back(fmt::to_string(id));
  return list;
}

Value UnprovenValue(const app::Unproven& unproven) {
  Value::Array stretches;
  for (std::size_t i = 0; i < std::min(unproven.stretches.size(), kStretchesTold); ++i) {
    stretches.push_back(Value::Object{{"from", FormatRfc3339(unproven.stretches[i].from())},
                                      {"to", FormatRfc3339(unproven.stretches[i].to())}});
  }
  return Value::Object{{"count", static_cast<std::int64_t>(unproven.stretches.size())},
                       {"first", std::move(stretches)},
                       {"slices", unproven.slices},
                       {"underWay", unproven.is_under_way},
                       {"notBefore", TimeValue(unproven.not_before)}};
}

Value GivenUpValue(const std::vector<domain::UnfinishedSlice>& given_up) {
  Value::Array slices;
  for (const auto& slice : given_up) {
    slices.push_back(Value::Object{{"slice", fmt::to_string(slice.slice)},
                                   {"task", fmt::to_string(slice.task)},
                                   {"from", FormatRfc3339(slice.window.from())},
                                   {"to", FormatRfc3339(slice.window.to())},
                                   {"tries", slice.tries},
                                   {"reason", slice.reason}});
  }
  return slices;
}

int ReportProblems(const std::vector<Error>& problems, const Console& console) {
  for (const auto& problem : problems) Report(console, problem);
  return kInvalidConfiguration;
}

}  // namespace

Result<void> FindByAddress(RunCommand& command, app::SourceLibrary& library,
                           const Console& console) {
  auto& target = command.plan.request.source.target;
  const auto slash = std::min(target.find('/'), target.size());
  const auto derived = PATRA_TRY(library.Derive(target.substr(0, slash), command.base_url,
                                                !command.plan.request.options.dry_run));
  if (derived.is_new && !console.quiet)
    fmt::print(console.err, "{} is written: from now on `patra harvest {}` is enough\n",
               derived.file, derived.source);
  target = derived.source + target.substr(slash);
  return {};
}

int RunAtOnce(const RunCommand& command, app::Operations& engine, const Services& services,
              const Clock& clock, const Console& console) {
  if (command.plan.request.options.dry_run) return RunPlan(command.plan, engine, console);
  const auto prepared = PreparePlan(command.plan, console);
  if (!prepared) return PrintError(console, prepared.error());
  const auto& plan = *prepared;
  const bool as_json = command.plan.as_json;
  Events events(as_json, clock, console);
  ProgressBar bar(console, clock);
  const auto begin = clock.Elapsed();
  const auto summary = engine.Run(plan, command.work, [&](const app::OperationProgress& progress) {
    events.Progress(progress.work, progress.slices);
    const auto elapsed = clock.Elapsed() - begin;
    bar.Show(plan.source.target, progress.Done(), progress.Total().value_or(0),
             Details(progress, elapsed, progress.Left(elapsed), clock.Now()));
  });
  bar.Finish();
  if (!summary) return ReportEnd(summary.error(), services, console);
  if (!summary->plan.problems.empty()) return ReportProblems(summary->plan.problems, console);
  for (const auto& warning : summary->plan.warnings)
    fmt::print(console.err, "warning: {}\n", warning);
  if (as_json) {
    events.Print({{"event", "summary"},
                  {"source", summary->plan.source},
                  {"endpoint", summary->plan.endpoint},
                  {"operation", std::string(domain::Code(plan.source.operation))},
                  {"planned", summary->slices},
                  {"complete", summary->complete()},
                  {"notes", Value::Array(summary->plan.planned.notes.begin(),
                                         summary->plan.planned.notes.end())},
                  {"triedAgain", std::int64_t{summary->plan.planned.tried_again}},
                  {"givenUp", GivenUpValue(summary->plan.planned.given_up)},
                  {"replacedPlans", IdsValue(summary->plan.planned.replaced)},
                  {"olderPlans", IdsValue(summary->plan.planned.older)},
                  {"unproven", UnprovenValue(summary->unproven)},
                  {"notYetFrom", TimeValue(summary->plan.planned.not_yet_from)},
                  {"quarantineOpen", summary->quarantine_open},
                  {"watermarkBefore", TimeValue(summary->watermark_before)},
                  {"watermark", TimeValue(summary->watermark)},
                  {"work", WorkValue(summary->work)}});
  } else {
    PrintSummary(*summary, plan.source.operation, console);
  }
  if (summary->work.is_stopped) return StopCode(services.StoppedBySignal());
  // The last word names what decided how it ends.
  if (const auto error = app::WhatDecided(*summary)) Report(console, *error);
  if (summary->plan.planned.kind == app::Planned::Kind::kHeld)
    return summary->plan.planned.is_fused ? kRefused : kTryLater;
  return ExitCodeOf(*summary);
}

int RunWork(const WorkCommand& command, app::Operations& engine, const Services& services,
            const Clock& clock, const Console& console) {
  Events events(command.as_json, clock, console);
  ProgressBar bar(console, clock);
  const auto begin = clock.Elapsed();
  const auto summary = engine.Work(command.work, [&](const app::WorkProgress& work) {
    events.Progress(work, 0);
    // Others may plan more meanwhile: nobody knows where it ends.
    const app::OperationProgress progress{.slices = work.slices_done + work.running, .work = work};
    bar.Show("work", work.counts.received, 0,
             Details(progress, clock.Elapsed() - begin, std::nullopt, clock.Now()));
  });
  bar.Finish();
  if (!summary) return ReportEnd(summary.error(), services, console);
  if (command.as_json) {
    events.Print({{"event", "summary"}, {"work", WorkValue(*summary)}});
  } else {
    const NamedLines lines(console);
    PrintWork(*summary, true, lines);
    PrintRest(*summary, lines);
  }
  if (summary->first_error) Report(console, *summary->first_error);
  if (summary->is_stopped) return StopCode(services.StoppedBySignal());
  return ExitCodeOf(*summary);
}

}  // namespace patra::adapter::cli
