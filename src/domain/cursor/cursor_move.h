// One step of a cursor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/time.h"
#include "base/value.h"
#include "domain/plan/plan.h"
#include "domain/word/lineage.h"

namespace patra::domain {

// A time, or a number that stands for an id in the order in which ids are checked.
using CursorValue = std::variant<Instant, std::int64_t>;

enum class CursorDirection {
  kForward,
  kBackfill,  // into the past: there "forward" is earlier
  kManual,    // anywhere: a person decided
};

std::string_view Code(CursorDirection direction);
std::string TextOf(const CursorValue& value);

struct CursorMove {
  Lane lane;
  CursorNamespace cursor;
  CursorDirection direction = CursorDirection::kForward;
  std::optional<CursorValue> from;  // what it was when the move was decided
  CursorValue to;
  std::optional<Window> window;  // the stretch that made it possible
  std::optional<CursorValue> observed_max;
  Lineage lineage;
  std::string expr_hash;
  Id decision = 0;    // tells the decisions of people apart
  std::string by{};   // the person who decided; empty where a proof moves it
  std::string why{};  // what a person says, or why only a part of what was read is proven
  // Of the run whose proof moves it: its last batch, and how many of what the slice brought came late (item/late.h).
  int batch_no = 0;
  std::int64_t late = 0;

  // As the ledger keeps it beside the step: {"reason":"MANUAL","by":"anna","why":"…"},
  // {"reason":"HARVEST","batchNo":12,"lateArrival":3}.
  Value Remarks() const;

  // The same step of the same cursor is the same event; two decisions are two.
  std::string EventKey() const;
};

// How the audit names a cursor.
std::string NameOf(const Lane& lane, const CursorNamespace& cursor);

// Whether a cursor that stands at `current` would go forward by going to `to`. Values of another type
// never replace each other.
bool IsAhead(CursorDirection direction, const CursorValue& current, const CursorValue& to);

// Why such a cursor does not go to `to`, for people; nothing where it would, or is there already.
std::optional<std::string> WhyRefused(CursorDirection direction, const CursorValue& current,
                                      const CursorValue& to);

}  // namespace patra::domain
