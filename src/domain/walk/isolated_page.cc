#include "domain/walk/isolated_page.h"

namespace patra::domain {
namespace {

constexpr int kIsolatedInARowMax = 10;

}  // namespace

bool LeadsOn(const SpecSnapshot& spec, int isolated_in_a_row) {
  const auto& paging = spec.paging;
  const bool counts_itself =
      paging.style == PagingStyle::kPage ||
      (paging.style == PagingStyle::kOffset && paging.step == OffsetStep::kSize);
  return counts_itself && isolated_in_a_row <= kIsolatedInARowMax;
}

}  // namespace patra::domain
