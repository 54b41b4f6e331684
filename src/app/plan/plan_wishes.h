// What a trigger may wish together. Ways of saying what to fetch exclude each other: one that is ignored would promise too much.
#pragma once

#include "app/api/plan_request.h"

namespace patra::app {

Error WrongWish(std::string message, std::string hint);

Result<void> CheckWishes(const PlanRequest& request);

inline constexpr Duration kSpreadMax = std::chrono::days(30);
Result<Duration> SpreadOf(const std::string& text);

}  // namespace patra::app
