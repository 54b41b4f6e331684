#include "base/quote.h"

#include <algorithm>

#include "base/plain_text.h"
#include "base/utf8.h"

namespace patra {

std::string Quote(std::string_view text, std::size_t bytes_max) {
  const bool cut = text.size() > bytes_max;
  auto length = cut ? bytes_max : text.size();
  const auto continues_a_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  while (cut && length > 0 && continues_a_character(length)) --length;

  std::string quoted = "'";
  const auto kept = text.substr(0, length);
  for (std::size_t at = 0; at < kept.size();) {
    const auto character = DecodeUtf8(kept, at);
    const auto bytes = std::max<std::size_t>(character.length, 1);
    if (!character.valid() || IsControlCharacter(character.code_point)) {
      quoted += '?';
    } else {
      quoted += kept.substr(at, bytes);
    }
    at += bytes;
  }
  quoted += cut ? "…'" : "'";
  return quoted;
}

}  // namespace patra
