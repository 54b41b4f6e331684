// What somebody who comes in over a network may do.
#pragma once

#include <array>

#include "domain/word/codes.h"

namespace patra::domain {

// Each may do what the ones before it may.
enum class Access {
  kViewer,    // looks
  kOperator,  // plans, decides, pauses, resumes
  kAdmin,     // moves watermarks, registries and policies
};
constexpr auto CodesOf(Access) {
  using enum Access;
  return std::to_array<Coded<Access>>(
      {{kViewer, "VIEWER"}, {kOperator, "OPERATOR"}, {kAdmin, "ADMIN"}});
}

constexpr bool Allows(Access held, Access wanted) { return held >= wanted; }

}  // namespace patra::domain
