// A provider's answer as far as pages are read from it. It views what its caller holds.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/time.h"

namespace patra::domain {

// The first header of that name, whatever its case.
const std::string* FindHeader(std::span<const std::pair<std::string, std::string>> headers,
                              std::string_view name);

struct PageAnswer {
  int status = 0;
  std::span<const std::pair<std::string, std::string>> headers{};  // as sent, in their order
  const std::string& body;                                         // unpacked
  Instant received_at;
  bool has_headers = true;  // false of what the raw vault kept
};

}  // namespace patra::domain
