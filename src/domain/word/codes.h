// Enumerations with the codes that snapshots and dictionaries use ("TOKEN"); definitions write them
// in lower case. One table per enumeration, next to it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace patra::domain {

template <typename E>
struct Coded {
  E value;
  std::string_view code;
};

// An enumeration whose table CodesOf(E) is declared beside it.
template <typename E>
concept CodedEnum = std::is_enum_v<E> && requires(E value) { CodesOf(value); };

template <CodedEnum E>
constexpr std::string_view CodeOf(E value) {
  for (const auto& [known, code] : CodesOf(E{})) {
    if (known == value) return code;
  }
  return "";
}

std::string LowerCode(std::string_view code);

// In any case: "token" and "TOKEN" are the same code.
template <CodedEnum E>
std::optional<E> FindCode(std::string_view text) {
  const auto wanted = LowerCode(text);
  for (const auto& [value, code] : CodesOf(E{})) {
    if (LowerCode(code) == wanted) return value;
  }
  return std::nullopt;
}

// As definitions write them.
template <CodedEnum E>
std::vector<std::string> LowerCodes() {
  std::vector<std::string> codes;
  for (const auto& [value, code] : CodesOf(E{})) codes.push_back(LowerCode(code));
  return codes;
}

}  // namespace patra::domain
