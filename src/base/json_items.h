// The records of a JSON page: everything that a path leads to, never the first of many.
//
//   $.items                  the elements of the array
//   $.items[*]               the same; of an object, its members
//   $.groups[*].items[*]
//   $.hits[*]._source        with a wildcard, each node that it ends at is a record
//   $.entries[?@.kind=='x']  so it is with all else that selects several: filters, slices, descendants, several names
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/document.h"
#include "base/json_path.h"
#include "base/result.h"

namespace patra {

using JsonSteps = std::span<const JsonPath::Step>;

// Whether the steps end at one place whose elements are the records.
bool LeadsToOneList(JsonSteps steps);

// "$.message.items[*]", as far as the steps say it; of one that chooses, "[…]".
std::string PathOf(JsonSteps steps);

struct JsonItems {
  std::vector<Node> nodes;
  // They are members of objects, or chosen by more than their place: only their content tells whether they are records.
  bool are_told_by_content = false;
  bool are_too_many = false;    // then `nodes` holds some of them
  std::size_t passed_over = 0;  // by filters on the way: they were there, and are not meant
};

// Where the way ends: the step that finds nothing, or one beyond the last where the place that is found is no array.
struct NoItems {
  std::size_t step = 0;
  Node at;
};

// What a member that is not there, or is null, means on the way to the records.
enum class AbsentMember { kNoPage, kNoRecords };

// NoItems where a name, an index or a wildcard finds nothing in any of the nodes that it comes to - a member that is
// missing, children of what has none, an object among lists - or where the one place is no array: then this is not
// the page that the path was written for, which is something else than a page without records. What chooses among children
// may choose none of them, but children there have to be. With kNoRecords, the records of a member that is absent are none.
// Not more than `nodes_max` are looked at, in any step. An error where the path takes too many steps.
Result<std::variant<JsonItems, NoItems>> FindJsonItems(Node root, const JsonPath& path,
                                                       JsonSteps steps, std::size_t nodes_max,
                                                       AbsentMember absent = AbsentMember::kNoPage);

}  // namespace patra
