// A whole and its parts: of a slice that announced exactly how many records there are, and was cut, the parts have to announce
// as many together.
//
// Each of them may be read to its end and balance all the same: where the provider means other moments by the ends of a
// window than the definition does, every cut loses the records that lie at it, and no part knows of them. Lists move, so that
// a smaller sum alone proves nothing: a record that is updated meanwhile leaves its old window. What the whole announces once
// more, when the last part was read, tells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "domain/plan/slice_spec.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/word/window.h"

namespace patra::domain {

// What the parts of a slice have to reach that is cut into so many; nothing where nobody can say. Estimates are not held against
// one another, ranges of pages have no ends that could be mistaken, and one part alone is what it takes over.
std::optional<std::int64_t> OwedByParts(const SpecSnapshot& spec, const SliceSpec& whole,
                                        std::optional<std::int64_t> announced, std::size_t parts);

struct SumOfParts {
  Window window;               // that the parts take over
  std::int64_t announced = 0;  // by the whole, when it was cut
  std::int64_t parts = 0;      // by its parts together
  // Since all parts were read, by the whole, and where that is more, by its parts.
  std::optional<std::int64_t> now{};
  std::optional<std::int64_t> parts_now{};
};

enum class PartsVerdict {
  kReach,
  kAskWhole,  // they announce less than it did: it has to be asked once more
  kAskParts,  // so they do of what it does by now: records may have come in since, which the parts would know of
  kFallShort,  // and they do not: there are records that no part was given
};
// `may_gain`: records may come into the window after it was read.
PartsVerdict Judge(const SumOfParts& sum, bool may_gain);

// Whether the whole announced as many as the provider counts to: its parts have far more, and they did not come in since.
bool IsCap(const SumOfParts& sum);

// REQUIRES: the parts fall short
std::string WhyShort(const SpecSnapshot& spec, const SumOfParts& sum);

}  // namespace patra::domain
