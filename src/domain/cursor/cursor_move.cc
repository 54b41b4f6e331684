#include "domain/cursor/cursor_move.h"

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/hash.h"
#include "base/value.h"

namespace patra::domain {

std::string_view Code(CursorDirection direction) {
  switch (direction) {
    case CursorDirection::kForward:
      return "FORWARD";
    case CursorDirection::kBackfill:
      return "BACKFILL";
    case CursorDirection::kManual:
      break;
  }
  return "MANUAL";
}

std::string TextOf(const CursorValue& value) {
  if (const auto* time = std::get_if<Instant>(&value)) return FormatRfc3339(*time);
  return fmt::to_string(std::get<std::int64_t>(value));
}

std::string CursorMove::EventKey() const {
  Value::Object identity{{"partition", lane.Key()},
                         {"scope", cursor.scope},
                         {"namespace", cursor.key},
                         {"cursor", cursor.cursor_key},
                         {"direction", Code(direction)},
                         {"from", from ? Value(TextOf(*from)) : Value()},
                         {"to", TextOf(to)}};
  if (decision != 0) identity["decision"] = fmt::to_string(decision);
  return Sha256Hex(CanonicalJson(identity));
}

Value CursorMove::Remarks() const {
  const bool is_decision = direction == CursorDirection::kManual;
  Value::Object remarks{{"reason", is_decision ? Code(direction) : Code(lane.operation)}};
  if (!by.empty()) remarks["by"] = by;
  if (!why.empty()) remarks["why"] = why;
  if (batch_no > 0) {
    remarks["batchNo"] = std::int64_t{batch_no};
    remarks["lateArrival"] = late;
  }
  return remarks;
}

std::string NameOf(const Lane& lane, const CursorNamespace& cursor) {
  return fmt::format("{}/{}/{}", lane.Key(), cursor.cursor_key, cursor.key);
}

bool IsAhead(CursorDirection direction, const CursorValue& current, const CursorValue& to) {
  if (current.index() != to.index()) return false;
  if (direction == CursorDirection::kManual) return current != to;
  return direction == CursorDirection::kForward ? current < to : to < current;
}

std::optional<std::string> WhyRefused(CursorDirection direction, const CursorValue& current,
                                      const CursorValue& to) {
  if (current == to || IsAhead(direction, current, to)) return std::nullopt;
  if (current.index() != to.index()) return "the cursor holds values of another type";
  return "the cursor only goes forward";
}

}  // namespace patra::domain
