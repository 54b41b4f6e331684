// How a cursor's value lies in the columns of ing_cursor and ing_cursor_event.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "domain/cursor/cursor_move.h"

namespace patra::infra::sql {

struct CursorColumns {
  std::string_view type;
  std::string text;
  std::optional<Instant> instant;
  std::optional<std::int64_t> number;
};

inline CursorColumns ColumnsOf(const domain::CursorValue& value) {
  if (const auto* time = std::get_if<Instant>(&value)) {
    return {
        .type = "TIME", .text = domain::TextOf(value), .instant = *time, .number = std::nullopt};
  }
  return {.type = "ID",
          .text = domain::TextOf(value),
          .instant = std::nullopt,
          .number = std::get<std::int64_t>(value)};
}

inline std::optional<std::string> ObservedMax(const domain::CursorMove& move) {
  if (!move.observed_max) return std::nullopt;
  return domain::TextOf(*move.observed_max);
}

}  // namespace patra::infra::sql
