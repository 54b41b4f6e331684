// Reads a scenario of faults from YAML, of which JSON is a part.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/value.h"

namespace patra::sim {

// Keys must be unique; the error's place has the line.
Result<Value> ParseYaml(std::string_view text, std::string_view file_name);

Result<Value> ReadScenario(const std::string& path);

}  // namespace patra::sim
