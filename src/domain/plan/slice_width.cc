#include "domain/plan/slice_width.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/duration.h"
#include "domain/plan/id_batches.h"
#include "domain/plan/wide_slice.h"
#include "domain/spec/enumerator.h"

namespace patra::domain {
namespace {

using namespace std::chrono_literals;

// A walk whose token cannot be sent twice starts over after every doubt, so it has to be short.
constexpr std::int64_t kPagesIfNotReplayable = 10;
constexpr std::int64_t kPagesIfReplayable = 100;
// Of what paging can reach: tomorrow may bring more than yesterday.
constexpr double kPartOfReach = 0.5;
// From fewer slices nothing is concluded.
constexpr std::int64_t kSlicesMin = 3;
// What the definition's width cuts into no more than these is cut so: they cost little, and several workers share them.
constexpr std::int64_t kSlicesFew = 24;
// Where a quota allows fewer requests, a slice that turns out to be large would keep all others from being planned.
constexpr std::int64_t kQuotaAmple = 1'000;

// Only these widths occur, so that plans made on different days cut time at the same points.
constexpr auto kWidths =
    std::to_array<Duration>({1s, 5s, 15s, 1min, 5min, 15min, 30min, 1h, 2h, 6h, 12h, 24h, 48h,
                             24h * 7, 24h * 14, 24h * 30, 24h * 90, 24h * 180, 24h * 365});

// How many come with so many requests: pages and details share them.
double RecordsWithin(const SpecSnapshot& spec, std::int64_t requests) {
  auto requests_per_record = 1.0 / static_cast<double>(spec.paging.size);
  if (EnumerationOf(spec).kind == Enumerator::kTwoPhase)
    requests_per_record += 1.0 / static_cast<double>(spec.details->id_batch_size);
  return static_cast<double>(std::max<std::int64_t>(requests, 1)) / requests_per_record;
}

// What one slice may cost: as a command says, and never more than a quota gives in its time, or the slice
// could not end before the quota does.
std::optional<std::int64_t> BudgetOf(const SpecSnapshot& spec,
                                     std::optional<std::int64_t> requests_max) {
  auto budget = requests_max;
  for (const auto& limit : spec.limits) {
    for (const auto& quota : limit.quotas) {
      const auto permits = quota.requests * (1 - limit.quota_reserve);
      const auto requests =
          static_cast<std::int64_t>(permits) / std::max<std::int64_t>(spec.cost, 1);
      budget = std::min(budget.value_or(requests), requests);
    }
  }
  return budget;
}

Duration WidthFor(double hours, const WindowSpec& window) {
  const auto least = std::max(window.width_min, LengthOf(window.granularity));
  auto width = kWidths.front();
  for (const auto candidate : kWidths) {
    const std::chrono::duration<double, std::ratio<3600>> in_hours = candidate;
    if (in_hours.count() <= hours) width = candidate;
  }
  return std::clamp(width, least, std::max(least, window.width_max));
}

}  // namespace

std::int64_t RecordsPerSlice(const PagingSpec& paging) {
  auto pages = paging.replayable ? kPagesIfReplayable : kPagesIfNotReplayable;
  if (paging.pages_max) pages = std::min(pages, *paging.pages_max);
  auto records = static_cast<double>(pages * paging.size);
  if (paging.reach) records = std::min(records, static_cast<double>(*paging.reach) * kPartOfReach);
  return std::max<std::int64_t>(static_cast<std::int64_t>(records), 1);
}

std::int64_t RequestsFor(const SpecSnapshot& spec, std::int64_t records) {
  const auto whole = [&](std::int64_t size) {
    return (records + size - 1) / std::max<std::int64_t>(size, 1);
  };
  auto requests = std::max<std::int64_t>(whole(spec.paging.size), 1);
  if (EnumerationOf(spec).kind == Enumerator::kTwoPhase)
    requests += RequestsForIds(*spec.details, records);
  return requests;
}

std::optional<std::int64_t> RequestsLeft(const SpecSnapshot& spec,
                                         std::optional<std::int64_t> announced,
                                         std::int64_t received, bool goes_on) {
  if (!announced || EnumerationOf(spec).gives_ids) return std::nullopt;
  const auto records = std::max<std::int64_t>(*announced - received, 0);
  return goes_on && records > 0 ? RequestsFor(spec, records) : 0;
}

SliceWidth ChooseWidth(const SpecSnapshot& spec, Duration covered,
                       const std::optional<SliceHistory>& history,
                       std::optional<std::int64_t> requests_max) {
  if (!IsCutByTime(spec))
    return {kEverything,
            "one slice: the provider does not hear where it ends, and narrower ones "
            "would read as much"};
  const bool is_unknown = !history || history->slices < kSlicesMin;
  const bool are_many = covered / spec.window.width >= kSlicesFew;
  const bool has_ample = BudgetOf(spec, std::nullopt).value_or(kQuotaAmple) >= kQuotaAmple;
  if (is_unknown && are_many && has_ample && IsWide(spec, WideWidth(spec)))
    return {WideWidth(spec),
            "as wide as can be: nothing is known of earlier slices, and first pages announce how "
            "many records there are"};
  if (is_unknown)
    return {spec.window.width, "the definition's width: nothing is known of earlier slices"};
  if (history->records_per_hour <= 0)
    return {std::max(spec.window.width, spec.window.width_max),
            fmt::format("the largest width: {} earlier slices brought nothing", history->slices)};
  auto records = static_cast<double>(RecordsPerSlice(spec.paging));
  std::string bound;
  const auto budget = BudgetOf(spec, requests_max);
  if (budget && RecordsWithin(spec, *budget) < records) {
    records = RecordsWithin(spec, *budget);
    bound = fmt::format(" with {} requests", *budget);
  }
  const auto width = WidthFor(records / history->records_per_hour, spec.window);
  return {width,
          fmt::format("{} for at most {:.0f} records{}: {} earlier slices had {:.1f} an hour",
                      FormatDuration(width), records, bound, history->slices,
                      history->records_per_hour),
          !bound.empty()};
}

std::optional<SliceWidth> WidthToCompare(const SpecSnapshot& spec) {
  if (!EnumerationOf(spec).is_counted || !IsWide(spec, WideWidth(spec))) return std::nullopt;
  return SliceWidth{WideWidth(spec),
                    "as wide as can be: what was read in parts announced less than all of it"};
}

}  // namespace patra::domain
