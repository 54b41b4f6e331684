#include "app/desk/known_definitions.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

namespace patra::app {

Result<void> KnownDefinitions::CheckTarget(const domain::SourceTarget& target) {
  auto known = PATRA_TRY(Known());
  auto checked = app::CheckTarget(known.definitions, target);
  if (checked) return checked;
  AddNew(known.problems, known.left_out);
  const auto is_of_target = [&](const Error& error) {
    return std::filesystem::path(error.place.file).stem() == target.source;
  };
  const auto own = std::ranges::find_if(known.problems, is_of_target);
  if (own != known.problems.end()) return std::unexpected(*own);
  // Where there is none that can be used, it is the one that is meant.
  if (known.definitions.empty() && !known.problems.empty())
    return std::unexpected(known.problems.front());
  return checked;
}

Result<std::pair<std::string, std::string>> EndpointOf(const std::string& target) {
  auto named = domain::TargetOf(target);
  if (!named.endpoint) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' names no endpoint", target), {},
                "write SOURCE/ENDPOINT");
  }
  return std::pair(std::move(named.source), *std::move(named.endpoint));
}

}  // namespace patra::app
