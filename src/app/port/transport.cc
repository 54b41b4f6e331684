#include "app/port/transport.h"

#include <algorithm>

#include "base/text_scanner.h"

namespace patra::app {

const std::string* HttpResponse::Header(std::string_view name) const {
  const auto found = std::ranges::find_if(
      headers, [&](const auto& header) { return EqualIgnoringCase(header.first, name); });
  return found == headers.end() ? nullptr : &found->second;
}

}  // namespace patra::app
