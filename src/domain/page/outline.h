// What stands in an answer, for people whose definition does not fit it yet: members, types, how long lists are.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"

namespace patra::domain {

// An answer that is JSON or XML, whatever its headers say. Of XML the names are as they are written, attributes have an @,
// elements that repeat are a list, and `root` is the document element.
struct ParsedAnswer {
  Value content;
  bool is_xml = false;
  std::string root{};
  std::map<std::string, std::string>
      namespaces{};  // of prefixes that names have, as the document element says
};
Result<ParsedAnswer> ParseAnswer(std::string_view body);

// One line per member, with indents as deep as it stands; the elements of a list are looked at together, and what only some of
// them have says of how many. Bounded, however large the answer is.
std::vector<std::string> OutlineOf(const ParsedAnswer& answer);

}  // namespace patra::domain
