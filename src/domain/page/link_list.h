// A list of links, each with what it is for: [{"rel": "next", "href": "…"}], as STAC, OGC and FHIR have it.
#pragma once

#include <optional>
#include <string>

#include "base/document.h"

namespace patra::domain {

// The way from the list to the address of the next page, as a path has it: "[?@.rel=='next'].href". Nothing where none leads
// there.
std::optional<std::string> WayToNextLink(Node list);

}  // namespace patra::domain
