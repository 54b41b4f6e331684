#include "domain/spec/asked.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/canonical_json.h"

namespace patra::domain {
namespace {

// Where a page begins and how large it is makes no other list of it.
bool LeadsThroughPages(const std::string& text) { return text.contains("${page."); }

void AddEach(const NamedTexts& texts, const std::string& key, Asked& asked) {
  for (const auto& [name, text] : texts) {
    if (!LeadsThroughPages(text)) asked.emplace(key + "." + name, text);
  }
}

// Answers that a rule takes for pages, though they may have been none.
void AddBelieved(const std::vector<ErrorRule>& rules, Asked& asked) {
  for (const auto& rule : rules) {
    if (rule.action != ErrorAction::kEmpty && rule.action != ErrorAction::kEnd &&
        rule.action != ErrorAction::kPage)
      continue;
    asked["errors"] += fmt::format("{}{}{}{};", CodeOf(rule.action), rule.body.value_or(""),
                                   rule.text.value_or(""), rule.header_matches.value_or(""));
    for (const auto& range : rule.statuses)
      asked["errors"] += fmt::format("{}-{};", range.from, range.to);
  }
}

}  // namespace

Asked AskedBy(const SpecSnapshot& spec) {
  Asked asked{{"request.method", std::string(CodeOf(spec.http.method))},
              {"request.path", spec.http.path},
              {"response.id", fmt::format("{}", fmt::join(spec.response.id, " "))},
              {"response.items", spec.response.items}};
  // What the moments that a request names mean.
  if (spec.window.filter == WindowFilter::kServer) {
    asked.emplace("window.ends", CodeOf(spec.window.ends));
    if (spec.window.ends == WindowEnds::kInclusive)
      asked.emplace("window.granularity", CodeOf(spec.window.granularity));
    asked.emplace("window.timezone", spec.window.timezone);
  }
  AddBelieved(spec.errors, asked);
  AddEach(spec.params, "params", asked);
  AddEach(spec.http.query, "request.query", asked);
  AddEach(spec.http.form_body, "request.form", asked);
  if (const auto* members = spec.http.json_body.AsObject()) {
    for (const auto& [name, member] : *members) {
      auto text = PrintJson(member);
      if (!LeadsThroughPages(text)) asked.emplace("request.json." + name, std::move(text));
    }
  }
  return asked;
}

std::vector<std::string> DifferencesOf(const Asked& a, const Asked& b) {
  std::vector<std::string> differing;
  const auto lacks = [](const Asked& in, const std::string& key, const std::string& text) {
    const auto found = in.find(key);
    return found == in.end() || found->second != text;
  };
  Asked all = a;
  all.insert(b.begin(), b.end());
  for (const auto& [key, text] : all) {
    if (lacks(a, key, text) || lacks(b, key, text)) differing.push_back(key);
  }
  return differing;
}

Value ToValue(const Asked& asked) {
  Value::Object members;
  for (const auto& [key, text] : asked) members.emplace(key, text);
  return members;
}

Asked AskedFrom(const Value& value) {
  Asked asked;
  if (const auto* members = value.AsObject()) {
    for (const auto& [key, text] : *members)
      if (const auto* written = text.AsString()) asked.emplace(key, *written);
  }
  return asked;
}

}  // namespace patra::domain
