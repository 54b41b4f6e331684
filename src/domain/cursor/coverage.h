// Which stretches of source time are proven complete, and what that means for the watermark (I4).
#pragma once

#include <optional>
#include <vector>

#include "base/time.h"
#include "domain/word/window.h"

namespace patra::domain {

// Disjoint windows that do not touch, in order. Adding merges.
class Coverage {
 public:
  Coverage() = default;
  explicit Coverage(const std::vector<Window>& windows);

  void Add(Window window);

  // How far from `start` on everything is proven: the watermark. `start` itself where nothing is.
  Instant FrontierFrom(Instant start) const;

  // The same into the past: from where on everything up to `end` is proven.
  Instant FrontierBackFrom(Instant end) const;

  // The parts of `window` that are not proven, in order.
  std::vector<Window> GapsIn(const Window& window) const;

  const std::vector<Window>& windows() const { return windows_; }

 private:
  std::vector<Window> windows_;
};

}  // namespace patra::domain
