#include "adapter/cli/run_summary.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/plan_command.h"
#include "adapter/cli/table.h"
#include "base/duration.h"

namespace patra::adapter::cli {
namespace {

constexpr std::size_t kGivenUpShown = 3;

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
    lines.Add("next",
              fmt::format("the same command tries what was given up again after a day; now: "
                          "`--again`, or `patra task requeue {} --reason WHY` first",
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
              fmt::format("{} that were not finished", Several(planned.tried_again, "slice")));
  for (std::size_t i = 0; i < std::min(planned.given_up.size(), kGivenUpShown); ++i) {
    const auto& slice = planned.given_up[i];
    lines.Add("given up", fmt::format("{}, tried {} times: {}", slice.window.Describe(),
                                      Thousands(slice.tries), Short(slice.reason, 200)));
  }
  const auto more = planned.given_up.size() - std::min(planned.given_up.size(), kGivenUpShown);
  if (more > 0)
    lines.Add("given up",
              fmt::format("and {} more", Several(static_cast<std::int64_t>(more), "slice")));
  const auto& unproven = summary.unproven;
  if (unproven.not_before)
    lines.Add("proven to", fmt::format("{}: the provider's clock says that it is no later; the "
                                       "next harvest goes on there",
                                       When(unproven.not_before)));
  if (!unproven.stretches.empty())
    lines.Add("unproven", fmt::format("{} of what was asked for, the first {}{}",
                                      Several(std::ssize(unproven.stretches), "stretch", "es"),
                                      unproven.stretches.front().Describe(),
                                      !unproven.is_under_way     ? ""
                                      : summary.work.running > 0 ? "; somebody is at it"
                                                                 : "; it is queued"));
  if (unproven.slices > 0)
    lines.Add("unproven",
              fmt::format("{} of what was asked for", Several(unproven.slices, "slice")));
}

void PrintWatermark(const app::OperationSummary& summary, const NamedLines& lines) {
  const auto before = summary.watermark_before ? When(summary.watermark_before) : "none";
  const auto after = summary.watermark ? When(summary.watermark) : "none";
  if (before != after) return lines.Add("watermark", fmt::format("{} (before: {})", after, before));
  const auto why = app::WhyWatermarkStands(summary);
  lines.Add("watermark", why.empty() ? after : fmt::format("{}, as before: {}", after, why));
}

}  // namespace

void PrintWork(const app::WorkSummary& work, bool is_proven, const NamedLines& lines) {
  const auto& totals = work.totals;
  const auto& counts = totals.counts;
  auto slices = fmt::format("{} done", Thousands(work.succeeded));
  if (work.recut > 0) slices += fmt::format(", {} cut into smaller ones", Thousands(work.recut));
  if (work.early > 0) slices += fmt::format(", {} up to the provider's now", Thousands(work.early));
  if (work.partial > 0) slices += fmt::format(", {} with gaps", Thousands(work.partial));
  if (work.failed > 0) slices += fmt::format(", {} failed", Thousands(work.failed));
  if (work.left > 0) slices += fmt::format(", {} left", Thousands(work.left));
  lines.Add("slices", slices);
  const auto gone = counts.inserted_gone + counts.updated_gone;
  lines.Add("records", fmt::format("{} new, {} updated, {} unchanged, {} older than what is here, "
                                   "{} quarantined{}",
                                   Thousands(counts.inserted - counts.inserted_gone),
                                   Thousands(counts.updated - counts.updated_gone),
                                   Thousands(counts.unchanged), Thousands(counts.stale),
                                   Thousands(counts.quarantined),
                                   gone > 0 ? fmt::format(", {} deleted", Thousands(gone)) : ""));
  if (totals.gone > 0)
    lines.Add("gone", fmt::format("{} not on the list any more: marked as deleted",
                                  Several(totals.gone, "record")));
  if (!work.unmet_fields.empty()) lines.Add("fields", work.unmet_fields);
  if (!work.gone_doubt.empty()) lines.Add("missing", work.gone_doubt);
  if (counts.filtered > counts.outside)
    lines.Add("filtered", fmt::format("{} left out: in other windows, or rejected by somebody",
                                      Several(counts.filtered - counts.outside, "record")));
  if (counts.outside > 0) {
    lines.Add("outside", fmt::format("{} outside what was asked for, left out",
                                     Several(counts.outside, "record")));
  }
  if (counts.passed_over > 0)
    lines.Add("passed over", fmt::format("{} that the filter of `items` does not mean",
                                         Several(counts.passed_over, "record")));
  if (counts.isolated_pages > 0)
    lines.Add("pages", fmt::format("{} in quarantine by a rule", Thousands(counts.isolated_pages)));
  lines.Add("requests",
            fmt::format(
                "{}, {} retries, {} times told to slow down, {} waited", Thousands(totals.requests),
                Thousands(totals.retries), Thousands(totals.throttled),
                FormatDuration(std::chrono::floor<std::chrono::milliseconds>(totals.waited))));
  if (work.tired)
    lines.Add("waited", fmt::format("{} in all for a provider that brings nothing: {}",
                                    Roughly(work.tired->waited), Short(work.tired->what, 200)));
  const bool is_green = work.failed == 0 && work.partial == 0 && work.left == 0 && is_proven;
  const bool is_idle = is_green && work.succeeded == 0 && work.recut == 0 && work.early == 0;
  if (is_idle) return;
  const char* balanced =
      totals.is_announced ? "balances: everything announced was received"
                          : "balances: lists were read to their ends; no total was announced, so "
                            "that only the provider's own word says that nothing follows";
  lines.Add("ledger", is_green           ? balanced
                      : work.partial > 0 ? "does not balance: see the gaps"
                                         : "not finished");
}

void PrintRest(const app::WorkSummary& work, const NamedLines& lines) {
  PrintHolds(work.holds, lines);
  if (work.left > 0 && work.waits) lines.Add("next", WaitsUntil(*work.waits));
}

void PrintSummary(const app::OperationSummary& summary, domain::Operation operation,
                  const Console& console) {
  const NamedLines lines(console);
  const auto target = fmt::format("{}/{}", summary.plan.source, summary.plan.endpoint);
  fmt::print(console.out, "{} {}\n", target, domain::Code(operation));
  if (summary.plan.planned.kind == app::Planned::Kind::kHeld) {
    lines.Add("plan", summary.plan.planned.reason);
    return lines.Add("next", summary.plan.planned.hint);
  }
  if (summary.plan.planned.window) lines.Add("window", summary.plan.planned.window->Describe());
  if (!summary.plan.planned.reason.empty()) lines.Add("plan", summary.plan.planned.reason);
  for (const auto& note : summary.plan.planned.notes) lines.Add("note", note);
  if (const auto& from = summary.plan.planned.not_yet_from)
    lines.Add("not yet", fmt::format("what lies after {}, which is now less the safety lag: a "
                                     "later command brings it",
                                     When(from)));
  PrintOlder(summary.plan.planned, lines);
  PrintWork(summary.work, summary.is_proven(), lines);
  const bool is_first = !summary.watermark_before && summary.work.succeeded > 0;
  if (operation == domain::Operation::kHarvest && is_first &&
      summary.work.totals.counts.received == 0) {
    lines.Add("nothing", fmt::format("no record came at all: if there are some, `patra source "
                                     "preview {}` shows what is asked for and what comes",
                                     target));
  }
  if (operation != domain::Operation::kUpdate) PrintWatermark(summary, lines);
  PrintUnproven(summary, lines);
  if (summary.quarantine_open > 0)
    lines.Add("quarantine",
              fmt::format("{} open in what was asked for", Counted(summary.quarantine_open)));
  // Nothing was left to do: who wants it read once more has to say so.
  if (summary.plan.planned.kind == app::Planned::Kind::kAlreadyPlanned && summary.complete() &&
      summary.slices == 0 && summary.work.totals.requests == 0)
    lines.Add("next", "--again makes a new plan");
  PrintHolds(summary.work.holds, lines);
  PrintNext(summary, operation, target, lines);
}

}  // namespace patra::adapter::cli
