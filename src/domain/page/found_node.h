// What paths find in a page, for those that read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json_items.h"
#include "base/json_path.h"
#include "base/path.h"
#include "base/result.h"

namespace patra::domain {

// What stands at a path, nothing where it is empty. A path that fails finds nothing.
std::optional<Node> NodeAt(const Path& path, Node context, Computed& computed);
std::optional<std::string> TextAt(const std::optional<Path>& path, Node context,
                                  Computed& computed);

// What the provider wrote has more digits than a JSON number keeps: another one may read the same.
bool IsRounded(Node node);

std::optional<std::int64_t> WholeNumber(const std::optional<std::string>& text);

// A path of names alone, each of which has to stand once in its object; empty, where it has more than names.
using SimpleWay = std::vector<JsonPath::Step>;
Result<SimpleWay> SimpleWayOf(const std::string& path);

// The first name on the way that stands twice in its object: who reads the other one reads another page.
std::optional<std::string> FindTwice(Node from, JsonSteps way);

}  // namespace patra::domain
