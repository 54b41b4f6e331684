// Whole numbers in texts that this program or a provider wrote.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace patra {

// The whole text, in decimal, with a minus at most; nothing where it is anything else or does not fit.
std::optional<std::int64_t> ParseInteger(std::string_view text);

}  // namespace patra
