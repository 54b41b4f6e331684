#include "domain/walk/position.h"

#include <fmt/format.h>

namespace patra::domain {

std::string Describe(const Position& position) {
  if (position.is_detail) return fmt::format("details from id {}", position.token.value_or("?"));
  if (position.page) return fmt::format("page {}", *position.page);
  if (position.time) return fmt::format("time {}", FormatRfc3339(*position.time));
  return position.token ? "a token" : "the first page";
}

Value Position::ToValue() const {
  Value::Object value;
  if (page) value["page"] = *page;
  if (size) value["size"] = *size;
  if (token) value["token"] = *token;
  if (!token_is_position) value["scroll"] = true;
  if (time) value["time"] = FormatRfc3339(*time);
  if (is_detail) value["detail"] = true;
  return value;
}

Result<Position> Position::FromValue(const Value& value) {
  Position position;
  if (const auto* page = value.Find("page"); page != nullptr && page->AsInteger() != nullptr)
    position.page = *page->AsInteger();
  if (const auto* size = value.Find("size"); size != nullptr && size->AsInteger() != nullptr)
    position.size = *size->AsInteger();
  if (const auto* token = value.Find("token"); token != nullptr && token->AsString() != nullptr)
    position.token = *token->AsString();
  if (const auto* time = value.Find("time"); time != nullptr && time->AsString() != nullptr)
    position.time = PATRA_TRY(ParseRfc3339(*time->AsString()));
  position.token_is_position = value.Find("scroll") == nullptr;
  position.is_detail = value.Find("detail") != nullptr;
  return position;
}

}  // namespace patra::domain
