// Updates move cursors of their own, which tell how far looking again has come and never touch the harvest's.
#pragma once

#include <optional>
#include <string>

#include "domain/cursor/cursor_move.h"
#include "domain/plan/plan.h"

namespace patra::domain {

// Every record of the round was looked at since this moment.
inline constexpr std::string_view kRefreshCheckedAt = "refresh_checked_at";
// Every signal up to this number was acted upon.
inline constexpr std::string_view kSignalId = "signal_id";

// A member of an update's slice_params: the moment that its candidates were gathered for.
inline constexpr const char* kCheckedTo = "checkedTo";

// Where the cursor of an update goes once all of its slices are done; nothing for other plans. `position` is
// that of the plan's cutting.
std::optional<CursorValue> RefreshProgress(const Plan& plan,
                                           const std::optional<std::string>& position);

}  // namespace patra::domain
