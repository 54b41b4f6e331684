#include "domain/word/window.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/time.h"

namespace patra::domain {

Result<Window> Window::Between(Instant from, Instant to) {
  if (from >= to) {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("the window [{}, {}) is empty", FormatRfc3339(from), FormatRfc3339(to)),
                {}, "the start must be earlier than the end");
  }
  return Window(from, to);
}

std::vector<Window> Window::TileBy(Duration step) const {
  PATRA_ASSERT(step > Duration::zero());
  std::vector<Window> tiles;
  auto from = from_;
  while (from < to_) {
    const auto to = std::min(FloorTo(from, step) + step, to_);
    tiles.push_back(Window(from, to));
    from = to;
  }
  return tiles;
}

std::string Window::Describe() const {
  return fmt::format("[{}, {})", FormatRfc3339(from_), FormatRfc3339(to_));
}

Instant FloorTo(Instant moment, Duration step) {
  PATRA_ASSERT(step > Duration::zero());
  const auto since_epoch = moment.time_since_epoch();
  auto rest = since_epoch % step;
  if (rest < Duration::zero()) rest += step;
  return Instant(since_epoch - rest);
}

}  // namespace patra::domain
