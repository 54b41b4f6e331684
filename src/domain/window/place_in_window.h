// Whether a record is what was asked for.
#pragma once

#include "domain/spec/spec_snapshot.h"
#include "domain/word/window.h"

namespace patra::domain {

enum class PlaceInWindow {
  kInside,
  kAtEdge,  // within one step of the provider's filter: another slice's, and nothing to wonder about
  kOutside,  // further away than a filter that works would let pass
};

PlaceInWindow FindPlace(const WindowSpec& spec, const Window& window, Instant date);

}  // namespace patra::domain
