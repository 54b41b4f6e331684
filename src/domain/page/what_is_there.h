// What stands in a page where its definition looks for something else: for who has to put the definition right.
#pragma once

#include <string>
#include <string_view>

#include "base/document.h"
#include "base/json_items.h"

namespace patra::domain {

// "$.data has total, rows and page; did you mean 'rows'?"
std::string WhatIsThere(JsonSteps steps, const NoItems& none);

// Whether a member stands there whose name is nearly the one that is looked for: then that is mistyped rather than missing.
bool IsNearlyThere(JsonSteps steps, const NoItems& none);

// What is there, for a path of names such as that of a total: from its first step on that finds nothing.
std::string WhatIsThere(Node root, JsonSteps steps);

}  // namespace patra::domain
