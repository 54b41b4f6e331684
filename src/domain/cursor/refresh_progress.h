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

// What of an update's candidates, as far as they are in slices, nobody has looked at yet.
struct Unchecked {
  bool is_any = false;
  // Up to where everything is done before the first of them: the signal before it, or of records the oldest of their
  // last looks. Nothing where nobody can tell.
  std::optional<CursorValue> reached{};
};

// Where the cursor of an update stands in between. Records that are in no slice yet have looks that nobody knows.
std::optional<CursorValue> RefreshReached(const Plan& plan,
                                          const std::optional<std::string>& position,
                                          bool is_wholly_cut, const Unchecked& unchecked);

}  // namespace patra::domain
