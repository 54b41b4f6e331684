#include "domain/word/step.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/plain_text.h"
#include "base/utf8.h"

namespace patra::domain {
namespace {

constexpr std::string_view kNothing = "%";

bool IsNameByte(char c) { return (c >= 'a' && c <= 'z') || c == '_' || c == '.'; }

// What ends a mark or would not survive a JSON string, a line or a pair of backticks.
bool StaysInMark(std::string_view character, char32_t code_point) {
  if (character == kStepOpens || character == kStepCloses) return false;
  return code_point != ' ' &&
         std::string_view("%\"\\`").find(character) == std::string_view::npos &&
         !IsControlCharacter(code_point);
}

std::optional<int> DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

std::optional<std::string> ReadArgument(std::string_view written) {
  if (written == kNothing) return "";
  if (written.empty()) return std::nullopt;
  std::string text;
  for (std::size_t at = 0; at < written.size(); ++at) {
    if (written[at] != '%') {
      text += written[at];
      continue;
    }
    const auto high = at + 2 < written.size() ? DigitOf(written[at + 1]) : std::nullopt;
    const auto low = at + 2 < written.size() ? DigitOf(written[at + 2]) : std::nullopt;
    if (!high || !low) return std::nullopt;
    text += static_cast<char>(*high * 16 + *low);
    at += 2;
  }
  return text;
}

// Between the brackets: how much of the text can belong to a mark.
std::size_t ContentBytes(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto rest = text.substr(at);
    if (rest.starts_with(kStepOpens) || rest.starts_with(kStepCloses)) break;
    const char c = rest.front();
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '"' || c == '\\') break;
    ++at;
  }
  return at;
}

bool IsName(std::string_view text) {
  return text.find('.') != std::string_view::npos && text.front() != '.' && text.back() != '.' &&
         std::ranges::all_of(text, IsNameByte);
}

}  // namespace

std::string StepArgument(std::string_view text) {
  if (text.empty()) return std::string(kNothing);
  std::string written;
  for (std::size_t at = 0; at < text.size();) {
    const auto character = DecodeUtf8(text, at);
    const auto bytes = text.substr(at, std::max<std::size_t>(character.length, 1));
    if (character.valid() && StaysInMark(bytes, character.code_point)) {
      written += bytes;
    } else {
      for (const char c : bytes) written += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    at += bytes.size();
  }
  return written;
}

std::string NextStep(std::string_view name, std::initializer_list<std::string_view> arguments) {
  std::string mark(kStepOpens);
  mark += name;
  for (const auto argument : arguments) mark += " " + StepArgument(argument);
  return mark += kStepCloses;
}

std::optional<ReadStep> ReadStepAt(std::string_view text) {
  if (!text.starts_with(kStepOpens)) return std::nullopt;
  const auto after = text.substr(kStepOpens.size());
  auto content = after.substr(0, ContentBytes(after));
  if (!after.substr(content.size()).starts_with(kStepCloses)) return std::nullopt;
  ReadStep step{.name = {},
                .arguments = {},
                .bytes = kStepOpens.size() + content.size() + kStepCloses.size()};
  if (step.bytes > kStepBytesMax) return std::nullopt;
  const auto name = content.substr(0, content.find(' '));
  if (!IsName(name)) return std::nullopt;
  step.name = name;
  content.remove_prefix(name.size());
  while (!content.empty()) {
    content.remove_prefix(1);
    const auto written = content.substr(0, content.find(' '));
    auto argument = ReadArgument(written);
    if (!argument) return std::nullopt;
    step.arguments.push_back(*std::move(argument));
    content.remove_prefix(written.size());
  }
  return step;
}

bool MayBecomeStep(std::string_view text) {
  if (text.size() < kStepOpens.size()) return kStepOpens.starts_with(text);
  if (!text.starts_with(kStepOpens) || text.size() >= kStepBytesMax) return false;
  const auto content = text.substr(kStepOpens.size());
  // The last bytes may be the beginning of the closing bracket.
  return ContentBytes(content) == content.size();
}

}  // namespace patra::domain
