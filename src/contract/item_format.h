// Records as lines of a file: JSON Lines, or CSV as RFC 4180 has it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contract/items.h"

namespace patra::contract {

// One JSON object and a line feed. Only the chosen fields where some are given.
Result<std::string> JsonLine(const ItemRow& item, const std::vector<std::string>& fields);

// Source, endpoint, id, times and the fields; ends with CR LF, as all lines of RFC 4180 do.
std::string CsvHeader(const std::vector<std::string>& fields);

// Lists and objects become JSON, what is missing stays empty.
Result<std::string> CsvLine(const ItemRow& item, const std::vector<std::string>& fields);

// Quoted where it has to be.
std::string CsvCell(std::string_view text);

}  // namespace patra::contract
