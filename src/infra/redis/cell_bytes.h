// A cell as Redis keeps it: only what differs from an empty one, which is some hundred bytes of thirty thousand.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "domain/gate/gate_cell.h"

namespace patra::infra::redis {

std::string BytesOf(const domain::GateCell& cell);

// Nothing where they were written by a version that lays cells out in another way, or are damaged.
std::optional<domain::GateCell> CellIn(std::string_view bytes);

}  // namespace patra::infra::redis
