// The codes that a filter asks for: the one it names, or all that there are.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/close_match.h"
#include "base/result.h"
#include "domain/task/states.h"
#include "domain/word/operation.h"

namespace patra::infra::sql {

inline Result<std::vector<std::string_view>> AskedOf(std::string_view asked,
                                                     std::vector<std::string_view> known,
                                                     std::string_view what) {
  if (asked.empty()) return known;
  const auto found = std::ranges::find(known, asked);
  if (found != known.end()) return std::vector{*found};
  return Fail(ErrorCode::kInvalidInput, fmt::format("there is no {} '{}'", what, asked), {},
              DidYouMean(asked, known, fmt::format("one of {}", fmt::join(known, ", "))));
}

// REQUIRES: every state occurs in a transition
template <typename Status>
Result<std::vector<std::string_view>> AskedStates(std::string_view asked) {
  std::vector<std::string_view> known;
  const auto add = [&](Status status) {
    if (std::ranges::find(known, Code(status)) == known.end()) known.push_back(Code(status));
  };
  for (const auto& move : domain::Transitions<Status>()) {
    add(move.from);
    add(move.to);
  }
  return AskedOf(asked, std::move(known), "status");
}

inline Result<std::vector<std::string_view>> AskedOperations(std::string_view asked) {
  using enum domain::Operation;
  return AskedOf(asked, {Code(kHarvest), Code(kUpdate), Code(kBackfill)}, "operation");
}

}  // namespace patra::infra::sql
