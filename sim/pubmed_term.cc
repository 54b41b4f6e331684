#include "sim/pubmed_term.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "sim/http_message.h"
#include "sim/time_window.h"

namespace patra::sim {

namespace {

void EraseAll(std::string& text, std::string_view part) {
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
    text.erase(at, part.size());
  }
}

// What stands before the last "[field]": the digits, slashes and colon of one or two dates.
std::optional<std::string> DatesBefore(std::string_view term, std::string_view field) {
  auto text = LowerCase(term);
  const auto tag = fmt::format("[{}]", LowerCase(field));
  const auto at = text.rfind(tag);
  if (at == std::string::npos) return std::nullopt;
  text.resize(at);
  for (const std::string_view noise :
       {std::string_view(tag), std::string_view("\""), std::string_view(" ")}) {
    EraseAll(text, noise);
  }
  const auto other = text.find_last_not_of("0123456789/:");
  return other == std::string::npos ? text : text.substr(other + 1);
}

// Days before and after all articles are days, too: ranges may reach back centuries.
std::optional<Period> ParseDay(std::string_view text) {
  const auto is_day = text.size() == 10 && text[4] == '/' && text[7] == '/';
  if (const auto period = ParsePeriod(text, '/')) return period;
  if (!is_day) return std::nullopt;
  const auto end = text < "1900" ? kWindowMin : kWindowMax;
  return Period{end, end};
}

}  // namespace

std::optional<TermRange> FindRangeInTerm(std::string_view term) {
  static constexpr auto kFields = std::to_array<std::string_view>(
      {"mdat", "lr", "edat", "crdt", "Date - Modification", "Date - Entry", "Date - Create"});
  for (const auto field : kFields) {
    const auto dates = DatesBefore(term, field);
    if (!dates) continue;
    const auto colon = dates->find(':');
    const auto first = ParseDay(std::string_view(*dates).substr(0, colon));
    const auto last =
        colon == std::string::npos ? first : ParseDay(std::string_view(*dates).substr(colon + 1));
    if (first && last) return TermRange{field, first->first, last->after};
  }
  return std::nullopt;
}

bool CountsModification(std::string_view field) {
  const auto lower = LowerCase(field);
  return lower == "mdat" || lower == "lr" || lower == "date - modification";
}

}  // namespace patra::sim
