// How much room text takes on a terminal, which is not how many bytes or characters it has.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace patra::adapter::cli {

// Of text in which nothing moves the cursor.
std::size_t ColumnsOf(std::string_view text);

// As much of it as has room in `columns`, the last of which then says that something is left out.
std::string FirstColumns(std::string_view text, std::size_t columns);

}  // namespace patra::adapter::cli
