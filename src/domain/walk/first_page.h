// Whether a page is the first of the provider's list, as some have their total only there.
#pragma once

#include <cstdint>

#include "domain/plan/slice_spec.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/walk/position.h"

namespace patra::domain {

// Where lists begin that are counted: the number of the first page, or no records to skip.
std::int64_t FirstPlace(const PagingSpec& paging);

// Whether the slice has a part of the list by its places, and others have the rest.
bool IsRangeOfPages(const SpecSnapshot& spec, const SliceSpec& slice);

// A slice that is cut by pages begins somewhere else in the list.
bool IsFirstPage(const SpecSnapshot& spec, const SliceSpec& slice, const Position& at);

// Whether the total of the page at `at`, if it is missing, makes the page no page: it is declared exact, and to be on
// the first page.
bool OwesTotal(const SpecSnapshot& spec, const SliceSpec& slice, const Position& at);

}  // namespace patra::domain
