#include "adapter/cli/cells.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/steps.h"
#include "adapter/cli/table.h"
#include "base/canonical_json.h"
#include "base/plain_text.h"
#include "base/quote.h"
#include "contract/status.h"
#include "domain/word/wait_reason.h"

namespace patra::adapter::cli {
namespace {

// "windowFrom" → "window from"
std::string Words(std::string_view name) {
  std::string words;
  for (const char c : name) {
    if (std::isupper(static_cast<unsigned char>(c)) != 0) words += ' ';
    words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return words;
}

std::string CellOf(const Value& value) {
  if (const auto* text = value.AsString()) return Short(*text, 2000);
  if (const auto* number = value.AsInteger()) return Thousands(*number);
  if (const auto* truth = value.AsBool()) return *truth ? "yes" : "no";
  return PrintJson(value);
}

bool IsEmpty(const Value& value) {
  return value.is_null() || (value.AsObject() != nullptr && value.AsObject()->empty()) ||
         (value.AsArray() != nullptr && value.AsArray()->empty());
}

}  // namespace

std::string When(const std::optional<Instant>& time) {
  if (!time) return "-";
  return FormatRfc3339(std::chrono::floor<std::chrono::seconds>(*time));
}

std::string Roughly(Duration length) {
  struct Unit {
    Duration size;
    const char* name;
  };
  static constexpr Unit kUnits[] = {{std::chrono::days(1), "d"},
                                    {std::chrono::hours(1), "h"},
                                    {std::chrono::minutes(1), "m"},
                                    {std::chrono::seconds(1), "s"}};
  const bool is_negative = length < Duration{};
  auto rest = is_negative ? -length : length;
  std::string text;
  int parts = 0;
  for (const auto& [size, name] : kUnits) {
    const auto count = rest / size;
    rest -= count * size;
    if (count == 0 && parts == 0) continue;
    if (count != 0) text += fmt::format("{}{}{}", text.empty() ? "" : " ", count, name);
    if (++parts == 2) break;
  }
  if (text.empty()) return "0s";
  return (is_negative ? "-" : "") + text;
}

std::string Short(const std::string& text, std::size_t bytes_max) {
  auto quoted = Quote(Typed(text), bytes_max);
  return quoted.substr(1, quoted.size() - 2);
}

std::string EndsCoolDown(std::string_view waits_for) {
  if (!waits_for.starts_with(Name(domain::WaitReason::kCoolDown))) return {};
  return "`patra gate list` names the key, `patra gate reset KEY --reason WHY` ends the wait";
}

std::string Counted(std::int64_t count) {
  return Thousands(count) + (count >= contract::kCountedAtMost ? "+" : "");
}

std::string Several(std::int64_t count, std::string_view noun, std::string_view ending) {
  return fmt::format("{} {}{}", Thousands(count), noun, count == 1 ? "" : ending);
}

std::string Lines(const contract::Facts& facts) {
  std::size_t width = 0;
  for (const auto& [name, value] : facts) width = std::max(width, Words(name).size());
  std::string lines;
  for (const auto& [name, value] : facts) {
    if (IsEmpty(value)) continue;
    lines += fmt::format("{:<{}}  {}\n", Words(name), width, CellOf(value));
  }
  return lines;
}

void NamedLines::Add(std::string_view name, const std::string& text) const {
  fmt::print(console_.out, "  {:<11} {}\n", name, SpelledOnOneLine(Typed(text)));
}

void PrintJsonLine(const Console& console, const Value& value) {
  fmt::print(console.out, "{}\n", CanonicalJson(value));
}

void PrintRecordLine(const Console& console, const Value& value) {
  fmt::print(console.out, "{}\n", WithoutSteps(CanonicalJson(value)));
}

int PrintError(const Console& console, const Error& error) {
  Report(console, error);
  return ExitCodeOf(error.code);
}

int PrintError(const Console& console, const Result<int>& outcome) {
  return outcome ? *outcome : PrintError(console, outcome.error());
}

}  // namespace patra::adapter::cli
