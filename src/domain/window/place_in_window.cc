#include "domain/window/place_in_window.h"

namespace patra::domain {

PlaceInWindow FindPlace(const WindowSpec& spec, const Window& window, Instant date) {
  if (window.Contains(date)) return PlaceInWindow::kInside;
  const auto step = LengthOf(spec.granularity);
  const bool is_near = window.from() - step <= date && date < window.to() + step;
  return is_near ? PlaceInWindow::kAtEdge : PlaceInWindow::kOutside;
}

}  // namespace patra::domain
