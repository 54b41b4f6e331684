// What evaluating one path may cost, whatever the language.
#pragma once

#include <cstddef>
#include <cstdint>

namespace patra {

struct PathLimits {
  std::size_t results_max = 1'000'000;
  std::uint64_t steps_max = 50'000'000;  // places looked at; about a second or two
};

inline constexpr std::size_t kPathTextBytesMax = 16 << 10;

}  // namespace patra
