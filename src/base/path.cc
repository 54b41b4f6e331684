#include "base/path.h"

#include <utility>

namespace patra {

Result<Path> Path::Compile(std::string_view text, const PathOptions& options) {
  if (options.language == PathLanguage::kJsonPath) {
    return Path(PATRA_TRY(JsonPath::Compile(text)));
  }
  return Path(PATRA_TRY(XPath::Compile(text, options.namespaces)));
}

Result<std::vector<Node>> Path::Select(Node context, Computed& computed, PathLimits limits) const {
  if (const auto* path = std::get_if<JsonPath>(&path_)) return path->Select(context, limits);
  const auto& path = std::get<XPath>(path_);
  if (path.selects_nodes()) return path.Select(context, limits);
  auto value = PATRA_TRY(path.Compute(context, limits));
  return std::vector<Node>{computed.Keep(std::move(value))};
}

Result<std::optional<Node>> Path::First(Node context, Computed& computed, PathLimits limits) const {
  if (const auto* path = std::get_if<JsonPath>(&path_)) return path->First(context, limits);
  const auto& path = std::get<XPath>(path_);
  if (path.selects_nodes()) return path.First(context, limits);
  auto value = PATRA_TRY(path.Compute(context, limits));
  return computed.Keep(std::move(value));
}

bool Path::is_singular() const {
  if (const auto* path = std::get_if<JsonPath>(&path_)) return path->singular();
  return !std::get<XPath>(path_).selects_nodes();
}

PathLanguage Path::language() const {
  return std::holds_alternative<JsonPath>(path_) ? PathLanguage::kJsonPath : PathLanguage::kXPath;
}

std::string_view Path::text() const {
  return std::visit([](const auto& path) { return path.text(); }, path_);
}

}  // namespace patra
