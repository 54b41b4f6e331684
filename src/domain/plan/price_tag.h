// What a plan will cost, as far as anybody can know beforehand, and what that rests on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"
#include "base/value.h"
#include "domain/plan/slice_width.h"
#include "domain/spec/spec_snapshot.h"

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

// For so many slices over so much of the source's time.
PriceTag PriceOf(const SpecSnapshot& spec, std::int64_t slices, Duration covered,
                 const std::optional<SliceHistory>& history);

// For a whole list, which had so many records when it was last read.
PriceTag PriceOfList(const SpecSnapshot& spec, std::int64_t slices,
                     std::optional<std::int64_t> records,
                     const std::optional<SliceHistory>& history);

// For so many ids, whose records are asked for by id. REQUIRES: the source can do that
PriceTag PriceOfIds(const SpecSnapshot& spec, std::int64_t slices, std::int64_t ids,
                    const std::optional<SliceHistory>& history);

// The tightest of the declared rates, in requests a second.
std::optional<double> AllowedRate(const std::vector<LimitSpec>& limits);

}  // namespace patra::domain
