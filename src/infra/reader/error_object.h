// Errors that come with status 200 and that no rule of the source foresees.
#pragma once

#include <optional>
#include <string>

#include "base/document.h"
#include "base/json_items.h"

namespace patra::infra::reader {

// What looks like an error in the document, in its root and in the objects on the way to the records: a member or element
// `error`, `errors`, `exception` or `fault` that says something, `success` or `ok` that is false, or a status that is
// called error or failed. For pages without records: beside records such a member is a remark.
std::optional<std::string> FindErrorBeside(Node root, JsonSteps steps);

}  // namespace patra::infra::reader
