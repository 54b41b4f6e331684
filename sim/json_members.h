// Finds and edits members in JSON text without parsing it into values: pages are made of text, and
// what is done to a record (a projection, a fault) is done to its text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace patra::sim {

// Behind the value that starts at `at`.
std::size_t EndOfJsonValue(std::string_view text, std::size_t at);

// The object that starts at `start` and ends with the text keeps only these members.
void KeepMembers(std::string& text, std::size_t start, const std::vector<std::string>& names);

}  // namespace patra::sim
