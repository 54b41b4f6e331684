// What doubted walks showed. Just the same records for windows without a common moment come from a provider that does not look
// at the window: smaller ones would show them once more, and each would be doubted again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "base/id.h"
#include "domain/walk/walk_memory.h"
#include "domain/word/window.h"

namespace patra::domain {

class WindowEchoes {
 public:
  // The window of another walk of the plan that showed just these records, and has no moment in common with this one. What
  // this one showed is remembered, for the `kRemembered` walks that follow.
  std::optional<Window> Find(Id plan, const Window& window, const WalkAccount& shown);

  static constexpr std::size_t kRemembered = 256;

 private:
  struct Walked {
    Id plan;
    Window window;
    std::int64_t records;
    std::uint64_t digest;
  };

  std::deque<Walked> walked_;
};

}  // namespace patra::domain
