// Moving a row from state to state by compare-and-set.
#pragma once

#include <string>

#include <fmt/format.h>

#include "base/id.h"
#include "domain/task/states.h"

namespace patra::infra::sql {

// The states from which `to` may be entered, each between two slashes, as the statements look for them.
template <typename Status>
std::string CodesBefore(Status to) {
  std::string codes = "/";
  for (const auto from : domain::StatesBefore(to)) codes.append(Code(from)).append("/");
  return codes;
}

// Success where one row moved; otherwise it was in a state that does not allow it, or is not there.
template <typename Status>
Result<void> Moved(std::int64_t rows, std::string_view what, Id id, Status to) {
  if (rows == 1) return {};
  return Fail(ErrorCode::kConflict,
              fmt::format("{} {} cannot become {} from the state it is in", what, id, Code(to)));
}

}  // namespace patra::infra::sql
