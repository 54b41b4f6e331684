#include "app/execute/outside_window.h"

#include <algorithm>

#include "domain/spec/enumerator.h"
#include "domain/window/place_in_window.h"

namespace patra::app {

bool DatesTellWindow(const domain::SpecSnapshot& spec) {
  return domain::EnumerationOf(spec).is_filtered_here ||
         (spec.window.updated_is_filtered && spec.response.updated);
}

TakenOut TakeOutOutside(const domain::SpecSnapshot& spec, const domain::Window& window,
                        domain::PageContent& page) {
  const auto enumeration = domain::EnumerationOf(spec);
  const bool is_ours = enumeration.is_filtered_here;
  if (!DatesTellWindow(spec) || enumeration.gives_ids) return {};
  TakenOut taken;
  std::erase_if(page.records, [&](const domain::Record& record) {
    const auto place = domain::FindPlace(spec.window, window, record.date());
    // What the provider's filter rounds into the window may stand in no other: it is kept.
    const bool is_kept = is_ours ? place == domain::PlaceInWindow::kInside
                                 : place != domain::PlaceInWindow::kOutside;
    if (is_kept) return false;
    ++taken.records;
    // A provider that does not hear where the window ends is right to send what lies behind it.
    const bool is_behind = record.date() >= window.to();
    if (!is_ours && !(is_behind && !domain::IsCutByTime(spec))) ++taken.outside;
    return true;
  });
  return taken;
}

namespace {

// Whether the records bear out what the definition says of their order.
bool IsInOrder(const domain::PageContent& page, bool is_descending) {
  return std::ranges::is_sorted(
      page.records,
      [&](const Instant& one, const Instant& other) {
        return is_descending ? one > other : one < other;
      },
      &domain::Record::date);
}

}  // namespace

bool HasLeftWindow(const domain::SpecSnapshot& spec, const domain::Window& window,
                   const domain::PageContent& page) {
  const bool can_tell = !domain::IsCutByTime(spec) && domain::EnumerationOf(spec).knows_time &&
                        domain::IsSortedByTime(spec);
  if (!can_tell || page.records.empty()) return false;
  const auto last = page.records.back().date();
  const bool is_descending = spec.order.direction == domain::SortDirection::kDesc;
  const bool is_behind = is_descending ? last < window.from() : last >= window.to();
  return is_behind && IsInOrder(page, is_descending);
}

}  // namespace patra::app
