// Edits members in JSON text without parsing it into values: pages are made of text, and what is
// done to a record (a projection, a fault) is done to its text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace patra::sim {

// Where a member is: from its opening quote to behind its value.
struct JsonMember {
  std::size_t begin = 0;
  std::size_t value_begin = 0;
  std::size_t end = 0;
};

// The member at "a/b" of the object that starts at `start`.
std::optional<JsonMember> FindMember(std::string_view text, std::size_t start,
                                     std::string_view path);

// The object that starts at `start` and ends with the text keeps only these members.
void KeepMembers(std::string& text, std::size_t start, const std::vector<std::string>& names);

}  // namespace patra::sim
