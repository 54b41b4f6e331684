#include "app/plan/plan_harvest.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/plan/plan_draft.h"

namespace patra::app {
namespace {

using domain::Window;
using Kind = Planned::Kind;

const char* WhyNothing(const HarvestCommand& command) {
  if (!command.from && !command.to) return "the watermark is where it should be";
  return "the window lies before the watermark, or after now less the safety lag";
}

}  // namespace

Result<Planned> PlanHarvest::Run(const HarvestCommand& command) {
  const auto& [spec, from, to, options] = command;
  const auto partition = PartitionOf(spec, domain::Operation::kHarvest);
  const auto cursor = HarvestCursor(spec);
  const auto query_hash = domain::QueryHash(spec.query);
  if (const auto held = PATRA_TRY(writer_.Held(partition, options))) return *held;

  if (!options.dry_run) PATRA_TRY(ports_.cursors.Settle(partition, cursor));
  const auto watermark = PATRA_TRY(ports_.cursors.Watermark(partition, cursor));
  const auto said = [&](Planned planned) {
    planned.watermark = watermark;
    return planned;
  };

  if (const auto ahead = PATRA_TRY(AheadOfTime(command, partition, watermark))) return said(*ahead);

  // What an earlier trigger left is finished first, unless this one names a window of its own.
  const bool is_usual = !options.again && !from && !to;
  if (const auto open = PATRA_TRY(ports_.plans.FindUncut(partition, cursor)); open && is_usual)
    return said(PATRA_TRY(writer_.Continue(*open, spec, options, OpenTime)));

  const auto window = PATRA_TRY(DueWindow(command, watermark));
  if (!window) return said({.reason = WhyNothing(command)});
  auto stretches = PATRA_TRY(DueStretches(command, partition, query_hash, watermark, *window));
  if (stretches.empty())
    return said({.kind = Kind::kAlreadyPlanned,
                 .window = window,
                 .reason = "all of it is proven or under way"});

  return said(PATRA_TRY(WriteTimePlan({.spec = spec,
                                       .partition = partition,
                                       .cursor = cursor,
                                       .key = domain::PlanKey(partition, query_hash, *window),
                                       .window = *window,
                                       .stretches = std::move(stretches)},
                                      options, ports_, writer_)));
}

Result<std::optional<Planned>> PlanHarvest::AheadOfTime(const HarvestCommand& command,
                                                        const domain::Partition& partition,
                                                        std::optional<Instant> watermark) {
  const auto now = ports_.clock.Now();
  const auto name = fmt::format("{}/{}", partition.provenance, partition.endpoint);
  const auto key = "watermark/" + name;
  const bool may_write = ports_.alerts != nullptr && !command.options.dry_run;
  if (!watermark || *watermark <= now) {
    if (may_write) PATRA_TRY(ports_.alerts->Resolve(key));
    return std::nullopt;
  }
  Planned held{
      .kind = Kind::kHeld,
      .reason = fmt::format("the watermark of {} is {}, which lies after now ({}): a clock "
                            "was ahead, and what it took for complete is not",
                            name, FormatRfc3339(*watermark), FormatRfc3339(now)),
      .hint = fmt::format("patra cursor set {} TIME --reason WHY, with the last TIME before "
                          "the clock went wrong: what lies after it is harvested again",
                          name)};
  if (may_write) {
    PATRA_TRY(ports_.alerts->Raise({.key = key,
                                    .severity = domain::Severity::kCritical,
                                    .provenance = partition.provenance,
                                    .endpoint = partition.endpoint,
                                    .message = fmt::format("{}: {}", held.reason, held.hint)}));
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
  if (!command.from && watermark && *watermark >= to) return std::nullopt;
  const auto from = command.from ? grid.Floor(*command.from)
                    : watermark  ? *watermark - policy.lookback
                                 : policy.start;
  const auto window = Window::Between(from, to);
  return window ? std::optional(*window) : std::nullopt;
}

Result<std::vector<Window>> PlanHarvest::DueStretches(const HarvestCommand& command,
                                                      const domain::Partition& partition,
                                                      const std::string& query_hash,
                                                      std::optional<Instant> watermark,
                                                      const Window& window) const {
  const bool whole = command.from || command.options.again ||
                     command.spec.window.filter == domain::WindowFilter::kNone;
  if (whole) return std::vector{window};
  const auto news = PATRA_TRY(Window::Between(watermark.value_or(window.from()), window.to()));
  const auto proven = PATRA_TRY(ports_.cursors.CoverageIn(partition, query_hash, news));
  auto due = PATRA_TRY(WithoutOpen(ports_.plans, partition, query_hash, proven.GapsIn(news)));
  if (due.empty() || window.from() >= news.from()) return due;

  const auto again = PATRA_TRY(Window::Between(window.from(), news.from()));
  auto once_more = PATRA_TRY(WithoutOpen(ports_.plans, partition, query_hash, {again}));
  once_more.insert(once_more.end(), due.begin(), due.end());
  return once_more;
}

}  // namespace patra::app
