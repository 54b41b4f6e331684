// The records of a JSON page: everything that a path leads to, never the first of many.
//
//   $.items            the elements of the array
//   $.items[*]         the same; of an object, its members
//   $.groups[*].items[*]
//   $.hits[*]._source  with a wildcard, each node that it ends at is a record
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/document.h"
#include "base/json_path.h"

namespace patra {

using JsonSteps = std::span<const JsonPath::Step>;

// Whether the steps end at one place whose elements are the records.
bool LeadsToOneList(JsonSteps steps);

struct JsonItems {
  std::vector<Node> nodes;
  bool are_members = false;   // of objects
  bool are_too_many = false;  // then `nodes` holds some of them
};

// Nothing where a step finds nothing in any of the nodes that it comes to - a member that is
// missing, children of what has none, an object among lists - or where the one place is no array: then this is not
// the page that the path was written for, which is something else than a page without records.
// Not more than `nodes_max` are looked at, in any step.
std::optional<JsonItems> FindJsonItems(Node root, JsonSteps steps, std::size_t nodes_max);

}  // namespace patra
