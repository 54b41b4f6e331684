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

// The one value that stands at a path, nothing where there is none or it is empty. Several that differ are an
// error (kConflict): nobody knows which of them is meant.
Result<std::optional<Node>> NodeAt(const Path& path, Node context, Computed& computed);
Result<std::optional<std::string>> TextAt(const std::optional<Path>& path, Node context,
                                          Computed& computed);

// What the provider wrote has more digits than a JSON number keeps: another one may read the same.
bool IsRounded(Node node);

std::optional<std::int64_t> WholeNumber(const std::optional<std::string>& text);

// The steps of a path. The names that it begins with have to stand once in their objects.
using SimpleWay = std::vector<JsonPath::Step>;
Result<SimpleWay> SimpleWayOf(const std::string& path);

// The first name on the way that stands twice in its object: who reads the other one reads another page.
std::optional<std::string> FindTwice(Node from, JsonSteps way);

}  // namespace patra::domain
