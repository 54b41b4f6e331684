// XML as text: the rules of XML 1.0 that pugixml does not check, which are most of them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/document.h"
#include "base/result.h"

namespace patra {

struct XmlMeasures {
  std::size_t nodes = 0;  // elements, attributes, pieces of text
  std::size_t depth = 0;
  std::size_t children_max = 0;  // of one element, text included
  std::size_t attributes_max = 0;
  double sibling_pairs = 0;  // the sum of the squares of all numbers of children
};

// Converts what the byte order mark or the XML declaration says the encoding is to UTF-8, without
// the mark. An encoding we do not know is refused by name.
Result<std::string> XmlToUtf8(std::string bytes);

// Checks that the text is one well-formed document. REQUIRES: came from XmlToUtf8
Result<XmlMeasures> CheckXml(std::string_view text, const DocumentLimits& limits);

}  // namespace patra
