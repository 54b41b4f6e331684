#include "app/execute/render_request.h"

#include <fmt/format.h>

#include "base/placement.h"
#include "base/template.h"
#include "base/time.h"
#include "base/url.h"
#include "base/value.h"

namespace patra::app {
namespace {

using domain::HttpSpec;
using domain::NamedTexts;
using domain::PagingStyle;
using domain::SpecSnapshot;

// A filter that includes its upper end must not be given `to`, which belongs to the next slice.
Instant LastMoment(const SpecSnapshot& spec, const domain::Window& window) {
  return domain::FloorTo(window.to() - Duration(1), LengthOf(spec.window.granularity));
}

Value SplitContext(const domain::SliceSpec& slice) {
  Value::Object split;
  for (const auto& part : slice.split) {
    Value::Object bounds;
    if (!part.from.empty()) bounds["from"] = part.from;
    if (!part.to.empty()) bounds["to"] = part.to;
    if (!part.value.empty()) bounds["value"] = part.value;
    split[part.name] = std::move(bounds);
  }
  return split;
}

Value::Object CommonContext(const SpecSnapshot& spec, const domain::SliceSpec& slice,
                            Instant from) {
  const auto& window = slice.window;
  const auto last = LastMoment(spec, window);
  const bool is_included = spec.window.ends == domain::WindowEnds::kInclusive;
  Value::Object params;
  for (const auto& [name, text] : spec.params) {
    if (!text.empty()) params.emplace(name, text);
  }
  Value::Object context{
      {"window", Value::Object{{"from", FormatRfc3339(from)},
                               {"to", FormatRfc3339(is_included ? last : window.to())},
                               {"last", FormatRfc3339(last)}}},
      {"split", SplitContext(slice)},
      {"params", std::move(params)}};
  if (spec.query) context["query"] = *spec.query;
  return context;
}

Value PageContext(const SpecSnapshot& spec, const Position& position) {
  Value::Object page{{"size", position.size.value_or(spec.paging.size)}};
  if (position.page) {
    page[spec.paging.style == PagingStyle::kOffset ? "offset" : "number"] = *position.page;
  }
  const auto token = position.token ? position.token : spec.paging.first_token;
  if (token) page["token"] = *token;
  return page;
}

class Rendering {
 public:
  Rendering(const HttpSpec& http, Value context, Instant now)
      : http_(http), context_(std::move(context)), now_(now) {}

  Result<HttpRequest> Run(const NamedTexts& query) const {
    HttpRequest request{.method = std::string(CodeOf(http_.method))};
    request.url = PATRA_TRY(Url(query));
    request.headers = PATRA_TRY(Headers());
    PATRA_TRY(AddBody(request));
    return request;
  }

  Result<std::vector<std::pair<std::string, std::string>>> Headers() const {
    std::vector<std::pair<std::string, std::string>> headers;
    for (const auto& [name, text] : http_.headers) {
      const auto value = PATRA_TRY(Text(text));
      if (value) headers.emplace_back(name, PATRA_TRY(HeaderValue(*value)));
    }
    return headers;
  }

  Result<std::string> Url(const NamedTexts& query) const {
    const auto path_template = PATRA_TRY(Template::Compile(http_.path));
    const auto path =
        PATRA_TRY(path_template.Render(context_, {.now = now_, .place = PathSegment}));
    if (!path) {
      return Fail(ErrorCode::kInvalidInput, "the request's path has a placeholder without a value",
                  {}, http_.path);
    }
    auto url = http_.base_url + PATRA_TRY(ScalarText(*path));
    char separator = url.find('?') == std::string::npos ? '?' : '&';
    for (const auto& [name, text] : query) {
      const auto value = PATRA_TRY(Of(name, Text(text)));
      if (!value) continue;
      url += separator + PercentEncode(name) + "=" + PATRA_TRY(Of(name, QueryValue(*value)));
      separator = '&';
    }
    return url;
  }

 private:
  Result<Rendered> Text(const std::string& text) const {
    const auto compiled = PATRA_TRY(Template::Compile(text));
    return compiled.Render(context_, {.now = now_});
  }

  // Says which parameter it is that cannot be rendered.
  template <typename T>
  static Result<T> Of(const std::string& name, Result<T> rendered) {
    if (rendered) return rendered;
    auto error = std::move(rendered).error().While(fmt::format("the parameter '{}'", name));
    error.place.pointer = name;
    return std::unexpected(std::move(error));
  }

  Result<void> AddBody(HttpRequest& request) const {
    if (!http_.json_body.is_null()) {
      const auto body = PATRA_TRY(ValueTemplate::Compile(http_.json_body));
      const auto rendered = PATRA_TRY(body.Render(context_, {.now = now_}));
      request.body = PATRA_TRY(JsonBody(rendered.value_or(Value())));
      request.headers.emplace_back("Content-Type", "application/json");
    } else if (!http_.form_body.empty()) {
      std::vector<FormField> fields;
      for (const auto& [name, text] : http_.form_body) {
        auto value = PATRA_TRY(Of(name, Text(text)));
        if (value) fields.emplace_back(name, *std::move(value));
      }
      request.body = PATRA_TRY(FormBody(fields));
      request.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
    }
    return {};
  }

  const HttpSpec& http_;
  const Value context_;
  const Instant now_;
};

}  // namespace

Result<HttpRequest> RenderRequest(const SpecSnapshot& spec, const domain::SliceSpec& slice,
                                  const Position& position) {
  const auto& window = slice.window;
  auto context = CommonContext(spec, slice, position.time.value_or(window.from()));
  context["page"] = PageContext(spec, position);
  const Rendering rendering(spec.http, std::move(context), window.to());
  if (spec.paging.style == PagingStyle::kUrl && position.token) {
    auto headers = PATRA_TRY(rendering.Headers());
    auto url = *position.token;
    // A link may leave out what it shares with the address that it came from.
    if (url.find("://") == std::string::npos) {
      const auto first = PATRA_TRY(ParseUrl(PATRA_TRY(rendering.Url(spec.http.query))));
      url = PATRA_TRY(ResolveUrl(first, url)).Text();
    }
    return HttpRequest{.method = std::string(CodeOf(spec.http.method)),
                       .url = std::move(url),
                       .headers = std::move(headers)};
  }
  const bool is_first =
      !position.token && position.page.value_or(spec.paging.first_page) == spec.paging.first_page;
  return rendering.Run(is_first || !spec.http.next_query ? spec.http.query : *spec.http.next_query);
}

Result<HttpRequest> RenderDetailRequest(const SpecSnapshot& spec, const domain::SliceSpec& slice,
                                        std::span<const std::string> ids) {
  PATRA_ASSERT(spec.details);
  const auto& window = slice.window;
  auto context = CommonContext(spec, slice, window.from());
  context["ids"] = Value::Array(ids.begin(), ids.end());
  return Rendering(spec.details->http, std::move(context), window.to())
      .Run(spec.details->http.query);
}

}  // namespace patra::app
