// What a request is for: the path in its pieces, and the query.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace patra::adapter::rest {

inline constexpr std::size_t kTargetBytesMax = 8u << 10;

struct Target {
  std::string authority{};          // of an absolute address; empty where only a path was sent
  std::vector<std::string> path{};  // what stands between slashes, decoded after it was cut
  std::vector<std::pair<std::string, std::string>> query{};
  bool is_everything = false;  // "*", which OPTIONS may ask about
};

// Refuses what two readers may read in two ways: broken escapes, control characters, bytes that are no UTF-8, empty pieces and
// those that mean "here" or "up".
Result<Target> ParseTarget(std::string_view text);

}  // namespace patra::adapter::rest
