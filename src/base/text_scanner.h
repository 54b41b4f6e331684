// Walks over a short text from left to right: the common ground of the parsers for times,
// durations, patterns, cron and template expressions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace patra {

// ASCII only, whatever the locale.
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
constexpr char ToLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

inline bool EqualIgnoringCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, ToLower, ToLower);
}

// Without the blanks at both ends.
constexpr std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  return text;
}

class TextScanner {
 public:
  explicit TextScanner(std::string_view text) : text_(text) {}

  bool done() const { return offset_ == text_.size(); }
  std::size_t offset() const { return offset_; }
  std::string_view text() const { return text_; }
  std::string_view rest() const { return text_.substr(offset_); }
  char peek() const { return done() ? '\0' : text_[offset_]; }

  void Seek(std::size_t offset) { offset_ = std::min(offset, text_.size()); }

  bool Take(char c) {
    if (done() || text_[offset_] != c) return false;
    ++offset_;
    return true;
  }

  bool Take(std::string_view word) {
    if (!rest().starts_with(word)) return false;
    offset_ += word.size();
    return true;
  }

  bool TakeIgnoringCase(std::string_view word) {
    if (!EqualIgnoringCase(rest().substr(0, word.size()), word)) return false;
    offset_ += word.size();
    return true;
  }

  template <typename Predicate>
  std::string_view TakeWhile(Predicate belongs) {
    const auto start = offset_;
    while (!done() && belongs(text_[offset_])) ++offset_;
    return text_.substr(start, offset_ - start);
  }

  std::string_view TakeDigits() { return TakeWhile(IsDigit); }
  std::string_view TakeLetters() { return TakeWhile(IsLetter); }
  void SkipBlanks() { TakeWhile(IsBlank); }

  // The number that the next `fewest` to `most` digits make, as many as are there. Takes nothing if
  // there are fewer. REQUIRES: most <= 9
  std::optional<int> TakeNumber(int fewest, int most) {
    int number = 0;
    int count = 0;
    while (count < most && IsDigit(peek())) {
      number = number * 10 + (text_[offset_] - '0');
      ++offset_;
      ++count;
    }
    if (count >= fewest) return number;
    offset_ -= static_cast<std::size_t>(count);
    return std::nullopt;
  }

  // For errors: the place of the next character, in a text of one line.
  Place place() const { return PlaceAt(offset_); }
  static Place PlaceAt(std::size_t offset) { return {.column = static_cast<int>(offset) + 1}; }

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
};

}  // namespace patra
