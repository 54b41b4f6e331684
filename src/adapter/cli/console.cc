#include "adapter/cli/console.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/steps.h"
#include "base/plain_text.h"

namespace patra::adapter::cli {
namespace {

std::string_view Line(std::string_view text, int number) {
  for (int i = 1; i < number; ++i) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

// Columns count bytes, a caret counts characters: continuation bytes of UTF-8 take no room.
std::size_t CharactersBefore(std::string_view line, int column) {
  const auto before = line.substr(0, static_cast<std::size_t>(std::max(column, 1) - 1));
  return static_cast<std::size_t>(std::ranges::count_if(
      before, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// Who speaks; red on a terminal, so that an error stands out of what else is there.
void PrintSpeaker(const Console& console) {
  if (console.color && console.live != nullptr) {
    console.err.flush();
    fmt::print(*console.live, "\x1b[31mpatra:\x1b[0m ");
  } else {
    fmt::print(console.err, "patra: ");
  }
}

}  // namespace

ExitCode ExitCodeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidInput:
      return kInvalidConfiguration;
    case ErrorCode::kUnavailable:
    case ErrorCode::kExhausted:
      return kTryLater;
    case ErrorCode::kRefused:
      return kRefused;
    case ErrorCode::kLimit:
      return kStoppedByLimit;
    case ErrorCode::kCancelled:
      return kInterrupted;
    case ErrorCode::kNotFound:
    case ErrorCode::kConflict:
    case ErrorCode::kDuplicate:
    case ErrorCode::kLeaseLost:
    case ErrorCode::kCorruption:
    case ErrorCode::kInternal:
      return kFailed;
  }
  return kFailed;
}

void Report(const Console& console, const Error& error) {
  const auto place = error.place.Describe();
  PrintSpeaker(console);
  fmt::print(console.err, "{}{}{}\n", SpelledOnOneLine(place), place.empty() ? "" : ": ",
             SpelledOnOneLine(Typed(error.message)));
  if (!error.hint.empty()) fmt::print(console.err, "  {}\n", SpelledOnOneLine(Typed(error.hint)));
}

void ReportIn(const Console& console, std::string_view expression, const Error& error) {
  PrintSpeaker(console);
  fmt::print(console.err, "{}\n", error.message);
  if (error.place.column > 0) {
    std::string line(Line(expression, std::max(error.place.line, 1)));
    const auto indent = CharactersBefore(line, error.place.column);
    // A tab or another control character would move the caret away from what it points at.
    std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    fmt::print(console.err, "  {}\n  {:{}}^\n", line, "", indent);
  }
  if (!error.hint.empty()) fmt::print(console.err, "  {}\n", error.hint);
}

}  // namespace patra::adapter::cli
