#include "app/plan/plan_wishes.h"

#include <fmt/format.h>

#include "base/duration.h"

namespace patra::app {
namespace {

std::unexpected<Error> Refused(std::string message, std::string hint) {
  return std::unexpected(WrongWish(std::move(message), std::move(hint)));
}

Result<void> CheckBackfill(const PlanRequest& request) {
  if (request.gaps && request.further)
    return Refused("what is missing or what lies before it: not both",
                   "either ‹wish.gaps› or ‹wish.auto›");
  if (request.further && (request.from || request.to))
    return Refused("‹wish.auto› goes back from what is proven",
                   "‹wish.until T›, not ‹wish.from› and ‹wish.to›");
  if (!request.further && (request.until || request.step))
    return Refused("‹wish.until› and ‹wish.step› belong to ‹wish.auto›",
                   "‹wish.auto› ‹wish.until T›");
  if (!request.further && !request.gaps && (!request.from || !request.to))
    return Refused("it is not said what to fetch",
                   "‹wish.from T› ‹wish.to T›, ‹wish.gaps› or ‹wish.auto›");
  return {};
}

Result<void> CheckUpdate(const PlanRequest& request) {
  const int ways = static_cast<int>(!request.ids.empty()) + static_cast<int>(request.expr_changed) +
                   static_cast<int>(request.signals) + static_cast<int>(request.stale.has_value());
  constexpr const char* kWays =
      "‹wish.ids FILE›, ‹wish.stale› [30d], ‹wish.expr_changed› or ‹wish.signals›";
  if (ways == 0) return Refused("it is not said which records to fetch again", kWays);
  if (ways > 1)
    return Refused("it is said in more than one way which records to fetch again",
                   fmt::format("one of {}", kWays));
  if (request.parts && !request.stale)
    return Refused("‹wish.parts› belongs to ‹wish.stale›", "‹wish.stale 30d› ‹wish.parts 7›");
  return {};
}

}  // namespace

Error WrongWish(std::string message, std::string hint) {
  return {ErrorCode::kInvalidInput, std::move(message), {}, std::move(hint)};
}

Result<void> CheckWishes(const PlanRequest& request) {
  switch (request.source.operation) {
    case domain::Operation::kHarvest:
      return {};
    case domain::Operation::kBackfill:
      return CheckBackfill(request);
    case domain::Operation::kUpdate:
      break;
  }
  return CheckUpdate(request);
}

Result<Duration> SpreadOf(const std::string& text) {
  const auto spread = PATRA_TRY(ParseDuration(text));
  if (spread < Duration::zero() || spread > kSpreadMax)
    return Refused(fmt::format("starts cannot be spread over {}", text),
                   "‹wish.spread 0s› to ‹wish.spread 30d›");
  return spread;
}

}  // namespace patra::app
