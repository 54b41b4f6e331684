#pragma once

#include <string>

#include "base/result.h"

namespace patra::boot {

// What the environment, or the file that it names in NAME_FILE, holds under that name; empty where it says nothing.
Result<std::string> OptionalSecret(const std::string& name);

}  // namespace patra::boot
