#include "domain/cursor/refresh_progress.h"

#include <algorithm>

#include "base/integer.h"
#include "base/time.h"

namespace patra::domain {

std::optional<CursorValue> RefreshProgress(const Plan& plan,
                                           const std::optional<std::string>& position) {
  if (plan.lane.operation != Operation::kUpdate) return std::nullopt;
  if (plan.cursor.cursor_key == kSignalId) {
    const auto last = position ? ParseInteger(*position) : std::nullopt;
    return last ? std::optional<CursorValue>(*last) : std::nullopt;
  }
  const auto* member = plan.slice_params.Find(kCheckedTo);
  const auto* text = member == nullptr ? nullptr : member->AsString();
  if (text == nullptr) return std::nullopt;
  const auto moment = ParseRfc3339(*text);
  return moment ? std::optional<CursorValue>(*moment) : std::nullopt;
}

std::optional<CursorValue> RefreshReached(const Plan& plan,
                                          const std::optional<std::string>& position,
                                          bool is_wholly_cut, const Unchecked& unchecked) {
  const auto end = RefreshProgress(plan, position);
  const bool by_signal = plan.cursor.cursor_key == kSignalId;
  if (!end || (!by_signal && !is_wholly_cut)) return std::nullopt;
  if (!unchecked.is_any) return end;
  if (!unchecked.reached || unchecked.reached->index() != end->index()) return std::nullopt;
  return std::min(*unchecked.reached, *end);
}

}  // namespace patra::domain
