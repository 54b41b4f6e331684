#include "domain/error/patience.h"

#include <algorithm>

namespace patra::domain {
namespace {

constexpr int kAnswersThatTell = 5;
constexpr int kTimesTheSlowest = 20;
constexpr Duration kLeast = std::chrono::seconds(2);
// So often the wait stays as it is; then it doubles.
constexpr int kWaitsAlike = 3;

}  // namespace

Duration PatienceFor(const AnswerTimes& times, Duration declared) {
  if (times.answers < kAnswersThatTell || times.slowest >= declared / kTimesTheSlowest)
    return declared;
  auto patience = std::max(kLeast, times.slowest * kTimesTheSlowest);
  for (int i = kWaitsAlike; i < times.in_vain && patience < declared; ++i) patience *= 2;
  return std::min(patience, declared);
}

}  // namespace patra::domain
