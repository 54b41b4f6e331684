#include "base/plain_text.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/utf8.h"

namespace patra {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";

// Most text consists of these.
bool IsPlainByte(char c) { return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t'; }

std::size_t LengthByFirstByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
}

// Calls `on_control` for each, with the character and what follows it; bytes that are no character are replaced.
template <typename OnControl>
std::string WithControls(std::string_view text, const OnControl& on_control) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto character = DecodeUtf8(text, at);
    const auto length = std::max<std::size_t>(character.length, 1);
    if (!character.valid()) {
      out += kReplacement;
    } else if (IsControlCharacter(character.code_point)) {
      on_control(character.code_point, text.substr(at + length), out);
    } else {
      out += text.substr(at, length);
    }
    at += length;
  }
  return out;
}

void Spell(char32_t character, std::string& out) {
  out += fmt::format("\\u{:04x}", static_cast<unsigned>(character));
}

bool IsNumber(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto* end = text.data() + text.size();
  const auto [at, problem] = std::from_chars(text.data(), end, number);
  // "-inf" and its like are names.
  return problem == std::errc() && at == end &&
         (text.back() == '.' || (text.back() >= '0' && text.back() <= '9'));
}

bool IsTakenForFormula(std::string_view text) {
  constexpr std::string_view kStarts = "=+-@\t\r\n";
  constexpr std::string_view kWideStarts[] = {"\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
  // Some programs skip blanks, and where another separator is usual, a cell begins behind it.
  text.remove_prefix(std::min(text.find_first_not_of(" ;,"), text.size()));
  if (text.empty()) return false;
  if (std::ranges::any_of(kWideStarts, [&](auto start) { return text.starts_with(start); }))
    return true;
  return kStarts.find(text.front()) != std::string_view::npos && !IsNumber(text);
}

bool IsShellWord(std::string_view text) {
  // A comment begins with # at the beginning of a word only.
  return !text.empty() && text.front() != '#' && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./:@%+=,-#").find(c) != std::string_view::npos;
  });
}

bool HasControls(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto character = DecodeUtf8(text, at);
    if (!character.valid() || IsControlCharacter(character.code_point)) return true;
    at += character.length;
  }
  return false;
}

}  // namespace

bool IsControlCharacter(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

std::size_t AppendSpelled(std::string_view text, std::string& out) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto plain_end = static_cast<std::size_t>(
        std::ranges::find_if_not(text.substr(at), IsPlainByte) - text.substr(at).begin());
    out += text.substr(at, plain_end);
    at += plain_end;
    if (at == text.size()) break;
    const auto left = text.size() - at;
    const auto character = DecodeUtf8(text, at);
    const bool is_return = text[at] == '\r';
    // More bytes may tell what this is.
    if ((!character.valid() && LengthByFirstByte(text[at]) > left) || (is_return && left == 1))
      break;
    if (!character.valid()) {
      out += kReplacement;
    } else if (IsControlCharacter(character.code_point) && !(is_return && text[at + 1] == '\n')) {
      Spell(character.code_point, out);
    } else {
      out += text.substr(at, character.length);
    }
    at += std::max<std::size_t>(character.length, 1);
  }
  return at;
}

std::string Spelled(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  const auto rest = text.substr(AppendSpelled(text, out));
  return out + SpelledOnOneLine(rest);
}

std::string SpelledOnOneLine(std::string_view text) {
  return WithControls(
      text, [](char32_t character, std::string_view, std::string& out) { Spell(character, out); });
}

std::string ForSpreadsheet(std::string_view text) {
  auto cell = WithControls(text, [](char32_t character, std::string_view rest, std::string& out) {
    const bool ends_line = character == '\n' || (character == '\r' && rest.starts_with('\n'));
    if (ends_line || character == '\t') {
      out += static_cast<char>(character);
    } else {
      out += kReplacement;
    }
  });
  return IsTakenForFormula(cell) ? "'" + cell : cell;
}

std::string ForShell(std::string_view text) {
  if (IsShellWord(text)) return std::string(text);
  const bool has_controls = HasControls(text);
  std::string word = has_controls ? "$'" : "'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (!has_controls) {
      word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    } else if (c == '\'' || c == '\\') {
      word += std::string("\\") + c;
    } else if (byte >= 0x20 && byte < 0x7F) {
      word += c;
    } else {
      // Three octal digits, so that none of what follows is taken for a part of it.
      word += fmt::format("\\{:03o}", byte);
    }
  }
  return word + "'";
}

}  // namespace patra
