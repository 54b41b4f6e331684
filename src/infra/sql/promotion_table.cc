#include "infra/sql/promotion_table.h"

#include <charconv>

#include <fmt/format.h>

#include "infra/sql/schema_book.h"

namespace patra::infra::sql::promotion_table {
namespace {

// The change that made the table.
constexpr int kKnowsPromotions = 91;

constexpr std::string_view kFindMark = R"sql(
    SELECT move_key, state_code, other_store, schema_no FROM ing_promotion
    WHERE direction_code = :direction LIMIT 1)sql";

constexpr std::string_view kInsertMark = R"sql(
    INSERT INTO ing_promotion (direction_code, move_key, state_code, other_store, schema_no, changed_at)
    VALUES (:direction, :key, :state, :other, :schema, :now))sql";

constexpr std::string_view kMoveMark = R"sql(
    UPDATE ing_promotion SET state_code = :to, changed_at = :now
    WHERE direction_code = :direction AND move_key = :key AND state_code = :from)sql";

constexpr std::string_view kRemoveMark = R"sql(
    DELETE FROM ing_promotion WHERE direction_code = :direction AND move_key = :key)sql";

constexpr std::string_view kSetReaders =
    "UPDATE patra_schema SET reader_min = :reader_min WHERE number = :number";

std::string_view CodeOf(Direction direction) { return direction == Direction::kOut ? "OUT" : "IN"; }

// Programs that do not look for the mark must not open the store while it matters.
Result<void> KeepOthersOut(Session& session, bool does) {
  PATRA_TRY(session.Run(kSetReaders,
                        {{"reader_min", does ? kKnowsPromotions : ReaderMinOf(kKnowsPromotions)},
                         {"number", kKnowsPromotions}}));
  return {};
}

struct Closed {
  std::string_view state;
  std::string_view other;
  Instant since;
};

Closed Read(std::string_view text) {
  Closed closed{.state = text.substr(0, text.find(' ')), .other = {}, .since = {}};
  text.remove_prefix(closed.state.size() + 1);
  std::int64_t since = 0;
  const auto* end = std::from_chars(text.data(), text.data() + text.size(), since).ptr;
  closed.since = Instant(Duration(since));
  closed.other = text.substr(static_cast<std::size_t>(end - text.data()) + 1);
  return closed;
}

}  // namespace

Result<std::optional<Mark>> Find(Session& session, Direction direction) {
  auto rows = PATRA_TRY(session.Query(kFindMark, {{"direction", CodeOf(direction)}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return Mark{.key = rows.Text("move_key"),
              .state = rows.Text("state_code"),
              .other = rows.Text("other_store"),
              .schema = rows.Integer("schema_no")};
}

Result<void> Insert(Session& session, Direction direction, const Mark& mark, Instant now) {
  PATRA_TRY(session.Run(kInsertMark, {{"direction", CodeOf(direction)},
                                      {"key", mark.key},
                                      {"state", mark.state},
                                      {"other", mark.other},
                                      {"schema", mark.schema},
                                      {"now", now}}));
  return KeepOthersOut(session, true);
}

Result<void> Move(Session& session, Direction direction, const std::string& key,
                  std::string_view from, std::string_view to, Instant now) {
  const auto moved = PATRA_TRY(session.Run(
      kMoveMark,
      {{"to", to}, {"now", now}, {"direction", CodeOf(direction)}, {"key", key}, {"from", from}}));
  if (moved == 0) {
    return Fail(ErrorCode::kConflict, "the promotion was given up or ended by another process", {},
                "look at both stores: each says what it is when something is to be changed in it");
  }
  return to == kFilled ? KeepOthersOut(session, false) : Result<void>{};
}

Result<void> Remove(Session& session, Direction direction, const std::string& key) {
  PATRA_TRY(session.Run(kRemoveMark, {{"direction", CodeOf(direction)}, {"key", key}}));
  return KeepOthersOut(session, false);
}

Result<void> CheckOpen(std::string_view closed) {
  if (closed.empty()) return {};
  const auto by = Read(closed);
  if (by.state == kMoved) {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("this store was moved to {} at {} and takes no more changes", by.other,
                            FormatRfc3339(by.since)),
                {}, fmt::format("go on there: --db {}", by.other));
  }
  if (by.state == kMoving) {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("this store is being moved to {} since {} and takes no changes",
                            by.other, FormatRfc3339(by.since)),
                {},
                fmt::format("`patra db promote --to {}` goes on with it, `patra db promote "
                            "--abandon` gives it up",
                            by.other));
  }
  return Fail(
      ErrorCode::kInvalidInput,
      fmt::format("this store is not whole: it is being filled from {} since {}", by.other,
                  FormatRfc3339(by.since)),
      {},
      fmt::format("`patra db promote --db {} --to` this one goes on with it; if that was given up, "
                  "drop this one",
                  by.other));
}

Result<void> CheckOpen(Session& session) {
  auto rows = PATRA_TRY(session.Query(kClosedBy));
  if (!PATRA_TRY(rows.Next())) return {};
  return CheckOpen(rows.View("closed"));
}

Result<void> CheckWhole(Session& session) {
  const auto in = PATRA_TRY(Find(session, Direction::kIn));
  return in && in->state == kFilling ? CheckOpen(session) : Result<void>{};
}

}  // namespace patra::infra::sql::promotion_table
