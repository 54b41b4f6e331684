// How the price of a plan is found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "domain/plan/slice_width.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/word/price_tag.h"

namespace patra::domain {

// For so many slices over so much of the source's time.
PriceTag PriceOf(const SpecSnapshot& spec, std::int64_t slices, Duration covered,
                 const std::optional<SliceHistory>& history);

// The same where the provider was asked how many records the window has. What begins as one wide slice and is cut then needs at
// least a request for each part: how many more depends on how evenly the records lie, which nobody knows.
PriceTag PriceOfAnnounced(const SpecSnapshot& spec, const PriceTag& before, const Window& window,
                          std::int64_t announced);

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
