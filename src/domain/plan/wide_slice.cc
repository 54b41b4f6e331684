#include "domain/plan/wide_slice.h"

#include <algorithm>

#include <fmt/format.h>

#include "domain/plan/cut_rest.h"
#include "domain/plan/slice_width.h"

namespace patra::domain {
namespace {

// Everything that anybody has ever changed.
constexpr Duration kEverything = std::chrono::days(36'500);
// So many requests one worker makes sooner than several share them.
constexpr std::int64_t kRequestsOfOne = 20;
// For how many workers there should be something to do, each with so many requests.
constexpr std::int64_t kWorkers = 16;
constexpr std::int64_t kRequestsLeast = 10;
constexpr std::int64_t kRequestsMost = 100;

int PiecesForWorkers(std::int64_t requests) {
  if (requests <= kRequestsOfOne) return 1;
  const auto each = std::clamp(requests / kWorkers, kRequestsLeast, kRequestsMost);
  return static_cast<int>(std::min<std::int64_t>(requests / each, kPiecesMax));
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
  const auto most = RecordsPerSlice(spec.paging);
  int pieces = records > most ? PiecesFor(records, most) : 1;
  const bool is_planned = !slice.total_of_whole;
  if (is_planned) pieces = std::max(pieces, PiecesForWorkers(RequestsFor(spec, records)));
  if (pieces < 2) return std::nullopt;
  return WideCut{pieces, fmt::format("{} records are announced", records)};
}

}  // namespace patra::domain
