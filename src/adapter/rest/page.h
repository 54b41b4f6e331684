// Lists in pages: each says where the next one begins.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "adapter/rest/fields.h"
#include "adapter/rest/json_text.h"
#include "adapter/rest/route.h"
#include "contract/ledger_rows.h"

namespace patra::adapter::rest {

inline constexpr int kRowsUsual = 50;
inline constexpr int kRowsMost = 1'000;

Parameter LimitParameter();
Parameter AfterParameter();

// A place in that list, as callers keep it: they cannot read it, and one of another list is refused.
std::string PlaceToken(std::string_view list, Value::Array place);
// `kinds` is one letter for each part: i for an id or a number, t for a text. Nothing where none was sent.
Result<std::optional<Value::Array>> PlaceIn(const Fields& arguments, std::string_view list,
                                            std::string_view kinds);

// From `from` to `to`, where they are given: moments, also such as -7d.
Result<contract::Stretch> StretchOf(const Call& call, const contract::Stretch& otherwise);

// `rows` were asked for one more than the limit; that one is not shown, it tells that there are more.
template <typename Row, typename Append, typename PlaceOf>
Reply PageReply(const std::vector<Row>& rows, int limit, std::string_view list,
                const Append& append, const PlaceOf& place_of) {
  const auto shown = std::min(rows.size(), static_cast<std::size_t>(limit));
  Reply reply{.body = "{\"items\":["};
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) reply.body += ',';
    append(rows[i], reply.body);
  }
  reply.body += "],\"next\":";
  AppendJson(rows.size() > shown && shown > 0 ? Value(PlaceToken(list, place_of(rows[shown - 1])))
                                              : Value(),
             reply.body);
  reply.body += '}';
  return reply;
}

// All there is, in one page.
template <typename Row, typename Append>
Reply WholeReply(const std::vector<Row>& rows, const Append& append) {
  return PageReply(rows, static_cast<int>(rows.size()), "", append,
                   [](const Row&) { return Value::Array{}; });
}

}  // namespace patra::adapter::rest
