#include "adapter/cli/run_command.h"

#include <algorithm>
#include <csignal>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/progress_bar.h"
#include "adapter/cli/table.h"
#include "base/canonical_json.h"
#include "base/duration.h"

namespace patra::adapter::cli {
namespace {

constexpr Duration kEventEvery = std::chrono::seconds(1);
constexpr Duration kEarliestEstimate = std::chrono::seconds(3);
constexpr Duration kWaitTold = std::chrono::seconds(3);
constexpr std::size_t kGivenUpShown = 3;
constexpr std::size_t kStretchesTold = 20;

Value CountsValue(const domain::RecordCounts& counts) {
  return Value::Object{{"received", counts.received}, {"inserted", counts.inserted},
                       {"updated", counts.updated},   {"unchanged", counts.unchanged},
                       {"stale", counts.stale},       {"quarantined", counts.quarantined},
                       {"filtered", counts.filtered}, {"repeated", counts.repeated},
                       {"outside", counts.outside},   {"isolatedPages", counts.isolated_pages}};
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
      {"requests", work.totals.requests},
      {"retries", work.totals.retries},
      {"throttled", work.totals.throttled},
      {"waitedMs", work.totals.waited / std::chrono::milliseconds(1)},
      {"left", work.left},
      {"spent", work.spent},
      {"holds", HoldsValue(work.holds)},
      {"waitsFor", work.waits ? Value(work.waits->what) : Value()},
      {"waitsUntil", work.waits ? Value(FormatRfc3339(work.waits->until)) : Value()},
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

int StopCode(const std::optional<int>& signal) { return signal ? 128 + *signal : kInterrupted; }

void PrintWork(const app::WorkSummary& work, bool is_proven, const NamedLines& lines) {
  const auto& [done, reached, counts, announced, requests, retries, throttled, running, waited,
               waiting, parked] = work.totals;
  auto slices = fmt::format("{} done", Thousands(work.succeeded));
  if (work.recut > 0) slices += fmt::format(", {} cut into smaller ones", Thousands(work.recut));
  if (work.early > 0) slices += fmt::format(", {} up to the provider's now", Thousands(work.early));
  if (work.partial > 0) slices += fmt::format(", {} with gaps", Thousands(work.partial));
  if (work.failed > 0) slices += fmt::format(", {} failed", Thousands(work.failed));
  if (work.left > 0) slices += fmt::format(", {} left", Thousands(work.left));
  lines.Add("slices", slices);
  lines.Add("records", fmt::format("{} new, {} updated, {} unchanged, {} older than what is here, "
                                   "{} quarantined",
                                   Thousands(counts.inserted), Thousands(counts.updated),
                                   Thousands(counts.unchanged), Thousands(counts.stale),
                                   Thousands(counts.quarantined)));
  if (counts.outside > 0) {
    lines.Add("outside", fmt::format("{} records outside what was asked for, left out",
                                     Thousands(counts.outside)));
  }
  if (counts.isolated_pages > 0)
    lines.Add("pages", fmt::format("{} in quarantine by a rule", Thousands(counts.isolated_pages)));
  lines.Add("requests",
            fmt::format("{}, {} retries, {} times told to slow down, {} waited",
                        Thousands(requests), Thousands(retries), Thousands(throttled),
                        FormatDuration(std::chrono::floor<std::chrono::milliseconds>(waited))));
  const bool is_green = work.failed == 0 && work.partial == 0 && work.left == 0 && is_proven;
  const bool is_idle = is_green && work.succeeded == 0 && work.recut == 0 && work.early == 0;
  if (is_idle) return;
  const bool nobody_announces = announced == 0 && counts.received > 0;
  const char* balanced = nobody_announces
                             ? "balances: lists were read to their ends; no total was announced"
                             : "balances: everything announced was received";
  lines.Add("ledger", is_green           ? balanced
                      : work.partial > 0 ? "does not balance: see the gaps"
                                         : "not finished");
}

std::string WaitsUntil(const domain::TaskWait& wait) {
  auto text = fmt::format("waits for {} until {}; run the same command then", Short(wait.what, 200),
                          When(wait.until));
  if (const auto hint = EndsCoolDown(wait.what); !hint.empty()) text += "; " + hint;
  return text;
}

void PrintHolds(const std::vector<domain::Hold>& holds, const NamedLines& lines) {
  for (const auto& hold : holds) {
    lines.Add("held", Short(hold.Describe(), 300));
    lines.Add("next", fmt::format("`{}`, once that is put right", hold.Release()));
  }
}

void PrintNext(const app::OperationSummary& summary, domain::Operation operation,
               const std::string& target, const NamedLines& lines) {
  const auto& work = summary.work;
  const auto& given_up = summary.plan.planned.given_up;
  if (work.is_refused && work.holds.empty()) {
    lines.Add("next", fmt::format("put the credential right, then `patra fuse reset {} --reason "
                                  "WHAT-WAS-DONE`",
                                  target));
  } else if (work.is_refused) {
    return;  // the fuse that blew over it has told how it is reset
  } else if (!given_up.empty()) {
    lines.Add("next", fmt::format("`patra task requeue {} --reason WHY`, then the same command",
                                  given_up.front().task));
  } else if (work.failed > 0 && operation == domain::Operation::kUpdate) {
    lines.Add("next",
              fmt::format("`patra task list --source {} --status failed` names them, `patra "
                          "task requeue ID` tries again",
                          summary.plan.source));
  } else if (work.failed > 0 || work.partial > 0) {
    lines.Add("next", fmt::format("`patra verify {}` names the gaps, `patra verify {} --repair` "
                                  "plans them again",
                                  target, target));
  } else if (work.left > 0 && work.waits) {
    lines.Add("next", WaitsUntil(*work.waits));
  } else if (work.left > 0) {
    lines.Add("next", "run the same command again: it goes on where this one stopped");
  } else if (!summary.is_proven() && operation != domain::Operation::kUpdate) {
    lines.Add("next", fmt::format("`patra verify {}` names the gaps", target));
  } else if (summary.quarantine_open > 0) {
    lines.Add("next", fmt::format("`patra quarantine list --source {}`", summary.plan.source));
  }
}

void PrintUnproven(const app::OperationSummary& summary, const NamedLines& lines) {
  const auto& planned = summary.plan.planned;
  if (planned.tried_again > 0)
    lines.Add("tried again",
              fmt::format("{} slices that were not finished", Thousands(planned.tried_again)));
  for (std::size_t i = 0; i < std::min(planned.given_up.size(), kGivenUpShown); ++i) {
    const auto& slice = planned.given_up[i];
    lines.Add("given up", fmt::format("{}, tried {} times: {}", slice.window.Describe(),
                                      Thousands(slice.tries), Short(slice.reason, 200)));
  }
  const auto more = planned.given_up.size() - std::min(planned.given_up.size(), kGivenUpShown);
  if (more > 0) lines.Add("given up", fmt::format("and {} more slices", more));
  const auto& unproven = summary.unproven;
  if (unproven.not_before)
    lines.Add("proven to", fmt::format("{}: the provider's clock says that it is no later; the "
                                       "next harvest goes on there",
                                       When(unproven.not_before)));
  if (!unproven.stretches.empty())
    lines.Add("unproven",
              fmt::format("{} stretches of what was asked for, the first {}{}",
                          Thousands(static_cast<std::int64_t>(unproven.stretches.size())),
                          unproven.stretches.front().Describe(),
                          !unproven.is_under_way     ? ""
                          : summary.work.running > 0 ? "; somebody is at it"
                                                     : "; it is queued"));
  if (unproven.slices > 0)
    lines.Add("unproven",
              fmt::format("{} slices of what was asked for", Thousands(unproven.slices)));
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

void PrintWatermark(const app::OperationSummary& summary, const NamedLines& lines) {
  const auto before = summary.watermark_before ? When(summary.watermark_before) : "none";
  const auto after = summary.watermark ? When(summary.watermark) : "none";
  lines.Add("watermark", before == after ? after : fmt::format("{} (before: {})", after, before));
}

void PrintSummary(const app::OperationSummary& summary, const RunCommand& command,
                  const Console& console) {
  const NamedLines lines(console);
  const auto target = fmt::format("{}/{}", summary.plan.source, summary.plan.endpoint);
  fmt::print(console.out, "{} {}\n", target, domain::Code(command.plan.request.source.operation));
  if (summary.plan.planned.kind == app::Planned::Kind::kHeld) {
    lines.Add("plan", summary.plan.planned.reason);
    return lines.Add("next", summary.plan.planned.hint);
  }
  if (summary.plan.planned.window) lines.Add("window", summary.plan.planned.window->Describe());
  if (!summary.plan.planned.reason.empty()) lines.Add("plan", summary.plan.planned.reason);
  if (const auto& from = summary.plan.planned.not_yet_from)
    lines.Add("not yet", fmt::format("what lies after {}, which is now less the safety lag: a "
                                     "later command brings it",
                                     When(from)));
  PrintWork(summary.work, summary.is_proven(), lines);
  if (command.plan.request.source.operation != domain::Operation::kUpdate)
    PrintWatermark(summary, lines);
  PrintUnproven(summary, lines);
  if (summary.quarantine_open > 0)
    lines.Add("quarantine",
              fmt::format("{} open in what was asked for", Counted(summary.quarantine_open)));
  // Nothing was left to do: who wants it read once more has to say so.
  if (summary.plan.planned.kind == app::Planned::Kind::kAlreadyPlanned && summary.complete() &&
      summary.slices == 0 && summary.work.totals.requests == 0)
    lines.Add("next", "--again makes a new plan");
  PrintHolds(summary.work.holds, lines);
  PrintNext(summary, command.plan.request.source.operation, target, lines);
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
  if (!summary) return PrintError(console, summary.error());
  if (!summary->plan.problems.empty()) return ReportProblems(summary->plan.problems, console);
  for (const auto& warning : summary->plan.warnings)
    fmt::print(console.err, "warning: {}\n", warning);
  if (summary->work.first_error) Report(console, *summary->work.first_error);
  if (as_json) {
    events.Print({{"event", "summary"},
                  {"source", summary->plan.source},
                  {"endpoint", summary->plan.endpoint},
                  {"operation", std::string(domain::Code(plan.source.operation))},
                  {"planned", summary->slices},
                  {"complete", summary->complete()},
                  {"triedAgain", std::int64_t{summary->plan.planned.tried_again}},
                  {"givenUp", GivenUpValue(summary->plan.planned.given_up)},
                  {"unproven", UnprovenValue(summary->unproven)},
                  {"notYetFrom", TimeValue(summary->plan.planned.not_yet_from)},
                  {"quarantineOpen", summary->quarantine_open},
                  {"watermarkBefore", TimeValue(summary->watermark_before)},
                  {"watermark", TimeValue(summary->watermark)},
                  {"work", WorkValue(summary->work)}});
  } else {
    PrintSummary(*summary, command, console);
  }
  if (summary->work.is_stopped) return StopCode(services.StoppedBySignal());
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
  if (!summary) return PrintError(console, summary.error());
  if (summary->first_error) Report(console, *summary->first_error);
  if (command.as_json) {
    events.Print({{"event", "summary"}, {"work", WorkValue(*summary)}});
  } else {
    const NamedLines lines(console);
    PrintWork(*summary, true, lines);
    PrintHolds(summary->holds, lines);
    if (summary->left > 0 && summary->waits) lines.Add("next", WaitsUntil(*summary->waits));
  }
  if (summary->is_stopped) return StopCode(services.StoppedBySignal());
  return ExitCodeOf(*summary);
}

}  // namespace patra::adapter::cli
