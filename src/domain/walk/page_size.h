// How large pages are, and whether that is ours to say.
#pragma once

#include <cstdint>
#include <vector>

#include "domain/spec/spec_snapshot.h"
#include "domain/walk/position.h"

namespace patra::domain {

// Whether requests say how large a page is to be; else the provider decides.
bool CanChoosePageSize(const SpecSnapshot& spec);

// The records of the page at `at` as smaller pages, in their order; empty where they cannot be had apart. Pages
// that are counted are cut into equal parts, because a part has to be a page of its own.
std::vector<Position> PartsOfPage(const SpecSnapshot& spec, const Position& at);

}  // namespace patra::domain
