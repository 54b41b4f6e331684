#include "domain/walk/first_page.h"

namespace patra::domain {

bool IsFirstPage(const SpecSnapshot& spec, const SliceSpec& slice, const Position& at) {
  const auto& paging = spec.paging;
  if (at.is_detail) return false;
  if (at.page) return *at.page == paging.first_page;
  if (at.time) return *at.time == slice.window.from();
  return !at.token || at.token == paging.first_token;
}

bool OwesTotal(const SpecSnapshot& spec, const SliceSpec& slice, const Position& at) {
  const auto& response = spec.response;
  return response.total && response.total_kind == TotalKind::kExact &&
         response.total_on_first_page && IsFirstPage(spec, slice, at);
}

}  // namespace patra::domain
