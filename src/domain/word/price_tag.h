// What a plan will cost, as far as anybody can know beforehand, and what that rests on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"
#include "base/value.h"

namespace patra::domain {

struct PriceTag {
  std::int64_t slices = 0;
  std::int64_t requests = 0;
  bool requests_are_least = false;        // without knowing the records: at least so many
  std::optional<std::int64_t> records{};  // unknown without history
  std::optional<std::int64_t> bytes{};    //
  std::optional<double> quota_part{};  // of the tightest quota's window; above 1: several windows
  std::optional<Duration> takes{};     // at the allowed rate
  std::optional<double> rate_per_second{};  // which is this
  std::string basis;

  Value ToValue() const;
};

}  // namespace patra::domain
