// Watermarks and the events that moved them. The event is written first, then the value follows by
// compare-and-set, only forward; BACKFILL and UPDATE live in namespaces of their own (I6).
#pragma once

#include <optional>
#include <string>

#include "app/port/decision.h"
#include "base/result.h"
#include "domain/cursor/coverage.h"
#include "domain/cursor/cursor_move.h"
#include "domain/plan/plan.h"

namespace patra::app {

class CursorRepository {
 public:
  virtual ~CursorRepository() = default;

  virtual Result<std::optional<domain::CursorValue>> Current(
      const domain::Lane& lane, const domain::CursorNamespace& cursor) = 0;

  // Where the current value is a time, that; else nothing.
  Result<std::optional<Instant>> Watermark(const domain::Lane& lane,
                                           const domain::CursorNamespace& cursor) {
    const auto value = PATRA_TRY(Current(lane, cursor));
    if (!value) return std::nullopt;
    const auto* time = std::get_if<Instant>(&*value);
    return time == nullptr ? std::nullopt : std::optional(*time);
  }

  // Records the event, then moves the value. False where the value was there or further already; the
  // event stays all the same. Doing it twice leaves one event.
  virtual Result<bool> Advance(const domain::CursorMove& move) = 0;

  // Moves the value to the furthest event, where a crash between the two left it behind.
  virtual Result<void> Settle(const domain::Lane& lane, const domain::CursorNamespace& cursor) = 0;

  // Puts the value where a person wants it, also backwards, and audits who and why. The event comes first
  // here, too; from then on Settle goes by this event and what came after it. kInvalidInput where the
  // cursor's values are of another type. Where a harvest's watermark goes back, what lies after it is not proven any
  // more and is harvested again.
  virtual Result<void> Set(const domain::Lane& lane, const domain::CursorNamespace& cursor,
                           const domain::CursorValue& value, const Decision& decision) = 0;

  // What is proven complete inside `window`.
  virtual Result<domain::Coverage> CoverageIn(const domain::Lane& lane,
                                              const std::string& query_hash,
                                              const domain::Window& window) = 0;
};

}  // namespace patra::app
