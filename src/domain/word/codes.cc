#include "domain/word/codes.h"

#include <algorithm>

namespace patra::domain {

std::string LowerCode(std::string_view code) {
  std::string lower(code);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

}  // namespace patra::domain
