// Whether a slice that is under way had better be cut into smaller ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "domain/heal/heal_policy.h"

namespace patra::domain {

// What a run has seen of its slice so far.
struct SliceObserved {
  Duration elapsed{};
  std::int64_t requests = 0;
  std::int64_t throttled = 0;
  std::int64_t failures_in_a_row = 0;  // L1, of the last pages
  std::int64_t pages = 0;
  std::optional<std::int64_t> pages_expected{};
  std::int64_t page_bytes = 0;  // of the last page, as are the next two
  std::int64_t page_records = 0;
  std::int64_t page_size = 0;            // asked for
  std::int64_t records = 0;              // of the slice
  std::optional<double> records_mean{};  // of earlier slices of that kind
  double records_deviation = 0;
};

// Why, for people; nothing where the slice may go on.
std::optional<std::string> ShouldRecut(const SliceObserved& observed, const RecutPolicy& policy);

}  // namespace patra::domain
