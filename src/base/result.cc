#include "base/result.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

namespace patra {

std::string_view Name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidInput:
      return "invalid input";
    case ErrorCode::kNotFound:
      return "not found";
    case ErrorCode::kConflict:
      return "conflict";
    case ErrorCode::kDuplicate:
      return "duplicate";
    case ErrorCode::kLeaseLost:
      return "lease lost";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kRefused:
      return "refused";
    case ErrorCode::kLimit:
      return "limit reached";
    case ErrorCode::kExhausted:
      return "out of resources";
    case ErrorCode::kCorruption:
      return "corruption";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kInternal:
      return "internal error";
  }
  return "unknown";
}

std::string Place::Describe() const {
  std::string text = file;
  if (line > 0) text += fmt::format("{}{}", text.empty() ? "line " : ":", line);
  if (column > 0) text += line > 0 ? fmt::format(":{}", column) : fmt::format("column {}", column);
  if (!pointer.empty()) text += text.empty() ? pointer : fmt::format(" ({})", pointer);
  return text;
}

Place PlaceOfOffset(std::string_view text, std::size_t offset) {
  const auto before = text.substr(0, std::min(offset, text.size()));
  const auto line_start = before.rfind('\n') + 1;  // npos + 1 is 0: the first line
  return {.line = static_cast<int>(std::ranges::count(before, '\n')) + 1,
          .column = static_cast<int>(before.size() - line_start) + 1};
}

Error Error::At(Place where) && {
  place = std::move(where);
  return std::move(*this);
}

Error Error::Hint(std::string what_to_do) && {
  hint = std::move(what_to_do);
  return std::move(*this);
}

Error Error::While(std::string_view doing) && {
  message = fmt::format("{}: {}", doing, message);
  return std::move(*this);
}

std::string Error::Describe() const {
  std::string text;
  if (!place.empty()) text = place.Describe() + ": ";
  text += message;
  if (!hint.empty()) text += fmt::format(" ({})", hint);
  return text;
}

std::unexpected<Error> Fail(ErrorCode code, std::string message, Place place, std::string hint) {
  return std::unexpected(Error{code, std::move(message), std::move(place), std::move(hint)});
}

void AssertionFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "patra: bug: %s does not hold at %s:%d\n", condition, file, line);
  std::abort();
}

}  // namespace patra
