#include "sim/text_format.h"

#include <fmt/format.h>

#include "base/canonical_json.h"

namespace patra::sim {
namespace {

void AppendDigits(std::string& out, unsigned number, int width) {
  char digits[8];
  for (int i = width - 1; i >= 0; --i, number /= 10)
    digits[i] = static_cast<char>('0' + number % 10);
  out.append(digits, static_cast<std::size_t>(width));
}

}  // namespace

std::string JsonText(std::string_view text) {
  std::string quoted;
  AppendJsonString(text, quoted);
  return quoted;
}

std::string XmlText(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size() + 16);
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string XmlMarkup(const StyledText& text) {
  std::string markup;
  for (const auto& run : text) {
    markup += run.tag.empty() ? XmlText(run.text)
                              : fmt::format("<{0}>{1}</{0}>", run.tag, XmlText(run.text));
  }
  return markup;
}

std::string InlineMarkup(const StyledText& text) {
  std::string markup;
  for (const auto& run : text) {
    markup += run.tag.empty() ? run.text : fmt::format("<{0}>{1}</{0}>", run.tag, run.text);
  }
  return markup;
}

DateParts PartsOf(Instant instant) {
  const auto day = std::chrono::floor<std::chrono::days>(instant);
  const std::chrono::year_month_day date(day);
  const auto seconds =
      static_cast<int>(std::chrono::floor<std::chrono::seconds>(instant - day).count());
  return {.year = static_cast<int>(date.year()),
          .month = static_cast<unsigned>(date.month()),
          .day = static_cast<unsigned>(date.day()),
          .hour = seconds / 3600,
          .minute = seconds / 60 % 60,
          .second = seconds % 60};
}

std::string PrintDay(Instant instant, std::string_view separator) {
  const auto parts = PartsOf(instant);
  std::string day;
  AppendDigits(day, static_cast<unsigned>(parts.year), 4);
  day += separator;
  AppendDigits(day, parts.month, 2);
  day += separator;
  AppendDigits(day, parts.day, 2);
  return day;
}

// Written by hand because it runs twice per record: fmt costs as much as copying the record.
std::string PrintSeconds(Instant instant) {
  const auto parts = PartsOf(instant);
  std::string text;
  text.reserve(20);
  AppendDigits(text, static_cast<unsigned>(parts.year), 4);
  text += '-';
  AppendDigits(text, parts.month, 2);
  text += '-';
  AppendDigits(text, parts.day, 2);
  text += 'T';
  AppendDigits(text, static_cast<unsigned>(parts.hour), 2);
  text += ':';
  AppendDigits(text, static_cast<unsigned>(parts.minute), 2);
  text += ':';
  AppendDigits(text, static_cast<unsigned>(parts.second), 2);
  text += 'Z';
  return text;
}

}  // namespace patra::sim
