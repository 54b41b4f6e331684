// How many records slices of a kind usually bring.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"

namespace patra::domain {

struct SliceBrought {
  Duration width{};
  std::int64_t records = 0;
};

struct UsualRecords {
  double mean = 0;
  double deviation = 0;  // standard
};

// Fewer slices tell nothing.
inline constexpr std::size_t kUsualSlicesMin = 8;

// Of a slice of that width, by what finished ones brought for theirs; nothing where they are too few.
std::optional<UsualRecords> UsualOf(const std::vector<SliceBrought>& finished, Duration width);

}  // namespace patra::domain
