#include "app/execute/render_request.h"

#include "base/placement.h"
#include "base/template.h"
#include "base/time.h"
#include "base/value.h"

namespace patra::app {
namespace {

// What templates may refer to. Moments travel as RFC 3339 text.
Value ContextOf(const domain::SpecSnapshot& spec, const domain::Window& window,
                const Position& position) {
  Value::Object page{{"size", spec.paging.size}};
  if (position.page) page["number"] = *position.page;
  if (position.token) page["token"] = *position.token;
  return Value::Object{{"window", Value::Object{{"from", FormatRfc3339(window.from())},
                                                {"to", FormatRfc3339(window.to())}}},
                       {"page", std::move(page)}};
}

}  // namespace

Result<HttpRequest> RenderRequest(const domain::SpecSnapshot& spec, const domain::Window& window,
                                  const Position& position) {
  const auto context = ContextOf(spec, window, position);
  const auto path_template = PATRA_TRY(Template::Compile(spec.request.path));
  const auto path =
      PATRA_TRY(path_template.Render(context, {.now = window.to(), .place = PathSegment}));
  if (!path) {
    return Fail(ErrorCode::kInvalidInput, "the request's path has a placeholder without a value",
                {}, spec.request.path);
  }

  HttpRequest request{.url = spec.request.base_url + PATRA_TRY(ScalarText(*path))};
  char separator = '?';
  for (const auto& [name, text] : spec.request.query) {
    const auto parameter = PATRA_TRY(Template::Compile(text));
    const auto value = PATRA_TRY(parameter.Render(context, {.now = window.to()}));
    if (!value) continue;
    request.url += separator + PercentEncode(name) + "=" + PATRA_TRY(QueryValue(*value));
    separator = '&';
  }
  return request;
}

}  // namespace patra::app
