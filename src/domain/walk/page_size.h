// How large pages are, and whether that is ours to say.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/random.h"
#include "domain/plan/slice_spec.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/walk/position.h"
#include "domain/walk/walk_memory.h"

namespace patra::domain {

// Whether requests say how large a page is to be; else the provider decides.
bool CanChoosePageSize(const SpecSnapshot& spec);

// How many records a request for the list at that position asks for; nothing where it does not say.
std::optional<std::int64_t> AskedPageSize(const SpecSnapshot& spec, const Position& position);

// Whether a walk over the slice may choose it: between two ranges of pages records would slip if theirs differed.
bool CanChoosePageSize(const SpecSnapshot& spec, const SliceSpec& slice);

// Where records would show that did not fit on the only page that held any, if that is so.
std::optional<Position> RestOfOnlyPage(const SpecSnapshot& spec, const SliceSpec& slice,
                                       const WalkAccount& walk);

// How large pages turned out to be, where all but the last held about as many records and fewer than were asked for. Who
// cuts them off may still count places by what was asked for, and then the rest of each page never comes; pages of this
// size have no rest. Nothing where the places do not depend on it, or nobody can choose.
std::optional<std::int64_t> PageSizeFound(const SpecSnapshot& spec, const SliceSpec& slice,
                                          const WalkAccount& walk);

// What a run knows about the walk that it begins or goes on with.
struct WalkBegun {
  std::optional<Position> resumed_at{};    // absent: it begins at the first page
  std::optional<WalkAccount> earlier{};    // of the last walk that came to its end
  std::optional<std::int64_t> size_max{};  // to which self-healing has brought pages down
};

// A walk by page numbers goes on in pages of the size it began with; others may change it at any time. One that read
// pages shorter than it asked for is repeated in their size.
std::int64_t PageSizeOf(const SpecSnapshot& spec, const SliceSpec& slice, const WalkBegun& walk);

// The records of the page at `at` as smaller pages, in their order; empty where they cannot be had apart. Pages
// that are counted are cut into equal parts, because a part has to be a page of its own.
std::vector<Position> PartsOfPage(const SpecSnapshot& spec, const Position& at);

// One record of the page, another one each time; none where they cannot be had apart.
std::optional<Position> AnyRecordOf(const SpecSnapshot& spec, const Position& page, Random& random);

}  // namespace patra::domain
