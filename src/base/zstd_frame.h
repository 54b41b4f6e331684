// One zstd frame, level 1: a page becomes about six times smaller, at a cost far below parsing it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace patra {

std::string Compress(std::string_view bytes);
Result<std::string> Decompress(std::string_view frame, std::size_t bytes_max);

}  // namespace patra
