#include "domain/heal/usual_records.h"

#include <cmath>

namespace patra::domain {
namespace {

double Hours(Duration duration) {
  return std::chrono::duration<double, std::ratio<3600>>(duration).count();
}

}  // namespace

std::optional<UsualRecords> UsualOf(const std::vector<SliceBrought>& finished, Duration width) {
  std::vector<double> rates;
  for (const auto& slice : finished) {
    if (slice.width > Duration::zero())
      rates.push_back(static_cast<double>(slice.records) / Hours(slice.width));
  }
  if (rates.size() < kUsualSlicesMin) return std::nullopt;
  const auto count = static_cast<double>(rates.size());
  double sum = 0;
  for (const auto rate : rates) sum += rate;
  const auto mean = sum / count;
  double squares = 0;
  for (const auto rate : rates) squares += (rate - mean) * (rate - mean);
  return UsualRecords{.mean = mean * Hours(width),
                      .deviation = std::sqrt(squares / count) * Hours(width)};
}

}  // namespace patra::domain
