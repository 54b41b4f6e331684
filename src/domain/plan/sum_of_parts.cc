#include "domain/plan/sum_of_parts.h"

#include <fmt/format.h>

#include "domain/spec/enumerator.h"

namespace patra::domain {

std::optional<std::int64_t> OwedByParts(const SpecSnapshot& spec, const SliceSpec& whole,
                                        std::optional<std::int64_t> announced, std::size_t parts) {
  const bool is_counted = EnumerationOf(spec).is_counted;
  if (!is_counted || whole.dimension != SliceDimension::kTime || parts < 2) return std::nullopt;
  return announced;
}

PartsVerdict Judge(const SumOfParts& sum) {
  if (sum.parts >= sum.announced) return PartsVerdict::kReach;
  if (!sum.now) return PartsVerdict::kAskWhole;
  return sum.parts >= *sum.now ? PartsVerdict::kReach : PartsVerdict::kFallShort;
}

std::string WhyShort(const SpecSnapshot& spec, const SumOfParts& sum) {
  const auto now = sum.now.value_or(sum.announced);
  return fmt::format(
      "{} records are announced for {}, and {} for the slices that it was cut into: {} are in none "
      "of them. "
      "The provider may mean other moments by the ends of a window than the definition does, "
      "`window: {{ends, granularity}}`{}; `‹source.preview›` shows what is asked for and what "
      "comes. Nothing of it counts as proven until it is read anew",
      now, sum.window.Describe(), sum.parts, now - sum.parts,
      spec.paging.split_by.empty() ? ""
                                   : ", or have records that `paging: {split_by}` does not name");
}

}  // namespace patra::domain
