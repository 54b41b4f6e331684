// Errors that come with status 200 and that no rule of the source foresees.
#pragma once

#include <optional>
#include <string>

#include "base/document.h"
#include "base/json_items.h"

namespace patra::infra::reader {

// What looks like an error in the document: in its root, in the objects on the way to the records, and in what those
// call `meta`, `header` and the like.
//
//   error, errors, exception, fault …    that says something
//   success, ok                          that is false
//   status, result, state                error, failed, 4xx, 5xx
//   code, errno, status_code …           neither 0 nor 2xx \  unless something beside it says
//   message, msg, detail                 any other text    /  that all is well
//
// For pages without records: beside records such a member is a remark. A page that `announces_none` may say so in words.
std::optional<std::string> FindErrorBeside(Node root, JsonSteps steps, bool announces_none);

}  // namespace patra::infra::reader
