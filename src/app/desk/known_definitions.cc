#include "app/desk/known_definitions.h"

#include <fmt/format.h>

namespace patra::app {

Result<std::pair<std::string, std::string>> EndpointOf(const std::string& target) {
  auto named = domain::TargetOf(target);
  if (!named.endpoint) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' names no endpoint", target), {},
                "write SOURCE/ENDPOINT");
  }
  return std::pair(std::move(named.source), *std::move(named.endpoint));
}

}  // namespace patra::app
