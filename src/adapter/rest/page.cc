#include "adapter/rest/page.h"

#include "base/base64.h"
#include "base/moment.h"

namespace patra::adapter::rest {

Parameter LimitParameter() {
  return {.name = "limit",
          .schema = Integer("at most so many", 1, kRowsMost),
          .standard = Value(kRowsUsual)};
}

Parameter AfterParameter() {
  return {.name = "after", .schema = Text("`next` of the page before")};
}

std::string PlaceToken(std::string_view list, Value::Array place) {
  place.insert(place.begin(), Value(list));
  return Base64Url(PrintJson(Value(std::move(place))));
}

Result<std::optional<Value::Array>> PlaceIn(const Fields& arguments, std::string_view list,
                                            std::string_view kinds) {
  const auto token = arguments.TextIfAny("after");
  if (!token) return std::nullopt;
  const auto broken = [] {
    return Fail(ErrorCode::kInvalidInput, "after: this is no place in this list", {},
                "send what `next` of the page before said");
  };
  const auto text = FromBase64Url(*token);
  const auto value = text ? ParseJson(*text) : Result<Value>(Value());
  const auto* parts = value ? value->AsArray() : nullptr;
  if (parts == nullptr || parts->size() != kinds.size() + 1) return broken();
  const auto* name = parts->front().AsString();
  if (name == nullptr || *name != list) return broken();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto& part = (*parts)[i + 1];
    const bool fits = kinds[i] == 'i' ? part.AsInteger() != nullptr : part.AsString() != nullptr;
    if (!fits) return broken();
  }
  return Value::Array(parts->begin() + 1, parts->end());
}

Result<contract::Stretch> StretchOf(const Call& call, const contract::Stretch& otherwise) {
  const auto now = call.services.clock().Now();
  auto stretch = otherwise;
  if (const auto from = call.arguments.TextIfAny("from"))
    stretch.from = PATRA_TRY(ParseMoment(*from, now));
  if (const auto to = call.arguments.TextIfAny("to")) stretch.to = PATRA_TRY(ParseMoment(*to, now));
  if (stretch.from < stretch.to) return stretch;
  return Fail(ErrorCode::kInvalidInput, "`from` has to be before `to`");
}

}  // namespace patra::adapter::rest
