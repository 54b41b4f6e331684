#include "domain/error/wrong_parameter.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/text_scanner.h"

namespace patra::domain {
namespace {

constexpr std::size_t kComplaintBytesMax = 16'384;

bool IsNameByte(char c) { return IsLetter(c) || IsDigit(c) || c == '_' || c == '-'; }

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), ToLower);
  return lower;
}

// "from-index-date" in "from-index-date:${window.from}": filters that a parameter is made of.
void AddFilters(std::string_view text, std::set<std::string>& names) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("${")) {
      i = std::min(text.find('}', i), text.size() - 1);
      begin = i + 1;
    } else if (!IsNameByte(text[i])) {
      if (i > begin + 2 && (text[i] == ':' || text[i] == '='))
        names.insert(std::string(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
}

std::set<std::string> NamesOf(const SpecSnapshot& spec) {
  std::set<std::string> names;
  const auto add = [&](const NamedTexts& texts) {
    for (const auto& [name, text] : texts) {
      names.insert(name);
      AddFilters(text, names);
    }
  };
  add(spec.http.query);
  if (spec.http.next_query) add(*spec.http.next_query);
  add(spec.http.form_body);
  if (const auto* body = spec.http.json_body.AsObject()) {
    for (const auto& [name, value] : *body) names.insert(name);
  }
  std::erase_if(names, [](const std::string& name) { return name.size() < 2; });
  return names;
}

// The word before `end`, or after `begin`, without what separates it.
std::string_view WordBefore(std::string_view text, std::size_t end) {
  while (end > 0 && !IsNameByte(text[end - 1])) --end;
  auto begin = end;
  while (begin > 0 && IsNameByte(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

std::string_view WordAfter(std::string_view text, std::size_t begin) {
  while (begin < text.size() && !IsNameByte(text[begin])) ++begin;
  auto end = begin;
  while (end < text.size() && IsNameByte(text[end])) ++end;
  return text.substr(begin, end - begin);
}

bool IsTelling(std::string_view word) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"parameter", "parameters", "param", "field", "filter", "argument", "option", "attribute"});
  return std::ranges::find(kWords, word) != kWords.end();
}

bool IsQuote(char c) { return c == '"' || c == '\'' || c == '`'; }

// Whether the word at [begin, end) is spoken of.
bool IsMeant(std::string_view text, std::size_t begin, std::size_t end) {
  const bool is_quoted =
      begin > 0 && end < text.size() && IsQuote(text[begin - 1]) && IsQuote(text[end]);
  // A member's name in a JSON document is quoted without being spoken of.
  const bool is_member = is_quoted && end + 1 < text.size() && text[end + 1] == ':';
  const bool is_assigned = end < text.size() && text[end] == '=';
  const auto after = WordAfter(text, end);
  return (is_quoted && !is_member) || is_assigned || IsTelling(WordBefore(text, begin)) ||
         IsTelling(after) || after == "must";
}

bool SpeaksOf(std::string_view text, std::string_view name) {
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    const bool is_word =
        (at == 0 || !IsNameByte(text[at - 1])) && (end == text.size() || !IsNameByte(text[end]));
    if (is_word && IsMeant(text, at, end)) return true;
  }
  return false;
}

}  // namespace

std::string FindWrongParameter(const SpecSnapshot& spec, std::string_view complaint) {
  const auto text = Lower(complaint.substr(0, kComplaintBytesMax));
  std::string found;
  for (const auto& name : NamesOf(spec)) {
    // The longest says most: a filter's name rather than that of the parameter around it.
    if (name.size() > found.size() && SpeaksOf(text, Lower(name))) found = name;
  }
  return found;
}

std::string HintOnGranularity(const SpecSnapshot& spec, std::string_view complaint) {
  const bool is_about_it =
      Lower(complaint.substr(0, kComplaintBytesMax)).find("granularity") != std::string::npos;
  if (!is_about_it || LengthOf(spec.window.granularity) >= std::chrono::days(1)) return {};
  return "; if the provider knows whole days only, the definition says `window: {granularity: "
         "day}`, and its requests write dates as ${window.from | formatDateTime(\"yyyy-MM-dd\")}";
}

}  // namespace patra::domain
