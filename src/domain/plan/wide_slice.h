// Slices of which a first page tells more than the planner knew.
//
// Slices that were planned before anybody knew how much they hold. Where the provider keeps to the window and its first page
// tells how many records there are, a plan without history begins with as few slices as can be, and the first page of each
// says whether it is read as it is or cut into smaller ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "domain/plan/slice_spec.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/window/time_grid.h"
#include "domain/word/window.h"

namespace patra::domain {

bool CanBeginWide(const SpecSnapshot& spec);

// How wide the slices are that such a plan begins with.
Duration WideWidth(const SpecSnapshot& spec);

// Whether a slice of that width is one of these: no other is wider than the definition says.
bool IsWide(const SpecSnapshot& spec, Duration width);

// What the first page of a walk says about all of it.
struct FirstPageSays {
  std::optional<std::int64_t> announced{};
  bool leads_on = false;     // to another page
  std::int64_t records = 0;  // of its own
};

struct WideCut {
  int pieces = 2;
  std::string why;
};

// Nothing where the slice is read as it is: because all of it comes with one page, or because it is no wider than the
// definition says. A total that stops where the provider's patience does is believed of no window that nobody vouched for:
// what needs several pages is cut until that holds. Nor is a window read as it is that lies where a longer one showed nothing, and
// does show something: it is cut into pieces as long as the provider answered for.
std::optional<WideCut> CutOfWide(const SpecSnapshot& spec, const SliceSpec& slice,
                                 const FirstPageSays& first);

// A provider that answers for part of a long window only, and does not say so, looks like one that has nothing in the rest. So
// where a slice as wide as that was read and its first or last records lie far from its ends, what lies beyond them is asked
// for alone. A slice that the definition vouches for is taken at its word unless chance would hardly leave so much of it empty.
// Nothing where that is not needed; `seen` is what remains proven.
struct UnseenEnds {
  Window seen;
  std::vector<Window> ends;
  std::optional<Duration>
      answered_for{};  // by all that is seen; of slices that the definition vouches for
};
struct DatesSeen {
  Instant oldest;
  Instant newest;
  std::int64_t records = 0;  // that the slice showed
};
std::optional<UnseenEnds> EndsToSee(const SpecSnapshot& spec, const SliceSpec& slice,
                                    const TimeGrid& grid, const DatesSeen& dates);

// Nor does one say so that answers longer windows with nothing, or for a part in which nothing lies. Before such a slice is
// believed to be empty, some windows as wide as the definition says are asked for: the newest, the oldest, and some between. None
// where the definition vouches for all of it.
std::vector<Window> WindowsToTry(const SpecSnapshot& spec, const SliceSpec& slice,
                                 const TimeGrid& grid);

// Into how many a slice is cut in which one of them showed something.
WideCut CutOfDenied(const SpecSnapshot& spec, const SliceSpec& slice, const Window& shown);

// The longest window that the definition vouches for.
Duration VouchedFor(const SpecSnapshot& spec);

}  // namespace patra::domain
