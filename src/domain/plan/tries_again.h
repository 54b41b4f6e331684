// Which slices that ended without success a command tries again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/word/unfinished_slice.h"

namespace patra::domain {

struct TriesAgain {
  std::vector<UnfinishedSlice> again;
  std::vector<UnfinishedSlice> given_up;  // tried often enough for now
};

// How often commands try a slice again. One that was tried so often is left alone for a while, and then tried once more by the
// command that asks for it.
struct TryLimit {
  std::int64_t tries_max = 3;
  Instant now;
};
inline constexpr Duration kLeftAloneFor = std::chrono::hours(24);

// What of the unproven stretches should be there by the provider's own clock.
struct DueByNow {
  std::vector<Window> stretches;
  std::optional<Instant> not_before;  // where the first of the others begins
};
DueByNow WithoutEarly(const std::vector<Window>& unproven,
                      const std::vector<UnfinishedSlice>& unfinished);

// By number and time alone. What was only read too early is not given up.
TriesAgain SplitByTries(std::vector<UnfinishedSlice> unfinished, const TryLimit& limit);

// Of a stretch that several plans failed at, the newest one's slices stand for all: the others would only fetch the same
// again. A slice goes on with the snapshot that it has; where the definition is another one by now, none is tried again
// and the stretch is planned anew.
TriesAgain ChooseTriesAgain(std::vector<UnfinishedSlice> unfinished, const std::string& fingerprint,
                            const TryLimit& limit);

}  // namespace patra::domain
