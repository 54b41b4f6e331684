#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace patra::adapter::cli {

// In place of what was there. For what holds no records: everybody may read it whom the user's mask lets.
Result<void> WriteTextFile(const std::string& path, std::string_view text);

}  // namespace patra::adapter::cli
