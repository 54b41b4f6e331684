// A filter of `items` that no record of a page passes: there may be none that is meant, or it compares a member that no record has.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/document.h"
#include "base/json_items.h"

namespace patra::domain {

// The members of a record that the filters of a path compare: "$.a[?@.kind=='x' && @.on]" has kind. What a filter asks for the mere
// presence of is not among them: there, a record that lacks it is passed over as it should be.
std::vector<std::string> ComparedMembers(std::string_view path);

// The first of them that no record has, in the list that the steps lead to. Nothing where all are met, or the way is no simple one.
std::optional<std::string> UnmetMember(Node root, JsonSteps steps, std::string_view path);

}  // namespace patra::domain
