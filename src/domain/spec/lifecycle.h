// How far a source's definition is: what becomes of it, not of what was planned with it.
#pragma once

#include <array>

#include "domain/word/codes.h"

namespace patra::domain {

enum class Lifecycle {
  kActive,
  kDraft,       // planned where somebody asks for it, and by nobody else
  kDeprecated,  // planned, with a warning
  kRetired,     // not planned
};
constexpr auto CodesOf(Lifecycle) {
  using enum Lifecycle;
  return std::to_array<Coded<Lifecycle>>(
      {{kActive, "ACTIVE"}, {kDraft, "DRAFT"}, {kDeprecated, "DEPRECATED"}, {kRetired, "RETIRED"}});
}

}  // namespace patra::domain
