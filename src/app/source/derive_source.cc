#include "app/source/derive_source.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/source/source_catalog.h"
#include "base/url.h"
#include "domain/guess/propose_definition.h"
#include "domain/guess/source_name.h"
#include "domain/spec/merged_view.h"

namespace patra::app {
namespace {

// Without what belongs to single requests.
Result<Url> BaseOf(const std::string& text) {
  auto url = PATRA_TRY(ParseUrl(text));
  url.query.clear();
  return url;
}

// A repository answers at /oai and at /oai/ alike: nobody means two.
Url WithoutLastSlash(Url url) {
  while (url.path.ends_with('/')) url.path.pop_back();
  return url;
}

bool IsAt(const CatalogEntry& entry, const Url& url) {
  const auto* own = entry.definition.tree.At("http.base_url");
  const auto parsed = own == nullptr ? Fail(ErrorCode::kNotFound, "none") : BaseOf(own->text);
  return parsed && WithoutLastSlash(*parsed) == WithoutLastSlash(url) &&
         !entry.definition.is_abstract();
}

// After the host; with a number where another source is called so.
std::string FreeName(const SourceCatalog& catalog, const Url& url) {
  const auto plain = domain::SourceNameOf(url);
  auto name = plain;
  for (int i = 2; catalog.Find(name); ++i) name = fmt::format("{}-{}", plain, i);
  return name;
}

}  // namespace

Result<DerivedSource> DeriveSource(DefinitionFiles& files, const DeriveRequest& request) {
  const auto url = PATRA_TRY(BaseOf(request.url));
  const auto catalog = PATRA_TRY(SourceCatalog::Load(files, request.folder));
  const auto* base = PATRA_TRY(catalog.Find(request.base));
  if (!base->definition.is_abstract()) {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("'{}' has an address of its own", request.base), {},
                "only sources that are to be extended are given one");
  }
  const auto& entries = catalog.entries();
  const auto known =
      std::ranges::find_if(entries, [&](const CatalogEntry& entry) { return IsAt(entry, url); });
  if (known != entries.end())
    return DerivedSource{.source = known->definition.source(), .file = known->file};
  DerivedSource derived{.source = FreeName(catalog, url), .is_new = true};
  derived.file = fmt::format("{}/{}.yaml", request.folder, derived.source);
  if (!request.may_write) {
    return Fail(ErrorCode::kNotFound, fmt::format("there is no definition for {} yet", url.Text()),
                {}, "it would be made, but nothing is written now");
  }
  if (files.ReadText(derived.file)) {
    return Fail(ErrorCode::kConflict, fmt::format("{} is there already", derived.file), {},
                "it defines another source: rename it, or write the definition yourself");
  }
  const auto base_name = domain::NodeReader(&base->definition.tree).Text("name", request.base);
  PATRA_TRY(files.Write(derived.file, domain::ExtendingDefinition(
                                          {.source = derived.source,
                                           .extends = request.base,
                                           .name = fmt::format("{} ({})", url.host, base_name),
                                           .url = url})));
  return derived;
}

}  // namespace patra::app
