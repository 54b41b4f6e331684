// Chance for secrets, from the system. What is no secret uses base/random.h, which a test can repeat.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace patra {

Result<std::string> SecretBytes(std::size_t count);

}  // namespace patra
