#include "domain/walk/first_page.h"
#include "domain/hook/provider_hooks.h"
#include "domain/spec/enumerator.h"

namespace patra::domain {

std::int64_t FirstPlace(const PagingSpec& paging) {
  return paging.style == PagingStyle::kOffset ? 0 : paging.first_page;
}

bool IsRangeOfPages(const SpecSnapshot& spec, const SliceSpec& slice) {
  return slice.pages &&
         (slice.pages->from != FirstPlace(spec.paging) || slice.pages->to != kNoLastPage);
}

bool IsFirstPage(const SpecSnapshot& spec, const SliceSpec& slice, const Position& at) {
  const auto& paging = spec.paging;
  if (at.is_detail) return false;
  if (at.page) return *at.page == FirstPlace(paging);
  if (at.time) return *at.time == slice.window.from();
  return !at.token || at.token == paging.first_token;
}

bool OwesTotal(const SpecSnapshot& spec, const SliceSpec& slice, const Position& at) {
  const auto& response = spec.response;
  return (response.total || HookGivesTotal(spec.hooks)) && EnumerationOf(spec).is_counted &&
         response.total_on_first_page && IsFirstPage(spec, slice, at);
}

}  // namespace patra::domain
