#include "domain/cursor/cursor_move.h"

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/hash.h"
#include "base/value.h"

namespace patra::domain {

std::string_view Code(CursorDirection direction) {
  return direction == CursorDirection::kForward ? "FORWARD" : "BACKFILL";
}

std::string TextOf(const CursorValue& value) {
  if (const auto* time = std::get_if<Instant>(&value)) return FormatRfc3339(*time);
  return fmt::to_string(std::get<std::int64_t>(value));
}

std::string CursorMove::EventKey() const {
  return Sha256Hex(CanonicalJson(Value::Object{{"partition", partition.Key()},
                                               {"scope", cursor.scope},
                                               {"namespace", cursor.key},
                                               {"cursor", cursor.cursor_key},
                                               {"direction", Code(direction)},
                                               {"from", from ? Value(TextOf(*from)) : Value()},
                                               {"to", TextOf(to)}}));
}

bool IsAhead(CursorDirection direction, const CursorValue& current, const CursorValue& to) {
  if (current.index() != to.index()) return false;
  return direction == CursorDirection::kForward ? current < to : to < current;
}

}  // namespace patra::domain
