// A dimension of `split_by` has no ends that anyone knows: creation dates reach back centuries, ids grow.
// Halving such a range from its middle would spend a dozen requests on empty halves before it meets the
// first record. Its first cut is therefore a ladder of stretches that grow with their distance from where
// records are dense (the end of the slice's time, the small ids); every later cut halves.
#include "domain/plan/cut_rest.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

#include <fmt/format.h>

#include "base/integer.h"
#include "domain/spec/enumerator.h"

namespace patra::domain {
namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::year;

// Providers know no date outside of these.
constexpr Instant kFirstDate{sys_days{year{1000} / 1 / 1}};
constexpr Instant kLastDate{sys_days{year{3000} / 1 / 1}};

constexpr auto kDaysBack = std::to_array<int>({36'500, 7'300, 3'650, 1'825, 730, 365, 180, 90, 30});

SliceSpec ChildOf(const SliceSpec& parent, const Window& window) {
  auto child = parent;
  child.window = window;
  child.expected_records.reset();
  child.expected_requests.reset();
  return child;
}

// Edges of a range, at least two; what lies between two neighbours is one child.
template <typename Point, typename Make>
std::vector<SliceSpec> Between(const std::vector<Point>& edges, Make make) {
  std::vector<SliceSpec> children;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i)
    children.push_back(make(edges[i], edges[i + 1]));
  return children;
}

std::vector<SliceSpec> CutTime(const SliceSpec& parent, const Window& rest,
                               const CutPolicy& policy) {
  std::vector<Instant> edges{rest.from()};
  const auto pieces = std::clamp(policy.pieces, 2, kPiecesMax);
  for (int i = 1; i < pieces; ++i) {
    const auto aim = rest.from() + rest.width() / pieces * i;
    const auto below = policy.grid.Floor(aim);
    const auto cut = below > edges.back() ? below : policy.grid.After(edges.back());
    if (cut > edges.back() && cut < rest.to()) edges.push_back(cut);
  }
  if (edges.size() == 1) return {};
  edges.push_back(rest.to());
  return Between(
      edges, [&](Instant from, Instant to) { return ChildOf(parent, *Window::Between(from, to)); });
}

std::vector<SliceSpec> CutPages(const SliceSpec& parent) {
  if (!parent.pages || parent.pages->to - parent.pages->from < 2) return {};
  // Half of an endless walk is nowhere.
  if (parent.pages->to == kNoLastPage) return {};
  const auto from = parent.pages->from;
  const auto to = parent.pages->to;
  const std::vector<std::int64_t> edges{from, from + (to - from) / 2, to};
  return Between(edges, [&](std::int64_t first, std::int64_t end) {
    auto child = ChildOf(parent, parent.window);
    child.pages->from = first;
    child.pages->to = end;
    return child;
  });
}

// A child with this part in place of the one of the same name.
SliceSpec WithPart(const SliceSpec& parent, const Window& rest, SplitPart part) {
  auto child = ChildOf(parent, rest);
  const auto same = std::ranges::find(child.split, part.name, &SplitPart::name);
  if (same == child.split.end()) {
    child.split.push_back(std::move(part));
  } else {
    *same = std::move(part);
  }
  return child;
}

std::vector<Instant> DateLadder(const Window& rest) {
  std::vector<Instant> edges{kFirstDate};
  const auto end = FloorTo(rest.to(), days(1)) + days(1);
  for (const auto back : kDaysBack) edges.push_back(end - days(back));
  edges.push_back(end);
  edges.push_back(kLastDate);
  std::erase_if(edges, [](Instant edge) { return edge < kFirstDate || edge > kLastDate; });
  const auto repeated = std::ranges::unique(edges);
  edges.erase(repeated.begin(), repeated.end());
  return edges;
}

// The edges of the next cut; fewer than three where there is nothing to cut.
std::vector<Instant> DateEdges(const SplitPart* part, const Window& rest) {
  if (part == nullptr) return DateLadder(rest);
  const auto from = ParseRfc3339(part->from);
  const auto to = ParseRfc3339(part->to);
  if (!from || !to || *to - *from <= days(1)) return {};
  return {*from, FloorTo(*from + (*to - *from) / 2, days(1)), *to};
}

std::vector<std::int64_t> IdEdges(const SplitPart* part) {
  constexpr auto kIdMax = std::numeric_limits<std::int64_t>::max();
  if (part == nullptr) {
    std::vector<std::int64_t> edges{0};
    for (std::int64_t power = 1'000; power <= 1'000'000'000'000; power *= 10)
      edges.push_back(power);
    edges.push_back(kIdMax);
    return edges;
  }
  const auto from = ParseInteger(part->from);
  const auto to = ParseInteger(part->to);
  if (!from || !to || *to - *from <= 1) return {};
  return {*from, *from + (*to - *from) / 2, *to};
}

std::vector<SliceSpec> CutBy(const SplitDimension& dimension, const SliceSpec& parent,
                             const Window& rest) {
  const auto found = std::ranges::find(parent.split, dimension.name, &SplitPart::name);
  const auto* part = found == parent.split.end() ? nullptr : &*found;
  switch (dimension.kind) {
    case SplitKind::kDate: {
      const auto edges = DateEdges(part, rest);
      return Between(edges, [&](Instant from, Instant to) {
        return WithPart(
            parent, rest,
            {.name = dimension.name, .from = FormatRfc3339(from), .to = FormatRfc3339(to)});
      });
    }
    case SplitKind::kIdRange: {
      const auto edges = IdEdges(part);
      return Between(edges, [&](std::int64_t from, std::int64_t to) {
        return WithPart(
            parent, rest,
            {.name = dimension.name, .from = fmt::to_string(from), .to = fmt::to_string(to)});
      });
    }
    case SplitKind::kValues:
      break;
  }
  std::vector<SliceSpec> children;
  if (part != nullptr) return children;
  for (const auto& value : dimension.values)
    children.push_back(WithPart(parent, rest, {.name = dimension.name, .value = value}));
  return children;
}

}  // namespace

Result<CutPolicy> CutPolicy::Of(const SpecSnapshot& spec) {
  const auto zone = PATRA_TRY(TimeZone::Find(spec.window.timezone));
  return CutPolicy{.grid = TimeGrid(LengthOf(spec.window.granularity), zone),
                   .split_by = spec.paging.split_by,
                   .by_time = IsCutByTime(spec)};
}

int PiecesFor(std::int64_t total, std::int64_t reach) {
  if (reach <= 0 || total <= 0) return 2;
  const auto pieces = total / reach + 1;
  // Half as many again: records are rarely spread evenly, and a piece too full is one request lost.
  return static_cast<int>(
      std::clamp<std::int64_t>(pieces + pieces / 2, 2, std::int64_t{kPiecesMax}));
}

std::vector<SliceSpec> CutRest(const SliceSpec& parent, const Window& rest,
                               const CutPolicy& policy) {
  if (parent.dimension == SliceDimension::kId) return {};
  if (parent.dimension == SliceDimension::kPage) return CutPages(parent);
  if (policy.by_time) {
    if (auto children = CutTime(parent, rest, policy); !children.empty()) return children;
  }
  for (const auto& dimension : policy.split_by) {
    if (auto children = CutBy(dimension, parent, rest); children.size() > 1) return children;
  }
  return {};
}

Result<bool> CanCutAtAll(const SpecSnapshot& spec, const SliceSpec& slice) {
  const auto policy = PATRA_TRY(CutPolicy::Of(spec));
  return !CutRest(slice, slice.window, policy).empty();
}

Result<bool> CanCut(const SpecSnapshot& spec, const SliceSpec& slice) {
  if (slice.window.width() < 2 * spec.window.width_min) return false;
  return CanCutAtAll(spec, slice);
}

}  // namespace patra::domain
