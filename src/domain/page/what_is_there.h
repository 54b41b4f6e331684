// What stands in a page where its definition looks for something else: for who has to put the definition right.
#pragma once

#include <string>
#include <string_view>

#include "base/document.h"
#include "base/json_items.h"

namespace patra::domain {

// "$.data has total, rows and page; did you mean 'rows'?"
std::string WhatIsThere(JsonSteps steps, const NoItems& none);

// The same for a path of names, such as that of a total: from its first step on that finds nothing.
std::string WhatIsThere(Node root, JsonSteps steps);

}  // namespace patra::domain
