#include "app/execute/render_request.h"

#include <fmt/format.h>

#include "base/placement.h"
#include "base/time.h"
#include "base/url.h"
#include "base/value.h"
#include "domain/hook/provider_hooks.h"
#include "domain/page/next_token.h"
#include "domain/plan/expression.h"
#include "domain/source/request_templates.h"

namespace patra::app {
namespace {

using domain::HttpSpec;
using domain::PagingStyle;
using domain::Phase;
using domain::RequestTemplates;
using domain::SpecSnapshot;
using NamedTemplates = std::vector<domain::NamedTemplate>;

Value::Object ContextOf(const SpecSnapshot& spec, const domain::SliceSpec& slice,
                        const std::optional<Value>& values) {
  auto bound = values ? *values : domain::BoundValues(domain::ExpressionPrototype::Of(spec), slice);
  auto* members = bound.AsObject();
  return members == nullptr ? Value::Object{} : std::move(*members);
}

domain::TokenKind TokenKindOf(const SpecSnapshot& spec) {
  return spec.paging.token_kind.value_or(domain::TokenKind::kText);
}

Result<Value> PageContext(const SpecSnapshot& spec, const Position& position) {
  Value::Object page{{"size", position.size.value_or(spec.paging.size)}};
  if (position.page) {
    page[spec.paging.style == PagingStyle::kOffset ? "offset" : "number"] = *position.page;
  }
  const auto token = position.token ? position.token : spec.paging.first_token;
  if (token) page["token"] = PATRA_TRY(domain::ValueOfToken(*token, TokenKindOf(spec)));
  return page;
}

// The parameters that the provider's token adds to a request, in place of those of the same name. Where a credential goes is
// none of its business.
Value::Object ParametersOf(const SpecSnapshot& spec, const Value& page) {
  const auto* token = page.Find("token");
  const bool has_parameters = TokenKindOf(spec) == domain::TokenKind::kParameters;
  if (!has_parameters || token == nullptr || token->AsObject() == nullptr) return {};
  auto parameters = *token->AsObject();
  if (spec.auth.location != domain::AuthLocation::kHeader) parameters.erase(spec.auth.name);
  return parameters;
}

class Rendering {
 public:
  // `further` are parameters that no template makes: of a form where there is one, else of the address.
  Rendering(const HttpSpec& http, const RequestTemplates& templates, Value context, Instant now,
            Value::Object further = {})
      : http_(http),
        templates_(templates),
        context_(std::move(context)),
        now_(now),
        further_(std::move(further)) {}

  Result<HttpRequest> Run(const NamedTemplates& query) const {
    HttpRequest request{.method = std::string(CodeOf(http_.method))};
    request.url = PATRA_TRY(Url(query));
    if (templates_.hook != nullptr)
      request.url = PATRA_TRY(templates_.hook->address(std::move(request.url)));
    request.headers = PATRA_TRY(Headers());
    PATRA_TRY(AddBody(request));
    return request;
  }

  Result<std::vector<std::pair<std::string, std::string>>> Headers() const {
    std::vector<std::pair<std::string, std::string>> headers;
    for (const auto& [name, text] : templates_.headers) {
      const auto value = PATRA_TRY(text.Render(context_, {.now = now_}));
      if (value) headers.emplace_back(name, PATRA_TRY(HeaderValue(*value)));
    }
    return headers;
  }

  Result<std::string> Url(const NamedTemplates& query) const {
    const auto path =
        PATRA_TRY(templates_.path.Render(context_, {.now = now_, .place = PathSegment}));
    if (!path) {
      return Fail(ErrorCode::kInvalidInput, "the request's path has a placeholder without a value",
                  {}, templates_.path.text());
    }
    auto url = http_.base_url + PATRA_TRY(ScalarText(*path));
    char separator = url.find('?') == std::string::npos ? '?' : '&';
    const auto add = [&](const std::string& name, const Value& value) -> Result<void> {
      url += separator + PercentEncode(name) + "=" + PATRA_TRY(Of(name, QueryValue(value)));
      separator = '&';
      return {};
    };
    const bool takes_further = templates_.form_body.empty();
    for (const auto& [name, text] : query) {
      if (takes_further && further_.contains(name)) continue;
      const auto value = PATRA_TRY(Of(name, text.Render(context_, {.now = now_})));
      if (value) PATRA_TRY(add(name, *value));
    }
    for (const auto& [name, value] : further_) {
      if (takes_further) PATRA_TRY(add(name, value));
    }
    return url;
  }

 private:
  // Says which parameter it is that cannot be rendered.
  template <typename T>
  static Result<T> Of(const std::string& name, Result<T> rendered) {
    if (rendered) return rendered;
    auto error = std::move(rendered).error().While(fmt::format("the parameter '{}'", name));
    error.place.pointer = name;
    return std::unexpected(std::move(error));
  }

  Result<void> AddBody(HttpRequest& request) const {
    if (templates_.json_body) {
      const auto rendered = PATRA_TRY(templates_.json_body->Render(context_, {.now = now_}));
      request.body = PATRA_TRY(JsonBody(rendered.value_or(Value())));
      request.headers.emplace_back("Content-Type", "application/json");
    } else if (!templates_.form_body.empty()) {
      std::vector<FormField> fields;
      for (const auto& [name, text] : templates_.form_body) {
        if (further_.contains(name)) continue;
        auto value = PATRA_TRY(Of(name, text.Render(context_, {.now = now_})));
        if (value) fields.emplace_back(name, *std::move(value));
      }
      for (const auto& [name, value] : further_) fields.emplace_back(name, value);
      request.body = PATRA_TRY(FormBody(fields));
      request.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
    }
    return {};
  }

  const HttpSpec& http_;
  const RequestTemplates& templates_;
  const Value context_;
  const Instant now_;
  const Value::Object further_;
};

}  // namespace

Result<HttpRequest> RenderRequest(const domain::CompiledSource& source,
                                  const domain::SliceSpec& slice, const Position& position,
                                  const std::optional<Value>& values) {
  const auto& spec = source.spec();
  const auto& templates = source.request(Phase::kSearch);
  const auto& window = slice.window;
  auto context = ContextOf(spec, slice, values);
  if (position.time) context["window"]["from"] = FormatRfc3339(*position.time);
  auto page = PATRA_TRY(PageContext(spec, position));
  auto further = ParametersOf(spec, page);
  context["page"] = std::move(page);
  const Rendering rendering(spec.http, templates, std::move(context), window.to(),
                            std::move(further));
  if (spec.paging.style == PagingStyle::kUrl && position.token) {
    auto headers = PATRA_TRY(rendering.Headers());
    auto url = *position.token;
    // One that was kept as it came may leave out what it shares with the address of the list.
    if (!HasScheme(url)) {
      const auto first = PATRA_TRY(ParseUrl(PATRA_TRY(rendering.Url(templates.query))));
      url = PATRA_TRY(ResolveUrl(first, url)).Text();
    }
    return HttpRequest{.method = std::string(CodeOf(spec.http.method)),
                       .url = std::move(url),
                       .headers = std::move(headers)};
  }
  const bool is_first =
      !position.token && position.page.value_or(spec.paging.first_page) == spec.paging.first_page;
  return rendering.Run(is_first || !templates.next_query ? templates.query : *templates.next_query);
}

Result<std::string> LinkFrom(const std::string& page, std::string link) {
  if (HasScheme(link)) return link;
  const auto resolved = ResolveUrl(PATRA_TRY(ParseUrl(page)), link);
  if (resolved) return resolved->Text();
  return Fail(ErrorCode::kCorruption,
              fmt::format("the link to the next page leads nowhere: {}", resolved.error().message));
}

Result<HttpRequest> RenderDetailRequest(const domain::CompiledSource& source,
                                        const domain::SliceSpec& slice,
                                        std::span<const std::string> ids,
                                        const std::optional<Value>& values) {
  const auto& spec = source.spec();
  const auto& templates = source.request(Phase::kDetail);
  const auto& window = slice.window;
  auto context = ContextOf(spec, slice, values);
  context["ids"] = Value::Array(ids.begin(), ids.end());
  return Rendering(spec.details->http, templates, std::move(context), window.to())
      .Run(templates.query);
}

}  // namespace patra::app
