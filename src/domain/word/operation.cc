#include "domain/word/operation.h"

#include <fmt/format.h>

namespace patra::domain {

std::string_view Code(Operation operation) {
  switch (operation) {
    case Operation::kHarvest:
      return "HARVEST";
    case Operation::kUpdate:
      return "UPDATE";
    case Operation::kBackfill:
      return "BACKFILL";
  }
  return "UNKNOWN";
}

Result<Operation> OperationFromCode(std::string_view code) {
  for (const auto operation : {Operation::kHarvest, Operation::kUpdate, Operation::kBackfill}) {
    if (Code(operation) == code) return operation;
  }
  return Fail(ErrorCode::kCorruption, fmt::format("'{}' is not a known operation", code));
}

int DefaultPriority(Operation operation) {
  switch (operation) {
    case Operation::kHarvest:
      return 3;
    case Operation::kUpdate:
      return 5;
    case Operation::kBackfill:
      return 7;
  }
  return 9;
}

}  // namespace patra::domain
