#include "app/port/transport.h"

#include <algorithm>

namespace patra::app {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

const std::string* HttpResponse::Header(std::string_view name) const {
  const auto found = std::ranges::find_if(headers, [&](const auto& header) {
    return std::ranges::equal(header.first, name, {}, Lower, Lower);
  });
  return found == headers.end() ? nullptr : &found->second;
}

}  // namespace patra::app
