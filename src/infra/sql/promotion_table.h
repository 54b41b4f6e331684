// Table ing_promotion: whether the store moves into another database, has moved, or is being filled from one. Only one that does
// none of that takes changes, and every transaction that writes asks for it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "infra/sql/session.h"

namespace patra::infra::sql::promotion_table {

enum class Direction { kOut, kIn };

inline constexpr std::string_view kMoving = "MOVING";
inline constexpr std::string_view kMoved = "MOVED";
inline constexpr std::string_view kFilling = "FILLING";
inline constexpr std::string_view kFilled = "FILLED";

struct Mark {
  std::string key;
  std::string state;
  std::string other;
  std::int64_t schema = 0;
};

Result<std::optional<Mark>> Find(Session& session, Direction direction);

// From then on the store takes no changes but by whoever moves it, and programs that know nothing of this table do not open it.
// REQUIRES: the state is kMoving or kFilling
Result<void> Insert(Session& session, Direction direction, const Mark& mark, Instant now);

// From one state to the next. kConflict where it is in another, or of another promotion.
Result<void> Move(Session& session, Direction direction, const std::string& key,
                  std::string_view from, std::string_view to, Instant now);

// The store takes changes again.
Result<void> Remove(Session& session, Direction direction, const std::string& key);

// One row with one text, the same to every database: why the store takes no changes, or nothing.
inline constexpr std::string_view kClosedBy =
    "SELECT coalesce(min(state_code || ' ' || changed_at || ' ' || other_store), '') AS closed "
    "FROM ing_promotion WHERE state_code <> 'FILLED'";

// That text, as what a person needs to know.
Result<void> CheckOpen(std::string_view closed);
Result<void> CheckOpen(Session& session);
// The same for those who only look: of a store that has moved everything can be seen, of one that is being filled only a part.
Result<void> CheckWhole(Session& session);

}  // namespace patra::infra::sql::promotion_table
