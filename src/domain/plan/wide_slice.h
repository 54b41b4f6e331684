// Slices that were planned before anybody knew how much they hold. Where the provider keeps to the window and its first page
// tells how many records there are, a plan without history begins with as few slices as can be, and the first page of each
// says whether it is read as it is or cut into smaller ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"
#include "domain/plan/slice_spec.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

bool CanBeginWide(const SpecSnapshot& spec);

// How wide the slices are that such a plan begins with.
Duration WideWidth(const SpecSnapshot& spec);

// Whether a slice of that width is one of these: no other is wider than the definition says.
bool IsWide(const SpecSnapshot& spec, Duration width);

// What the first page of a walk says about all of it.
struct FirstPageSays {
  std::optional<std::int64_t> announced{};
  bool leads_on = false;  // to another page
};

struct WideCut {
  int pieces = 2;
  std::string why;
};

// Nothing where the slice is read as it is. One that holds more than a slice should is cut into as many as it takes. What a
// planner made is cut further, so that several workers have something to do; its pieces are not.
std::optional<WideCut> CutOfWide(const SpecSnapshot& spec, const SliceSpec& slice,
                                 const FirstPageSays& first);

}  // namespace patra::domain
