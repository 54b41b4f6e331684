// Reading simdjson's tape, the array of 64-bit words that a parsed document is (its format is
// documented with the library). A node is an index on it; going to the next sibling is one load.
// The library's own element class is the same thing, but cannot be made from an index.
// Include it only from .cc files of this folder.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include <simdjson.h>

namespace patra::tape {

using Tape = simdjson::dom::document;

inline constexpr std::size_t kRoot = 1;  // the first word only points to the end

// [ { " l (int64) u (uint64) d (double) t f n
inline char Type(const Tape& tape, std::size_t index) {
  return static_cast<char>(tape.tape[index] >> 56);
}
inline std::uint64_t Payload(const Tape& tape, std::size_t index) {
  return tape.tape[index] & 0x00FF'FFFF'FFFF'FFFF;
}

// Containers hold the index behind their closing bracket; numbers take two words.
inline std::size_t After(const Tape& tape, std::size_t index) {
  switch (Type(tape, index)) {
    case '[':
    case '{':
      return static_cast<std::uint32_t>(Payload(tape, index));
    case 'l':
    case 'u':
    case 'd':
      return index + 2;
    default:
      return index + 1;
  }
}

// Where the container's closing bracket is.
inline std::size_t Close(const Tape& tape, std::size_t index) { return After(tape, index) - 1; }

inline std::string_view Text(const Tape& tape, std::size_t index) {
  const auto* at = tape.string_buf.get() + Payload(tape, index);
  std::uint32_t length = 0;
  std::memcpy(&length, at, sizeof length);
  return {reinterpret_cast<const char*>(at) + sizeof length, length};
}

template <typename T>
T Number(const Tape& tape, std::size_t index) {
  return std::bit_cast<T>(tape.tape[index + 1]);
}

// Items or members of the container.
inline std::size_t Size(const Tape& tape, std::size_t index) {
  constexpr std::uint64_t kSaturated = 0xFF'FFFF;
  const auto counted = Payload(tape, index) >> 32;
  if (counted < kSaturated) return counted;
  std::size_t size = 0;
  const bool is_object = Type(tape, index) == '{';
  for (auto at = index + 1; at != Close(tape, index); ++size) {
    at = After(tape, is_object ? at + 1 : at);
  }
  return size;
}

inline std::optional<std::size_t> Member(const Tape& tape, std::size_t object,
                                         std::string_view name) {
  const auto close = Close(tape, object);
  for (auto key = object + 1; key != close; key = After(tape, key + 1)) {
    if (Text(tape, key) == name) return key + 1;
  }
  return std::nullopt;
}

inline std::optional<std::size_t> Item(const Tape& tape, std::size_t array, std::size_t index) {
  const auto close = Close(tape, array);
  auto at = array + 1;
  for (; at != close && index > 0; --index) at = After(tape, at);
  if (at == close) return std::nullopt;
  return at;
}

}  // namespace patra::tape
