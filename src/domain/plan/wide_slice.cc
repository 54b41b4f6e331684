#include "domain/plan/wide_slice.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "domain/plan/cut_rest.h"
#include "domain/plan/slice_width.h"
#include "domain/spec/enumerator.h"
#include "domain/walk/same_totals.h"

namespace patra::domain {
namespace {

// For how many workers there should be something to do, each with so many requests.
constexpr std::int64_t kWorkers = 16;
constexpr std::int64_t kRequestsLeast = 10;
constexpr std::int64_t kRequestsMost = 100;

// Records that come evenly leave half of a slice or more empty so rarely; of fewer, nobody can tell how they come.
constexpr std::int64_t kRecordsTell = 5;
constexpr double kGapShareLeast = 0.5;
constexpr double kChanceMost = 0.001;

bool IsHardlyChance(Duration gap, Duration width, std::int64_t records) {
  const auto share = static_cast<double>(gap.count()) / static_cast<double>(width.count());
  return records >= kRecordsTell && share >= kGapShareLeast &&
         std::pow(1 - share, static_cast<double>(records)) < kChanceMost;
}

// A date without a time of day stands for all of its day.
Instant LastMomentOf(const DatesSeen& dates) {
  const auto is_day = [](Instant at) { return std::chrono::floor<std::chrono::days>(at) == at; };
  const bool are_days = is_day(dates.oldest) && is_day(dates.newest);
  return are_days ? dates.newest + std::chrono::days(1) - Duration(1) : dates.newest;
}

// Of a part that shows as many as its whole did: few of them may have any.
constexpr int kPiecesOfAlike = 8;

// Windows that are asked for where a slice shows nothing. Of one that was cut from others the whole told how much there is.
constexpr std::int64_t kWindowsTried = 8;
constexpr std::int64_t kWindowsTriedOfPart = 3;

std::int64_t PiecesForWorkers(std::int64_t requests) {
  return requests / std::clamp(requests / kWorkers, kRequestsLeast, kRequestsMost);
}

}  // namespace

bool CanBeginWide(const SpecSnapshot& spec) {
  return spec.response.total_kind != TotalKind::kNone && IsCutByTime(spec);
}

Duration WideWidth(const SpecSnapshot& spec) { return spec.window.longest.value_or(kEverything); }

Duration VouchedFor(const SpecSnapshot& spec) {
  return std::max(spec.window.width, spec.window.width_max);
}

bool IsWide(const SpecSnapshot& spec, Duration width) {
  return CanBeginWide(spec) && width > VouchedFor(spec);
}

std::optional<WideCut> CutOfWide(const SpecSnapshot& spec, const SliceSpec& slice,
                                 const FirstPageSays& first) {
  const auto width = slice.window.width();
  if (slice.dimension != SliceDimension::kTime || !slice.split.empty()) return std::nullopt;
  if (slice.answered_for && width > *slice.answered_for && first.records > 0) {
    const auto pieces = std::min<std::int64_t>(width / *slice.answered_for + 1, kPiecesMax);
    return WideCut{static_cast<int>(pieces),
                   "it has records that a longer window did not show, so that those are answered "
                   "for in part only"};
  }
  if (!IsWide(spec, width)) return std::nullopt;
  if (!first.announced) {
    if (!first.leads_on) return std::nullopt;
    const auto pieces = std::min<std::int64_t>(width / spec.window.width + 1, kPiecesMax);
    return WideCut{static_cast<int>(pieces), "nobody announces how many records it has"};
  }
  const auto records = *first.announced;
  const auto pages = (records + spec.paging.size - 1) / spec.paging.size;
  if (pages < 2) {
    // A page that holds less than it might, and is all that is announced: some call that a total which is what stands on the page.
    const bool may_be_of_page = records >= kCapLeast && records == first.records &&
                                records < spec.paging.size &&
                                slice.total_of_whole.value_or(records) == records;
    if (!may_be_of_page) return std::nullopt;
    // All of them may lie in this part by chance, or it shows as many as any would.
    return WideCut{slice.total_of_whole ? kPiecesOfAlike : 2,
                   fmt::format("{} records are announced, as many as stand on a page that has "
                               "room for more",
                               records)};
  }
  const auto most = RecordsPerSlice(spec.paging);
  std::int64_t pieces = records > most ? PiecesFor(records, most) : 2;
  pieces = std::max({pieces, pages, PiecesForWorkers(RequestsFor(spec, records))});
  return WideCut{static_cast<int>(std::min<std::int64_t>(pieces, kPiecesMax)),
                 fmt::format("{} records are announced", records)};
}

std::optional<UnseenEnds> EndsToSee(const SpecSnapshot& spec, const SliceSpec& slice,
                                    const TimeGrid& grid, const DatesSeen& dates) {
  const auto& whole = slice.window;
  if (slice.dimension != SliceDimension::kTime || !slice.split.empty() ||
      spec.window.filter != WindowFilter::kServer)
    return std::nullopt;
  auto from = std::clamp(grid.Floor(dates.oldest), whole.from(), whole.to());
  const bool is_wide = IsWide(spec, whole.width());
  const auto newest = is_wide ? dates.newest : LastMomentOf(dates);
  auto to = std::clamp(grid.After(newest), whole.from(), whole.to());
  // What was all changed in one moment did not come evenly.
  const auto records = dates.oldest == dates.newest ? 0 : dates.records;
  const auto is_seen = [&](Duration gap) {
    return is_wide ? !IsWide(spec, gap) : !IsHardlyChance(gap, whole.width(), records);
  };
  if (is_seen(from - whole.from())) from = whole.from();
  if (is_seen(whole.to() - to)) to = whole.to();
  // Dates that lie outside of the window say nothing about it.
  const auto seen = Window::Between(from, to);
  if (!seen || *seen == whole) return std::nullopt;
  UnseenEnds found{.seen = *seen, .ends = {}};
  if (!is_wide) found.answered_for = seen->width();
  for (const auto& end : {Window::Between(whole.from(), from), Window::Between(to, whole.to())}) {
    if (end) found.ends.push_back(*end);
  }
  return found;
}

std::vector<Window> WindowsToTry(const SpecSnapshot& spec, const SliceSpec& slice,
                                 const TimeGrid& grid) {
  const auto& whole = slice.window;
  if (slice.dimension != SliceDimension::kTime || !slice.split.empty() ||
      !IsWide(spec, whole.width()))
    return {};
  const auto width = VouchedFor(spec);
  const auto most = slice.total_of_whole.value_or(0) > 0 ? kWindowsTriedOfPart : kWindowsTried;
  const auto fit = (whole.width() + width - Duration(1)) / width;
  const auto count = std::min<std::int64_t>(fit, most);
  std::vector<Window> windows;
  for (std::int64_t i = count - 1; i >= 0; --i) {
    // From the newest, which ends with the slice, to the oldest, which begins with it.
    const auto aim = whole.from() + (whole.width() - width) * i / (count - 1);
    const auto from = i == 0 ? whole.from() : std::max(grid.Floor(aim), whole.from());
    const auto to = i == count - 1 ? whole.to() : std::min(grid.Ceil(from + width), whole.to());
    if (const auto window = Window::Between(from, to)) windows.push_back(*window);
  }
  return windows;
}

WideCut CutOfDenied(const SpecSnapshot& spec, const SliceSpec& slice, const Window& shown) {
  const auto pieces = slice.window.width() / VouchedFor(spec) + 1;
  return {static_cast<int>(std::min<std::int64_t>(pieces, kPiecesMax)),
          fmt::format("it shows nothing, and a part of it does, {}, so that windows as long as it "
                      "are not answered for",
                      shown.Describe())};
}

}  // namespace patra::domain
