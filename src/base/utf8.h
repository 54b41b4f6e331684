// UTF-8, one character at a time. A character is a Unicode scalar value: surrogates, overlong forms
// and anything above U+10FFFF are invalid.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace patra {

struct Utf8Character {
  char32_t code_point = 0;
  std::size_t length = 0;  // in bytes; 0 where the bytes are not valid UTF-8

  bool valid() const { return length > 0; }
};

// The character that starts at `offset`. REQUIRES: offset < text.size()
Utf8Character DecodeUtf8(std::string_view text, std::size_t offset);

// REQUIRES: code_point is a Unicode scalar value
void AppendUtf8(char32_t code_point, std::string& out);

// The offset of the first byte that is not part of a valid character, or npos.
std::size_t FindInvalidUtf8(std::string_view text);

// At most so many bytes from `offset` on, without the parts of characters at either end.
std::string_view WholeCharacters(std::string_view text, std::size_t offset, std::size_t bytes_max);

// How many characters. REQUIRES: text is valid UTF-8
std::size_t CountCharacters(std::string_view text);

}  // namespace patra
