#include "domain/cursor/coverage.h"

#include <algorithm>

namespace patra::domain {

Coverage::Coverage(const std::vector<Window>& windows) {
  for (const auto& window : windows) Add(window);
}

void Coverage::Add(Window window) {
  const auto first = std::ranges::lower_bound(windows_, window.from(), {}, &Window::to);
  auto last = first;
  while (last != windows_.end() && last->Touches(window)) {
    window =
        *Window::Between(std::min(window.from(), last->from()), std::max(window.to(), last->to()));
    ++last;
  }
  windows_.insert(windows_.erase(first, last), window);
}

Instant Coverage::FrontierFrom(Instant start) const {
  for (const auto& window : windows_) {
    if (window.from() <= start && start < window.to()) return window.to();
  }
  return start;
}

Instant Coverage::FrontierBackFrom(Instant end) const {
  for (const auto& window : windows_) {
    if (window.from() < end && end <= window.to()) return window.from();
  }
  return end;
}

std::vector<Window> Coverage::GapsIn(const Window& window) const {
  std::vector<Window> gaps;
  auto from = window.from();
  auto covered = std::ranges::upper_bound(windows_, from, {}, &Window::to);
  for (; covered != windows_.end() && covered->from() < window.to(); ++covered) {
    if (covered->from() > from) gaps.push_back(*Window::Between(from, covered->from()));
    from = covered->to();
  }
  if (from < window.to()) gaps.push_back(*Window::Between(from, window.to()));
  return gaps;
}

}  // namespace patra::domain
