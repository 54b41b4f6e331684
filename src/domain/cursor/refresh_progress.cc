#include "domain/cursor/refresh_progress.h"

#include "base/integer.h"
#include "base/time.h"

namespace patra::domain {

std::optional<CursorValue> RefreshProgress(const Plan& plan,
                                           const std::optional<std::string>& position) {
  if (plan.partition.operation != Operation::kUpdate) return std::nullopt;
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

}  // namespace patra::domain
