#include "domain/plan/sum_of_parts.h"

#include <fmt/format.h>

#include "domain/spec/enumerator.h"
#include "domain/walk/same_totals.h"

namespace patra::domain {

std::optional<std::int64_t> OwedByParts(const SpecSnapshot& spec, const SliceSpec& whole,
                                        std::optional<std::int64_t> announced, std::size_t parts) {
  const bool is_counted = EnumerationOf(spec).is_counted;
  if (!is_counted || whole.dimension != SliceDimension::kTime || parts < 2) return std::nullopt;
  return announced;
}

PartsVerdict Judge(const SumOfParts& sum, bool may_gain) {
  if (sum.parts >= sum.announced) return PartsVerdict::kReach;
  if (!sum.now) return PartsVerdict::kAskWhole;
  if (sum.parts >= *sum.now) return PartsVerdict::kReach;
  if (may_gain && !sum.parts_now) return PartsVerdict::kAskParts;
  return sum.parts_now.value_or(sum.parts) >= *sum.now ? PartsVerdict::kReach
                                                       : PartsVerdict::kFallShort;
}

bool IsCap(const SumOfParts& sum) {
  return sum.announced >= kCapLeast && 10 * sum.parts > 11 * sum.announced;
}

std::string WhyShort(const SpecSnapshot& spec, const SumOfParts& sum) {
  const auto now = sum.now.value_or(sum.announced);
  const auto parts = sum.parts_now.value_or(sum.parts);
  return fmt::format(
      "{} records are announced for {}, and {} for the slices that it was cut into: {} are in none "
      "of them. "
      "The provider may mean other moments by the ends of a window than the definition does, "
      "`window: {{ends, granularity}}`{}; `‹source.preview›` shows what is asked for and what "
      "comes. Nothing of it counts as proven until it is read anew",
      now, sum.window.Describe(), parts, now - parts,
      spec.paging.split_by.empty() ? ""
                                   : ", or have records that `paging: {split_by}` does not name");
}

}  // namespace patra::domain
