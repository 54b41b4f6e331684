#include "domain/page/error_match.h"

#include <algorithm>

#include "domain/page/field_value.h"

namespace patra::domain {
namespace {

// What the provider says there; an element that is an error has its code beside its text as a rule. What a path computes says
// nothing.
std::string WordsAt(Node found) {
  if (found.AsBool()) return {};
  const auto code = found.is_xml() ? found.Attribute("code") : std::nullopt;
  const auto text = found.Text();
  if (!code) return text;
  return text.empty() ? code->Text() : code->Text() + ": " + text;
}

}  // namespace

Result<ErrorMatcher> ErrorMatcher::Compile(const std::vector<ErrorRule>& rules,
                                           const PathOptions& options) {
  ErrorMatcher matcher;
  for (const auto& spec : rules) {
    Rule rule{.spec = spec};
    if (spec.header_matches)
      rule.header_matches = PATRA_TRY(IRegexp::Compile(*spec.header_matches));
    if (spec.text) rule.text = PATRA_TRY(IRegexp::Compile(*spec.text));
    if (spec.body) rule.body = PATRA_TRY(Path::Compile(*spec.body, options));
    matcher.rules_.push_back(std::move(rule));
  }
  return matcher;
}

Result<std::optional<ErrorMatcher::Matched>> ErrorMatcher::Match(const PageAnswer& answer,
                                                                 std::optional<Node> root) const {
  for (const auto& rule : rules_) {
    const auto& spec = rule.spec;
    std::string words;
    const bool status_fits =
        spec.statuses.empty() || std::ranges::any_of(spec.statuses, [&](const auto& range) {
          return range.from <= answer.status && answer.status <= range.to;
        });
    if (!status_fits) continue;
    if (spec.header) {
      const auto* value = FindHeader(answer.headers, *spec.header);
      if (value == nullptr) continue;
      if (rule.header_matches && !rule.header_matches->MatchesPart(*value)) continue;
    }
    if (rule.text && !rule.text->MatchesPart(answer.body)) continue;
    if (rule.body) {
      if (!root) continue;
      Computed computed;
      const auto found = PATRA_TRY(rule.body->First(*root, computed));
      if (!found) continue;
      // A path that selects something has matched; one that computes, such as count(…) > 0, has to
      // come out true.
      if (!found->is_xml() && found->AsBool() == false) continue;
      words = WordsAt(*found);
    }
    return Matched{spec, std::move(words)};
  }
  return std::nullopt;
}

}  // namespace patra::domain
