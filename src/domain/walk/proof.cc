#include "domain/walk/proof.h"

#include <algorithm>

#include <fmt/format.h>

#include "domain/plan/cut_rest.h"

namespace patra::domain {
bool IgnoresWindow(const WindowSpec& window, const RecordCounts& counts) {
  const auto most = window.outside_max.value_or(kOutsideMax);
  return static_cast<double>(counts.outside) > most * static_cast<double>(counts.received);
}

std::optional<std::string> WhyUnproven(const SpecSnapshot& spec, const RecordCounts& counts,
                                       std::optional<std::int64_t> announced) {
  if (IgnoresWindow(spec.window, counts)) {
    return fmt::format(
        "{} of {} records lie outside what was asked for: the provider does not keep to the "
        "window; "
        "`‹source.preview›` shows what is asked for and what comes. If the window is in no "
        "request, "
        "the definition says `window: {{filter: client}}`; if so many are right, "
        "`window: {{outside_max: SHARE}}`",
        counts.outside, counts.received);
  }
  if (counts.isolated_pages == 0) return std::nullopt;
  auto reason = fmt::format(
      "{} in quarantine by a rule of the source, and nobody knows what {}",
      counts.isolated_pages == 1 ? "a page is" : fmt::format("{} pages are", counts.isolated_pages),
      counts.isolated_pages == 1 ? "it holds" : "they hold");
  if (announced) {
    reason += fmt::format(" ({} records announced, {} received)", *announced,
                          counts.received - counts.repeated - counts.isolated_pages);
  }
  return reason;
}

Result<std::optional<Instant>> ProvenEdge(const SpecSnapshot& spec, const WalkSoFar& walk) {
  const auto& window = walk.slice.window;
  const bool is_sorted = spec.paging.style == PagingStyle::kTime ||
                         (IsSortedByTime(spec) && spec.order.direction == SortDirection::kAsc &&
                          spec.order.stable && spec.window.updated_is_filtered);
  if (!is_sorted || !walk.is_sound || !walk.newest || !walk.has_batches ||
      !walk.slice.split.empty())
    return std::nullopt;
  const auto grid = PATRA_TRY(CutPolicy::Of(spec)).grid;
  const auto edge = grid.Floor(std::min(*walk.newest, walk.provable_to.value_or(Instant::max())));
  if (window.from() < edge && edge < window.to()) return edge;
  return std::nullopt;
}

}  // namespace patra::domain
