// A name that nobody knows makes a placeholder without a value, and its parameter is left out: a request without its window or its
// page looks well and asks for something else.
#include "domain/spec/check_templates.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/close_match.h"
#include "base/template.h"
#include "domain/spec/template_names.h"
#include "domain/spec/template_reads.h"

namespace patra::domain {
namespace {

struct PlacedTemplate {
  std::string at;  // "request.query.from"
  std::string text;
};

void AddPlaced(const NamedTexts& named, const std::string& at, std::vector<PlacedTemplate>& into) {
  for (const auto& [name, text] : named) into.push_back({at + "." + name, text});
}

std::vector<PlacedTemplate> PlacedTemplatesOf(const CheckSubject& on) {
  const auto& http = on.spec.http;
  std::vector<PlacedTemplate> placed{{"request.path", http.path}};
  AddPlaced(http.query, "request.query", placed);
  if (http.next_query) AddPlaced(*http.next_query, "request.follow_up.query", placed);
  for (const auto& [name, text] : http.headers) {
    const auto own = "request.headers." + name;
    placed.push_back({on.view.Has(own) ? own : "http.headers." + name, text});
  }
  AddPlaced(http.form_body, "request.form", placed);
  for (auto& text : TextsIn(http.json_body)) placed.push_back({"request.json", std::move(text)});
  return placed;
}

bool IsOfOtherPaging(const SpecSnapshot& spec, std::string_view path) {
  return IsWalked(spec.role) && path.starts_with("page.") &&
         std::ranges::any_of(AllTemplateNames(),
                             [&](const TemplateName& name) { return name.path == path; });
}

// Whether all are known.
bool CheckNames(const CheckSubject& on) {
  const auto names = TemplateNamesOf(on.spec);
  std::vector<std::string> known;
  for (const auto& name : names) known.push_back(name.path);
  bool are_known = true;
  for (const auto& [at, text] : PlacedTemplatesOf(on)) {
    const auto compiled = Template::Compile(text);
    if (!compiled) continue;  // the grammar has said so
    for (const auto& path : compiled->paths()) {
      if (std::ranges::any_of(names, [&](const auto& name) { return name.Covers(path); })) continue;
      // A request that several ways of paging share has parameters that are left out in some; a path has no such part.
      if (at != "request.path" && IsOfOtherPaging(on.spec, path)) {
        on.Warn(at, fmt::format("'{}' has no value in paging by {}: what it is part of is left out",
                                path, LowerCode(CodeOf(on.spec.paging.style))));
        continue;
      }
      are_known = false;
      const bool is_parameter = path.starts_with("params.");
      on.Complain(
          at, fmt::format("there is no '{}' here", path),
          DidYouMean(path, known,
                     is_parameter ? fmt::format("declare it: params: {{{}: …}}", path.substr(7))
                                  : fmt::format("there are {}", fmt::join(known, ", "))));
    }
  }
  return are_known;
}

void RequirePlace(const CheckSubject& on, std::string_view name, std::string_view parameter) {
  on.Require(Reads(on.spec.http, name), "request",
             fmt::format("paging by {} needs ${{{}}}, and the request has it nowhere: every page "
                         "would be the first",
                         LowerCode(CodeOf(on.spec.paging.style)), name),
             fmt::format("query: {{{}: \"${{{}}}\"}}", parameter, name));
}

// Where all records come with one answer, no request says which page it asks for.
void CheckPlaceOfPage(const CheckSubject& on) {
  const auto& paging = on.spec.paging;
  if (paging.pages_max == 1 || !on.view.IsDeclared("paging.style")) return;
  switch (paging.style) {
    case PagingStyle::kPage:
      return RequirePlace(on, "page.number", "page");
    case PagingStyle::kOffset:
      return RequirePlace(on, "page.offset", "offset");
    case PagingStyle::kToken:
      if (paging.token_kind != TokenKind::kParameters) RequirePlace(on, "page.token", "cursor");
      return;
    case PagingStyle::kTime:
      return RequirePlace(on, "window.from", "from");
    case PagingStyle::kUrl:
      return;  // the links say it
  }
}

void CheckPlaceOfWindow(const CheckSubject& on) {
  if (on.spec.window.filter != WindowFilter::kServer) return;
  const auto& http = on.spec.http;
  const bool has_end = Reads(http, "window.to") || Reads(http, "window.last");
  const bool has_start = Reads(http, "window.from");
  if (!has_start && !has_end) {
    on.Complain("request",
                "the provider is to keep to the window, and the request does not tell it any",
                "query: {from: \"${window.from}\", to: \"${window.to}\"}, or `window: {filter: "
                "none}` if the provider has no filter");
    return;
  }
  // Paging by time has said so.
  const bool is_told = on.spec.paging.style == PagingStyle::kTime;
  on.Require(has_start || is_told, "request",
             "the request says where its window ends, and not where it begins",
             "query: {from: \"${window.from}\"}");
  if (!has_end)
    on.Warn("request",
            "the request does not say where its window ends: each reads on to the newest",
            "query: {to: \"${window.to}\"}, where the provider takes one");
}

}  // namespace

void CheckTemplates(const CheckSubject& on) {
  if (!on.view.Has("request")) return;  // which is complained of
  // Who mistypes the name of a page or a window has not forgotten it.
  if (!CheckNames(on) || !IsWalked(on.spec.role)) return;
  CheckPlaceOfPage(on);
  CheckPlaceOfWindow(on);
}

}  // namespace patra::domain
