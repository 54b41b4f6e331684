// What is done with the records of an endpoint.
#pragma once

#include <string_view>

#include "base/result.h"

namespace patra::domain {

enum class Operation { kHarvest, kUpdate, kBackfill };

std::string_view Code(Operation operation);  // "HARVEST"
Result<Operation> OperationFromCode(std::string_view code);

// Smaller is more urgent.
int DefaultPriority(Operation operation);

}  // namespace patra::domain
