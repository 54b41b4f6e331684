#include "domain/page/link_header.h"

#include "base/text_scanner.h"

namespace patra::domain {
namespace {

std::string_view Trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

// Whether one of the parameters is rel with `relation` among its blank-separated values.
bool HasRelation(std::string_view parameters, std::string_view relation) {
  while (!parameters.empty()) {
    const auto end = parameters.find(';');
    auto parameter = Trimmed(parameters.substr(0, end));
    parameters.remove_prefix(end == std::string_view::npos ? parameters.size() : end + 1);
    const auto equals = parameter.find('=');
    if (equals == std::string_view::npos ||
        !EqualIgnoringCase(Trimmed(parameter.substr(0, equals)), "rel"))
      continue;
    auto value = Trimmed(parameter.substr(equals + 1));
    // Some write the quotes of another language.
    const bool is_quoted = value.size() >= 2 && value.front() == value.back() &&
                           (value.front() == '"' || value.front() == '\'');
    if (is_quoted) value = value.substr(1, value.size() - 2);
    while (!value.empty()) {
      const auto blank = value.find(' ');
      if (EqualIgnoringCase(value.substr(0, blank), relation)) return true;
      value.remove_prefix(blank == std::string_view::npos ? value.size() : blank + 1);
    }
  }
  return false;
}

std::optional<std::string> Link(std::string_view header, std::string_view relation) {
  while (true) {
    const auto open = header.find('<');
    const auto close = header.find('>', open);
    if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
    const auto target = header.substr(open + 1, close - open - 1);
    header.remove_prefix(close + 1);
    // The next link begins at the next '<': commas may stand inside quoted parameters.
    const auto parameters = header.substr(0, header.find('<'));
    const auto comma = parameters.rfind(',');
    const bool has_following = parameters.size() < header.size();
    if (HasRelation(has_following ? parameters.substr(0, comma) : parameters, relation))
      return std::string(target);
  }
}

}  // namespace

std::optional<std::string> NextLink(std::string_view header) { return Link(header, "next"); }

bool SpeaksOfNext(std::string_view header) {
  while (!header.empty()) {
    const auto end = header.find_first_of(";,");
    if (HasRelation(header.substr(0, end), "next")) return true;
    header.remove_prefix(end == std::string_view::npos ? header.size() : end + 1);
  }
  return false;
}

bool NamesOtherPages(std::string_view header) {
  return Link(header, "first") || Link(header, "last") || Link(header, "prev");
}

}  // namespace patra::domain
