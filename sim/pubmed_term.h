// The dates inside a PubMed search term.
#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"

namespace patra::sim {

// A range of days: 2024/01/01:2024/01/31[mdat], with or without quotes, also written as
// "2024/01/01"[mdat] : "2024/01/31"[mdat].
struct TermRange {
  std::string_view field;  // "mdat", "edat", …
  Instant from;
  Instant to;  // behind the last day
};
std::optional<TermRange> FindRangeInTerm(std::string_view term);

// Whether a field counts changes; the others count entries.
bool CountsModification(std::string_view field);

}  // namespace patra::sim
