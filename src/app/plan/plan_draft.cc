#include "app/plan/plan_draft.h"

#include <fmt/format.h>

#include "app/plan/plan_remarks.h"
#include "base/canonical_json.h"
#include "base/duration.h"
#include "base/hash.h"
#include "domain/cursor/coverage.h"
#include "domain/plan/price.h"
#include "domain/plan/provenance_config.h"
#include "domain/plan/slice_width.h"
#include "domain/spec/enumerator.h"
#include "domain/walk/first_page.h"
#include "domain/walk/page_size.h"

namespace patra::app {
namespace {

// Cutting a long window twice costs less than knowing its number of slices by other means.
Result<std::int64_t> CountSlices(const StoredPlan& plan) {
  const auto source = PATRA_TRY(ListSource(plan));
  std::int64_t slices = 0;
  while (PATRA_TRY(source->Next())) ++slices;
  return slices;
}

// How the plan is cut and why.
struct Cut {
  std::string_view strategy;
  Value params;
  std::string why;
};

// So many pages a slice.
constexpr std::int64_t kPagesPerSlice = 200;

bool IsPageStyle(const domain::PagingSpec& paging) {
  return paging.style == domain::PagingStyle::kPage || paging.style == domain::PagingStyle::kOffset;
}

// A list that knows no time. By place where the provider pages by number and says how much there is; into
// several slices only where records keep their places, or one could slip from a slice into another unseen.
Cut CutList(const domain::SpecSnapshot& spec, std::optional<std::int64_t> size, TimeCut whole) {
  const auto& paging = spec.paging;
  const bool is_counted = domain::EnumerationOf(spec).is_counted;
  if (!IsPageStyle(paging) || !is_counted) return {kSingle, whole.ToValue(), ""};

  const bool by_offset = paging.style == domain::PagingStyle::kOffset;
  domain::PageCut cut{.first = domain::FirstPlace(paging),
                      .per_slice = kPagesPerSlice * (by_offset ? paging.size : 1),
                      .page_size = paging.size,
                      .by_offset = by_offset};
  if (!spec.order.stable)
    return {kByPage, PageCutValue(cut), "one slice: records may move while they are read"};
  if (!size) return {kByPage, PageCutValue(cut), "one slice: the list was never read before"};
  cut.records = *size;
  return {kByPage, PageCutValue(cut),
          fmt::format("{} pages a slice: the list had {} records", kPagesPerSlice, *size)};
}

struct DraftedPlan {
  domain::Plan plan;
  domain::PriceTag price;
};

Result<domain::SliceWidth> WidthOf(const TimePlan& of, Duration covered,
                                   const std::optional<domain::SliceHistory>& history,
                                   const PlanOptions& options, const PlanPorts& ports) {
  const auto whole = domain::WidthToCompare(of.spec);
  const auto query_hash = domain::QueryHash(of.spec.query);
  if (whole && PATRA_TRY(ports.history.AnyFellShort(of.lane, query_hash, of.window))) return *whole;
  return domain::ChooseWidth(of.spec, covered, history, options.requests_max);
}

Result<DraftedPlan> Draft(const TimePlan& of, Id trigger, const PlanOptions& options,
                          const PlanPorts& ports) {
  const auto& spec = of.spec;
  const auto query_hash = domain::QueryHash(spec.query);
  const auto history = PATRA_TRY(ports.history.Of(of.lane, query_hash));
  const auto stretches = Bounded(of.stretches);
  Duration covered{};
  for (const auto& stretch : stretches) covered += stretch.width();
  const auto width = PATRA_TRY(WidthOf(of, covered, history, options, ports));
  const bool knows_time = domain::EnumerationOf(spec).knows_time;
  const TimeCut by_time{.width = width.width,
                        .zone = spec.window.timezone,
                        .newest_first = of.newest_first,
                        .stretches = stretches};
  std::optional<std::int64_t> size;
  if (!knows_time) size = PATRA_TRY(ports.history.ListSize(of.lane, query_hash));
  const auto cut = knows_time
                       ? Cut{width.is_budget ? kByBudget : kByTime, by_time.ToValue(), width.why}
                       : CutList(spec, size, by_time);
  auto snapshot = CanonicalJson(spec.ToValue());
  domain::Plan plan{
      .id = ports.ids.Next(),
      .trigger_id = trigger,
      .key = of.key,
      .lane = of.lane,
      .query_hash = query_hash,
      .cursor = of.cursor,
      .snapshot = snapshot,
      .snapshot_hash = Sha256Hex(snapshot),
      .config = domain::ProvenanceConfig(spec),
      .expr_proto_hash = domain::ExprPrototypeHash(spec),
      .slice_strategy = std::string(cut.strategy),
      .slice_params = cut.params,
      .window = of.window,
      .priority = options.priority.value_or(domain::DefaultPriority(of.lane.operation))};

  const auto slices = PATRA_TRY(CountSlices(Unstored(plan)));
  const auto price = knows_time ? domain::PriceOf(spec, slices, covered, history)
                                : domain::PriceOfList(spec, slices, size, history);
  plan.remarks = PlanRemarks({spec, plan, options, price, cut.why});
  return DraftedPlan{.plan = std::move(plan), .price = price};
}

}  // namespace

domain::Lane LaneOf(const domain::SpecSnapshot& spec, domain::Operation operation) {
  return {.provenance = spec.provenance, .endpoint = spec.endpoint, .operation = operation};
}

domain::CursorNamespace HarvestCursor(const domain::SpecSnapshot& spec) {
  const auto lane = LaneOf(spec, domain::Operation::kHarvest);
  const auto& key = spec.window.watermark_key;
  if (spec.cursor_scope == domain::CursorScope::kExpr)
    return domain::HarvestNamespace(lane, domain::QueryHash(spec.query), key);
  auto shared = domain::HarvestNamespace(lane, "", key);
  shared.scope = "GLOBAL";
  return shared;
}

Result<domain::TimeGrid> AlignedGrid(const domain::SpecSnapshot& spec) {
  const auto zone = PATRA_TRY(TimeZone::Find(spec.window.timezone));
  return domain::TimeGrid(std::max(spec.window.align, LengthOf(spec.window.granularity)), zone);
}

Result<domain::SpecSnapshot> WithAdjustments(domain::SpecSnapshot spec, const PlanPorts& ports) {
  if (ports.adjustments == nullptr) return spec;
  const auto in_force = [&](AdjustmentKind kind) {
    return ports.adjustments->Find(spec.provenance, spec.endpoint, kind);
  };
  auto& window = spec.window;
  if (const auto lag = PATRA_TRY(in_force(AdjustmentKind::kSafetyLag))) {
    const auto raised = std::min(Duration(lag->value), window.safety_lag_max);
    window.safety_lag = std::max(window.safety_lag, raised);
  }
  const auto size = PATRA_TRY(in_force(AdjustmentKind::kPageSize));
  if (size && domain::CanChoosePageSize(spec))
    spec.paging.size = std::clamp<std::int64_t>(size->value, 1, spec.paging.size);
  return spec;
}

std::vector<std::string> NotesOnRounding(const domain::SpecSnapshot& spec,
                                         const domain::Window& window, std::optional<Instant> from,
                                         std::optional<Instant> to) {
  std::vector<std::string> notes;
  const auto step = std::max(spec.window.align, LengthOf(spec.window.granularity));
  const auto note = [&](const char* wish, Instant asked, const char* way, Instant taken) {
    notes.push_back(
        fmt::format("‹wish.{} {}› is rounded {} to {}: windows of this endpoint lie on "
                    "multiples of {}",
                    wish, FormatRfc3339(asked), way, FormatRfc3339(taken), FormatDuration(step)));
  };
  if (from && window.from() < *from) note("from", *from, "down", window.from());
  if (to && window.to() > *to) note("to", *to, "up", window.to());
  return notes;
}

Result<Instant> SafeNow(const domain::SpecSnapshot& spec, Instant now) {
  const auto grid = PATRA_TRY(AlignedGrid(spec));
  return grid.Floor(now - spec.window.safety_lag);
}

Result<std::vector<domain::Window>> WithoutOpen(PlanRepository& plans, const domain::Lane& lane,
                                                const std::string& query_hash,
                                                std::vector<domain::Window> stretches) {
  if (stretches.empty()) return stretches;
  const auto hull =
      PATRA_TRY(domain::Window::Between(stretches.front().from(), stretches.back().to()));
  const domain::Coverage open(PATRA_TRY(plans.OpenStretches(lane, query_hash, hull)));
  std::vector<domain::Window> rest;
  for (const auto& stretch : stretches) {
    const auto gaps = open.GapsIn(stretch);
    rest.insert(rest.end(), gaps.begin(), gaps.end());
  }
  return rest;
}

Result<std::unique_ptr<SliceSource>> OpenTime(const StoredPlan& plan, const domain::SpecSnapshot&) {
  return ListSource(plan);
}

Result<Planned> WriteTimePlan(const TimePlan& of, const PlanOptions& options,
                              const PlanPorts& ports, PlanWriter& writer) {
  if (options.dry_run) {
    auto drafted = PATRA_TRY(Draft(of, 0, options, ports));
    return writer.Preview(Unstored(std::move(drafted.plan)), of.spec, options, OpenTime);
  }
  const auto trigger = PATRA_TRY(writer.RecordTrigger(of.lane, options));
  auto drafted = PATRA_TRY(Draft(of, trigger, options, ports));
  auto planned = PATRA_TRY(writer.Write(std::move(drafted.plan), options, OpenTime));
  planned.price = drafted.price;
  return planned;
}

}  // namespace patra::app
