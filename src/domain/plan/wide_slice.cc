#include "domain/plan/wide_slice.h"

#include <algorithm>

#include <fmt/format.h>

#include "domain/plan/cut_rest.h"
#include "domain/plan/slice_width.h"

namespace patra::domain {
namespace {

// Everything that anybody has ever changed.
constexpr Duration kEverything = std::chrono::days(36'500);
// For how many workers there should be something to do, each with so many requests.
constexpr std::int64_t kWorkers = 16;
constexpr std::int64_t kRequestsLeast = 10;
constexpr std::int64_t kRequestsMost = 100;

std::int64_t PiecesForWorkers(std::int64_t requests) {
  return requests / std::clamp(requests / kWorkers, kRequestsLeast, kRequestsMost);
}

}  // namespace

bool CanBeginWide(const SpecSnapshot& spec) {
  return spec.window.filter == WindowFilter::kServer &&
         spec.response.total_kind != TotalKind::kNone;
}

Duration WideWidth(const SpecSnapshot& spec) { return spec.window.longest.value_or(kEverything); }

bool IsWide(const SpecSnapshot& spec, Duration width) {
  return CanBeginWide(spec) && width > std::max(spec.window.width, spec.window.width_max);
}

std::optional<WideCut> CutOfWide(const SpecSnapshot& spec, const SliceSpec& slice,
                                 const FirstPageSays& first) {
  const auto width = slice.window.width();
  if (slice.dimension != SliceDimension::kTime || !slice.split.empty() || !IsWide(spec, width))
    return std::nullopt;
  if (!first.announced) {
    if (!first.leads_on) return std::nullopt;
    const auto pieces = std::min<std::int64_t>(width / spec.window.width + 1, kPiecesMax);
    return WideCut{static_cast<int>(pieces), "nobody announces how many records it has"};
  }
  const auto records = *first.announced;
  const auto pages = (records + spec.paging.size - 1) / spec.paging.size;
  if (pages < 2) return std::nullopt;
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
      !IsWide(spec, whole.width()))
    return std::nullopt;
  auto from = std::clamp(grid.Floor(dates.oldest), whole.from(), whole.to());
  auto to = std::clamp(grid.After(dates.newest), whole.from(), whole.to());
  if (!IsWide(spec, from - whole.from())) from = whole.from();
  if (!IsWide(spec, whole.to() - to)) to = whole.to();
  // Dates that lie outside of the window say nothing about it.
  const auto seen = Window::Between(from, to);
  if (!seen || *seen == whole) return std::nullopt;
  UnseenEnds found{.seen = *seen, .ends = {}};
  for (const auto& end : {Window::Between(whole.from(), from), Window::Between(to, whole.to())}) {
    if (end) found.ends.push_back(*end);
  }
  return found;
}

}  // namespace patra::domain
