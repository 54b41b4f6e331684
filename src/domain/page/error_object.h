// Errors that come with status 200 and that no rule of the source foresees.
#pragma once

#include <optional>
#include <string>

#include "base/document.h"
#include "base/json_items.h"

namespace patra::domain {

// What looks like an error in the document: in its root, in the objects on the way to the records, and in what those
// call `meta`, `header` and the like.
//
//   error, errors, exception, fault …    that says something
//   timed_out, partial, incomplete …     that is true; also in names made of such words, as isError and failedShards
//   success, ok                          that is false; valid, available, unless something beside it says that all is well
//   status, result, state                error, failed, 4xx, 5xx
//   code, errno, status_code …           neither 0 nor 2xx \  unless something beside it says
//   message, msg, detail                 any other text    /  that all is well
//
// The last two are remarks where there are records, and a page that announces none may say so in words.
enum class Beside { kRecords, kNothing, kNothingAnnounced };
std::optional<std::string> FindErrorBeside(Node root, JsonSteps steps, Beside beside);

}  // namespace patra::domain
