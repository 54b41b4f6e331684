#include "domain/cursor/refresh_progress.h"

#include <charconv>

#include "base/time.h"

namespace patra::domain {

std::optional<CursorValue> RefreshProgress(const Plan& plan,
                                           const std::optional<std::string>& position) {
  if (plan.partition.operation != Operation::kUpdate) return std::nullopt;
  if (plan.cursor.cursor_key == kSignalId) {
    if (!position) return std::nullopt;
    std::int64_t last = 0;
    const auto* end = position->data() + position->size();
    const auto read = std::from_chars(position->data(), end, last);
    return read.ec == std::errc() && read.ptr == end ? std::optional<CursorValue>(last)
                                                     : std::nullopt;
  }
  const auto* member = plan.slice_params.Find(kCheckedTo);
  const auto* text = member == nullptr ? nullptr : member->AsString();
  if (text == nullptr) return std::nullopt;
  const auto moment = ParseRfc3339(*text);
  return moment ? std::optional<CursorValue>(*moment) : std::nullopt;
}

}  // namespace patra::domain
