#include "domain/spec/template_names.h"

#include <algorithm>

#include <fmt/format.h>

namespace patra::domain {
namespace {

bool IsBelow(std::string_view path, std::string_view above) {
  return path.size() > above.size() && path.starts_with(above) &&
         (path[above.size()] == '.' || path[above.size()] == '[');
}

TemplateName PageName(PagingStyle style, bool has_parts) {
  switch (style) {
    case PagingStyle::kPage:
      return {"page.number", "page: the number of the page, from `first_page` on"};
    case PagingStyle::kOffset:
      return {"page.offset", "offset: how many records lie before the page"};
    case PagingStyle::kToken:
      return {"page.token",
              "token: what the page before gave; nothing on the first, unless `first` says so",
              has_parts};
    case PagingStyle::kUrl:
    case PagingStyle::kTime:
      break;
  }
  return {"page.size", "how many records a page is asked for"};
}

std::vector<TemplateName> SplitNames(const std::string& name, SplitKind kind) {
  const auto at = "split." + name;
  if (kind == SplitKind::kValues) return {{at + ".value", "values: the one of this part"}};
  return {{at + ".from", "date, id_range: where this part begins"},
          {at + ".to", "date, id_range: where it ends"}};
}

std::vector<TemplateName> CommonNames() {
  return {{"window.from", "where the window begins"},
          {"window.to",
           "where it ends, itself excluded; with `window: {ends: inclusive}`, its last moment"},
          {"window.last", "its last moment, in the steps of `window.granularity`"},
          {"query", "what the command asked for, in the provider's own syntax"}};
}

}  // namespace

bool TemplateName::Covers(std::string_view read) const {
  return read == path || IsBelow(path, read) || (is_container && IsBelow(read, path));
}

std::vector<TemplateName> TemplateNamesOf(const SpecSnapshot& spec) {
  auto names = CommonNames();
  const auto add = [&](std::vector<TemplateName> more) {
    std::ranges::move(more, std::back_inserter(names));
  };
  if (IsWalked(spec.role)) {
    add({PageName(PagingStyle::kUrl, false)});
    const bool has_parts = spec.paging.token_kind && spec.paging.token_kind != TokenKind::kText;
    if (spec.paging.style != PagingStyle::kUrl && spec.paging.style != PagingStyle::kTime)
      add({PageName(spec.paging.style, has_parts)});
  } else {
    add({{"ids", "the ids of a batch, as a list", true}});
  }
  for (const auto& dimension : spec.paging.split_by)
    add(SplitNames(dimension.name, dimension.kind));
  for (const auto& [name, text] : spec.params) {
    add({{"params." + name, ""}, {fmt::format("params['{}']", name), ""}});
  }
  return names;
}

std::vector<TemplateName> AllTemplateNames() {
  auto names = CommonNames();
  for (const auto style : {PagingStyle::kUrl, PagingStyle::kPage, PagingStyle::kOffset})
    names.push_back(PageName(style, false));
  names.push_back(PageName(PagingStyle::kToken, true));
  names.push_back(
      {"page.token.NAME", "token: a member of it, where `token` says value or parameters"});
  names.push_back({"params.NAME", "what the definition declares under `params`"});
  names.push_back({"ids", "detail: the ids of a batch, as a list", true});
  for (const auto kind : {SplitKind::kDate, SplitKind::kValues}) {
    for (auto& name : SplitNames("NAME", kind)) names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> TemplateRoots() {
  return {"window", "page", "params", "ids", "query", "split", "value", "from", "to"};
}

}  // namespace patra::domain
