// What is more than one page may hold.
#pragma once

#include <string_view>

#include <fmt/format.h>

#include "base/result.h"

namespace patra::domain {

inline std::unexpected<Error> TooMany(std::string_view what, std::size_t most) {
  return Fail(ErrorCode::kExhausted, fmt::format("the page has more than {} {}", most, what), {},
              "smaller pages, or smaller windows, hold fewer");
}

}  // namespace patra::domain
