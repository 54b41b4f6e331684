// Where a record in quarantine stood in its page.
#pragma once

#include <optional>
#include <string_view>

#include "domain/word/quarantined.h"

namespace patra::app {

// Nothing where the page does not have these bytes as they are. `bytes_max` of either side.
std::optional<domain::Surroundings> SurroundingsOf(std::string_view page, std::string_view record,
                                                   std::size_t bytes_max);

}  // namespace patra::app
