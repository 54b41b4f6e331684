// Templates: what compiles renders within its limits, and what is placed in a request stays there.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/placement.h"
#include "base/template.h"

namespace patra {
namespace {

constexpr RenderLimits kLimits{.bytes_max = 4096, .list_items_max = 100, .path_steps_max = 10'000};

const Value& Context() {
  static const Value context = ParseJson(R"({
    "window": {"from": "2026-03-01T00:00:00Z", "to": "2026-03-02T00:00:00Z"},
    "page": {"size": 800, "token": null, "x": 2.5}, "ids": ["a", "b\nc", 3, null, [1]],
    "t": " Grüße/../ ", "d": {"i": [{"id": 1}, {"id": 2}]}, "n": 12, "b": true
  })")
                                   .value();
  return context;
}

void CheckPlacement(const Value& value) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; };
  if (const auto header = HeaderValue(value)) {
    PATRA_ASSERT(std::ranges::none_of(*header, is_control));
  }
  for (const auto& encoded : {PathSegment(value), QueryValue(value)}) {
    PATRA_ASSERT(!encoded || encoded->find_first_of("/?#& \r\n") == std::string::npos);
  }
  if (const auto path = PathSegments(value)) {
    const auto whole = "/" + *path + "/";
    for (const auto* way_out : {"/../", "/./", "//"}) PATRA_ASSERT(!whole.contains(way_out));
  }
  if (const auto body = JsonBody(value)) PATRA_ASSERT(ParseJson(*body).has_value());
}

void Check(std::string_view text, NullPolicy policy) {
  const auto compiled = Template::Compile(text, {.null_policy = policy});
  if (!compiled) {
    PATRA_ASSERT(compiled.error().code == ErrorCode::kLimit || compiled.error().place.column > 0);
    return;
  }
  const Instant now = ParseRfc3339("2026-03-29T12:00:00Z").value();
  const auto rendered = compiled->Render(Context(), {.now = now, .limits = kLimits});
  if (rendered && *rendered) CheckPlacement(**rendered);
  if (rendered && *rendered && (*rendered)->AsString() && !compiled->is_constant()) {
    PATRA_ASSERT((*rendered)->AsString()->size() <= kLimits.bytes_max);
  }
  PATRA_ASSERT(rendered.has_value() || rendered.error().code == ErrorCode::kLimit ||
               rendered.error().place.column > 0);
  (void)compiled->Render(Context(), {.now = now, .limits = kLimits, .place = PathSegment});
}

}  // namespace
}  // namespace patra

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  patra::Check(text, patra::NullPolicy::kOmit);
  patra::Check(text, patra::NullPolicy::kEmpty);
  return 0;
}
