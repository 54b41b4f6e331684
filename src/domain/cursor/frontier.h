// How far a cursor may go (I4): as far as everything is proven, without a hole.
#pragma once

#include <optional>

#include "domain/cursor/coverage.h"
#include "domain/cursor/cursor_move.h"
#include "domain/word/window.h"

namespace patra::domain {

class Frontier {
 public:
  // Of a cursor that stands there; without one it begins where the plan does: a backfill at the late end of its window.
  Frontier(CursorDirection direction, const Window& plan_window, std::optional<Instant> standing)
      : direction_(direction),
        plan_window_(plan_window),
        start_(standing.value_or(is_backfill() ? plan_window.to() : plan_window.from())) {}

  // The moment that what is proven has to touch.
  Instant start() const { return start_; }

  // Where the cursor goes, if it moves. `proven` holds at least the stretches that touch `start`.
  std::optional<Instant> After(const Coverage& proven) const;

 private:
  bool is_backfill() const { return direction_ == CursorDirection::kBackfill; }

  CursorDirection direction_;
  Window plan_window_;
  Instant start_;
};

}  // namespace patra::domain
