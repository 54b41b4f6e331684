#include "base/quote.h"

namespace patra {

std::string Quote(std::string_view text, std::size_t bytes_max) {
  const bool cut = text.size() > bytes_max;
  auto length = cut ? bytes_max : text.size();
  const auto continues_a_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  while (cut && length > 0 && continues_a_character(length)) --length;

  std::string quoted = "'";
  for (const char c : text.substr(0, length)) {
    const auto byte = static_cast<unsigned char>(c);
    quoted += byte < 0x20 || byte == 0x7F ? '?' : c;
  }
  quoted += cut ? "…'" : "'";
  return quoted;
}

}  // namespace patra
