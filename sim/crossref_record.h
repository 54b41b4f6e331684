// Crossref's format of one work, as marked text (see spliced_text.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/value.h"
#include "sim/work.h"

namespace patra::sim {

std::string WriteCrossrefWork(const Work& work);

// {"title", "type", "publisher", "issued", "container", "authors": [family names]}
Value CrossrefFields(const Work& work, std::string_view serial);

std::string CrossrefDoi(std::int64_t item);
std::optional<std::int64_t> ItemOfCrossrefDoi(std::string_view doi);

// Crossref escapes every slash.
std::string EscapeSlashes(std::string_view text);

}  // namespace patra::sim
