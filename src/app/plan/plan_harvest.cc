#include "app/plan/plan_harvest.h"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "app/plan/asked_otherwise.h"
#include "app/plan/plan_draft.h"
#include "domain/alert/alert_kind.h"
#include "domain/spec/enumerator.h"
#include "domain/word/step.h"

namespace patra::app {
namespace {

using domain::Window;
using PlannedKind = Planned::Kind;

std::string WhyNothing(const HarvestCommand& command, std::optional<Instant> watermark) {
  if (!command.from && !command.to) return "the watermark is where it should be";
  const auto start = command.spec.window.start;
  if (!watermark && !command.from && *command.to <= start)
    return fmt::format("the window ends before {}, where the definition begins (`window.start`)",
                       FormatRfc3339(start));
  return "the window lies before the watermark, or after now less the safety lag";
}

// Who names no beginning asks for everything.
std::optional<AskedFor> AnswersFor(const HarvestCommand& command, const domain::Lane& lane,
                                   const std::string& query_hash,
                                   const std::optional<Window>& window,
                                   std::optional<Instant> watermark) {
  const auto to = window ? window->to() : watermark;
  if (!to) return std::nullopt;
  const auto asks = Window::Between(command.from && window ? window->from() : kInstantMin, *to);
  return asks ? std::optional(AskedFor{lane, query_hash, *asks}) : std::nullopt;
}

// A harvest that began later than the definition does has set a watermark past what nobody asked for. That is for those who
// fetch the past later, and said as long as they have not: nothing else in a harvest would.
std::string NoteOnSkipped(const std::vector<Window>& skipped, const domain::Lane& lane) {
  const auto more = skipped.size() > 1 ? fmt::format(" and {} more", skipped.size() - 1) : "";
  return fmt::format(
      "harvests go on after {}{}, which is not proven: the definition begins earlier than they "
      "did, a cursor was set beyond it, or parts of it announced less than all of it; `{}` fetches "
      "it",
      skipped.front().Describe(), more,
      domain::NextStep("backfill.gaps", {fmt::format("{}/{}", lane.provenance, lane.endpoint)}));
}

// What slices have proven, whatever became of it since.
Result<domain::Coverage> ProvenOnce(const PlanPorts& ports, const domain::Lane& lane,
                                    const std::string& query_hash, const Window& window) {
  std::set<std::string> fingerprints;
  for (const auto& planned : PATRA_TRY(ports.queries.Snapshots(lane, query_hash)))
    fingerprints.insert(planned.fingerprint);
  return ports.queries.ProvenUnder(lane, query_hash, fingerprints, window);
}

std::string WhyNotDue(const TriedAgain& tried, const Window& window) {
  if (tried.stretches.empty()) return "all of it is proven or under way";
  if (!tried.Without({window}).empty()) return "the rest of it is proven or under way";
  return tried.queued > 0 ? "nothing of it is proven: what failed is tried again"
                          : "nothing of it is proven: what failed was tried often enough";
}

}  // namespace

Result<Planned> PlanHarvest::Run(const HarvestCommand& command) {
  const auto& spec = command.spec;
  const auto& options = command.options;
  const auto lane = LaneOf(spec, domain::Operation::kHarvest);
  const auto cursor = HarvestCursor(spec);
  const auto query_hash = domain::QueryHash(spec.query);
  if (const auto held = PATRA_TRY(writer_.Held(lane, domain::SpecFingerprint(spec), options)))
    return *held;

  if (!options.dry_run) PATRA_TRY(ports_.cursors.Settle(lane, cursor));
  const auto watermark = PATRA_TRY(ports_.cursors.Watermark(lane, cursor));
  const auto window = PATRA_TRY(DueWindow(command, watermark));
  const auto skipped = PATRA_TRY(FindSkipped(command, lane, query_hash, watermark, window));
  std::vector<std::string> notes;
  if (!skipped.stretches.empty()) notes.push_back(NoteOnSkipped(skipped.stretches, lane));
  const auto otherwise = PATRA_TRY(FindAskedOtherwise(ports_, spec, lane, query_hash, watermark));
  if (otherwise && !options.again) notes.push_back(Describe(*otherwise, lane));
  if (!options.dry_run) PATRA_TRY(NoteAsked(ports_, spec, lane, query_hash, otherwise));
  const auto said = [&](Planned planned) {
    planned.watermark = watermark;
    planned.notes = notes;
    planned.answers_for = AnswersFor(command, lane, query_hash, window, watermark);
    planned.doubted = skipped.doubted;
    // The days before the watermark are looked at once more, and are proven all the same.
    const auto begin = command.from || !watermark ? std::optional<Instant>() : watermark;
    const auto& asks = planned.window ? planned.window : window;
    if (!asks) return planned;
    const auto news =
        Window::Between(std::max(begin.value_or(asks->from()), asks->from()), asks->to());
    if (news) planned.asked = AskedFor{lane, query_hash, *news};
    if (command.to && *command.to > asks->to()) planned.not_yet_from = asks->to();
    std::ranges::move(NotesOnRounding(spec, *asks, command.from, command.to),
                      std::back_inserter(planned.notes));
    return planned;
  };

  if (const auto ahead = PATRA_TRY(AheadOfTime(command, lane, watermark))) return said(*ahead);

  ReplacedPlans older;
  if (window)
    older = PATRA_TRY(older_.In(lane, query_hash, domain::SpecFingerprint(spec), *window, options));

  // What an earlier trigger left is finished first, unless this one names a window of its own.
  const bool is_usual = !options.again && !command.from && !command.to;
  const auto open = PATRA_TRY(ports_.plans.FindUncut(lane, cursor));
  if (open && is_usual && !older.IsWithdrawn(*open))
    return said(With(PATRA_TRY(writer_.Continue(*open, spec, options, OpenTime)), older));

  if (!window) return said({.reason = WhyNothing(command, watermark)});
  auto due = PATRA_TRY(DueIn(command, lane, query_hash, watermark, *window));
  if (due.stretches.empty())
    return said(With(With({.kind = PlannedKind::kAlreadyPlanned,
                           .window = window,
                           .reason = WhyNotDue(due.tried, *window)},
                          due.tried),
                     older));

  return said(With(With(PATRA_TRY(WriteTimePlan({.spec = spec,
                                                 .lane = lane,
                                                 .cursor = cursor,
                                                 .key = domain::PlanKey(lane, query_hash, *window),
                                                 .window = *window,
                                                 .stretches = std::move(due.stretches)},
                                                options, ports_, writer_)),
                        due.tried),
                   older));
}

Result<std::optional<Planned>> PlanHarvest::AheadOfTime(const HarvestCommand& command,
                                                        const domain::Lane& lane,
                                                        std::optional<Instant> watermark) {
  const auto now = ports_.clock.Now();
  const auto name = fmt::format("{}/{}", lane.provenance, lane.endpoint);
  const domain::AlertAbout about{.source = lane.provenance, .endpoint = lane.endpoint};
  const bool may_write = ports_.alerts != nullptr && !command.options.dry_run;
  if (!watermark || *watermark <= now) {
    if (may_write)
      PATRA_TRY(
          ports_.alerts->Resolve(domain::AlertKey(domain::AlertKind::kWatermarkAhead, about)));
    return std::nullopt;
  }
  Planned held{
      .kind = PlannedKind::kHeld,
      .reason = fmt::format("the watermark of {} is {}, which lies after now ({}): a clock "
                            "was ahead, and what it took for complete is not",
                            name, FormatRfc3339(*watermark), FormatRfc3339(now)),
      .hint =
          fmt::format("{}, with the last TIME before the clock went wrong: what lies after it is "
                      "harvested again",
                      domain::NextStep("cursor.set", {name}))};
  if (may_write) {
    PATRA_TRY(ports_.alerts->Raise(domain::AlertOf(domain::AlertKind::kWatermarkAhead, about,
                                                   fmt::format("{}: {}", held.reason, held.hint))));
  }
  // Who names a window knows what to read, whatever the watermark says.
  if (command.from) return std::nullopt;
  return held;
}

Result<std::optional<Window>> PlanHarvest::DueWindow(const HarvestCommand& command,
                                                     std::optional<Instant> watermark) const {
  const auto& policy = command.spec.window;
  const auto grid = PATRA_TRY(AlignedGrid(command.spec));
  const auto safe_now =
      PATRA_TRY(SafeNow(PATRA_TRY(WithAdjustments(command.spec, ports_)), ports_.clock.Now()));
  const auto to = command.to ? std::min(grid.Ceil(*command.to), safe_now) : safe_now;
  const bool again = command.options.again;
  if (!command.from && watermark && *watermark >= to && !again) return std::nullopt;
  // A list that knows no time is read whole, however soon it is read again.
  const bool is_whole = again && !domain::EnumerationOf(command.spec).knows_time;
  // Who asks once more for what lies before a moment, and names no beginning, means all of it.
  const bool is_past = again && command.to;
  const auto from = command.from             ? grid.Floor(*command.from)
                    : is_past                ? policy.start
                    : watermark && !is_whole ? *watermark - policy.lookback
                                             : policy.start;
  const auto window = Window::Between(from, to);
  return window ? std::optional(*window) : std::nullopt;
}

Result<PlanHarvest::Skipped> PlanHarvest::FindSkipped(const HarvestCommand& command,
                                                      const domain::Lane& lane,
                                                      const std::string& query_hash,
                                                      std::optional<Instant> watermark,
                                                      const std::optional<Window>& window) const {
  const auto& spec = command.spec;
  const auto begin = command.from && window ? std::optional(window->from()) : watermark;
  if (!begin || !domain::EnumerationOf(spec).knows_time) return Skipped();
  const auto before = Window::Between(spec.window.start, *begin);
  if (!before) return Skipped();
  const auto proven = PATRA_TRY(ports_.cursors.CoverageIn(lane, query_hash, *before));
  Skipped skipped{.stretches = proven.GapsIn(*before)};
  for (const auto operation : {domain::Operation::kHarvest, domain::Operation::kBackfill})
    skipped.stretches = PATRA_TRY(WithoutOpen(ports_.plans, LaneOf(spec, operation), query_hash,
                                              std::move(skipped.stretches)));
  if (skipped.stretches.empty() || command.from) return skipped;
  const auto once = PATRA_TRY(ProvenOnce(ports_, lane, query_hash, *before));
  for (const auto& stretch : skipped.stretches) {
    const domain::Coverage never(once.GapsIn(stretch));
    std::ranges::move(never.GapsIn(stretch), std::back_inserter(skipped.doubted));
  }
  return skipped;
}

Result<PlanHarvest::Due> PlanHarvest::DueIn(const HarvestCommand& command, const domain::Lane& lane,
                                            const std::string& query_hash,
                                            std::optional<Instant> watermark,
                                            const Window& window) {
  const bool whole =
      command.from || command.options.again || !domain::EnumerationOf(command.spec).knows_time;
  if (whole) return Due{.stretches = {window}};
  const auto news = PATRA_TRY(Window::Between(watermark.value_or(window.from()), window.to()));
  const auto proven = PATRA_TRY(ports_.cursors.CoverageIn(lane, query_hash, news));
  auto tried = PATRA_TRY(try_again_.In(lane, query_hash, domain::SpecFingerprint(command.spec),
                                       proven.GapsIn(news), command.options));
  auto due =
      PATRA_TRY(WithoutOpen(ports_.plans, lane, query_hash, tried.Without(proven.GapsIn(news))));
  if (due.empty() || window.from() >= news.from())
    return Due{.stretches = std::move(due), .tried = std::move(tried)};

  const auto again = PATRA_TRY(Window::Between(window.from(), news.from()));
  auto once_more = PATRA_TRY(WithoutOpen(ports_.plans, lane, query_hash, {again}));
  once_more.insert(once_more.end(), due.begin(), due.end());
  return Due{.stretches = std::move(once_more), .tried = std::move(tried)};
}

}  // namespace patra::app
