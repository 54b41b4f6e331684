// What this way in calls the steps that texts name (domain/word/step.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"

namespace patra::adapter::rest {

// The text as a caller of the API reads it: "POST /api/v1/fuses/reset with target demo/items" for ‹fuse.reset demo/items›.
std::string Readable(std::string_view text);

// The steps that the text names, each {"step", "arguments"}, once.
void AppendSteps(std::string_view text, Value::Array& steps);

struct KnownStep {
  std::string_view name;
  std::string_view call;  // METHOD /path of the table; empty: no call of the API does it
};
std::vector<KnownStep> KnownSteps();

}  // namespace patra::adapter::rest
