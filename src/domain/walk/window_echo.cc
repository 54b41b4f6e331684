#include "domain/walk/window_echo.h"

#include <algorithm>

namespace patra::domain {

std::optional<Window> WindowEchoes::Find(Id plan, const Window& window, const WalkAccount& shown) {
  if (shown.records == 0) return std::nullopt;
  const auto is_echo = [&](const Walked& other) {
    return other.plan == plan && other.records == shown.records && other.digest == shown.digest &&
           (other.window.to() <= window.from() || window.to() <= other.window.from());
  };
  const auto echo = std::ranges::find_if(walked_, is_echo);
  const auto found = echo == walked_.end() ? std::nullopt : std::optional(echo->window);
  walked_.push_back({plan, window, shown.records, shown.digest});
  if (walked_.size() > kRemembered) walked_.pop_front();
  return found;
}

}  // namespace patra::domain
