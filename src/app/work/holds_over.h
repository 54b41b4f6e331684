// What keeps the work of one lane back, or of all.
#pragma once

#include <optional>
#include <vector>

#include "app/port/hold_repository.h"
#include "domain/word/lane.h"

namespace patra::app {

// Planners' too: who works off what is left wonders else why nothing more comes. None where there is no repository.
Result<std::vector<domain::Hold>> HoldsOver(HoldRepository* repository,
                                            const std::optional<domain::Lane>& only);

}  // namespace patra::app
