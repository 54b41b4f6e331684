#include "infra/sql/cursor_repository.h"

#include "infra/sql/adjustment_table.h"
#include "infra/sql/audit_table.h"
#include "infra/sql/coverage_table.h"
#include "infra/sql/cursor_event_table.h"
#include "infra/sql/cursor_refusal_table.h"
#include "infra/sql/cursor_table.h"

namespace patra::infra::sql {
namespace {

// While self-healing holds a cursor, its events go on and its value stays.
Result<std::optional<std::string>> WhyHeld(Session& session, const domain::CursorMove& move,
                                           Instant now) {
  const bool can_be_held = move.direction == domain::CursorDirection::kForward &&
                           move.lane.operation == domain::Operation::kHarvest;
  if (!can_be_held) return std::nullopt;
  const auto hold = PATRA_TRY(adjustment_table::Find(
      session, move.lane.provenance, move.lane.endpoint, app::AdjustmentKind::kCursorHold, now));
  if (!hold) return std::nullopt;
  return "the cursor is held: " + hold->reason;
}

// A watermark says that everything before it is proven. Where a person puts one back, what lies after it is not: else the
// next slice to close would take it forward over the same stretch again.
Result<void> WithdrawProof(Session& session, const domain::CursorMove& move) {
  const auto* to = std::get_if<Instant>(&move.to);
  const bool goes_back = to != nullptr && move.from && move.to < *move.from;
  if (!goes_back || move.lane.operation != domain::Operation::kHarvest) return {};
  for (const auto& query : PATRA_TRY(coverage_table::Queries(session, move.lane))) {
    const auto own = domain::HarvestNamespace(move.lane, query, move.cursor.cursor_key);
    const bool is_covered = move.cursor.scope != own.scope || move.cursor.key == own.key;
    if (is_covered) PATRA_TRY(coverage_table::Withdraw(session, move.lane, query, *to));
  }
  return {};
}

}  // namespace

Result<std::optional<domain::CursorValue>> CursorRepository::Current(
    const domain::Lane& lane, const domain::CursorNamespace& cursor) {
  return database_.Read([&](Session& session) -> Result<std::optional<domain::CursorValue>> {
    const auto standing = PATRA_TRY(cursor_table::Find(session, lane, cursor));
    return standing ? std::optional(standing->value) : std::nullopt;
  });
}

Result<bool> CursorRepository::Advance(const domain::CursorMove& move) {
  PATRA_TRY(database_.Write([&](Session& session) {
    return cursor_event_table::Insert(session, move, ids_.Next(), clock_.Now());
  }));
  return Follow(move);
}

Result<bool> CursorRepository::Follow(const domain::CursorMove& move) {
  return database_.Write([&](Session& session) -> Result<bool> {
    const auto refuse = [&](const std::optional<domain::CursorValue>& present,
                            const std::string& reason) {
      return cursor_refusal_table::Insert(session, move, present, reason, ids_.Next(),
                                          clock_.Now());
    };
    if (const auto held = PATRA_TRY(WhyHeld(session, move, clock_.Now()))) {
      const auto standing = PATRA_TRY(cursor_table::Find(session, move.lane, move.cursor));
      const auto present = standing ? std::optional(standing->value) : std::nullopt;
      if (present != move.to) PATRA_TRY(refuse(present, *held));
      return false;
    }
    // A conflict is tried once more. Here the writer's transaction makes that all it can take.
    for (int attempt = 0; attempt < 2; ++attempt) {
      const auto standing = PATRA_TRY(cursor_table::Find(session, move.lane, move.cursor));
      if (!standing) {
        if (PATRA_TRY(cursor_table::Insert(session, move, ids_.Next(), clock_.Now()))) return true;
        continue;
      }
      if (const auto why = domain::WhyRefused(move.direction, standing->value, move.to))
        PATRA_TRY(refuse(standing->value, *why));
      if (!domain::IsAhead(move.direction, standing->value, move.to)) return false;
      if (PATRA_TRY(cursor_table::Set(session, move, standing->version, clock_.Now()))) return true;
    }
    return Fail(ErrorCode::kConflict,
                "the cursor was moved by others twice while it was being moved");
  });
}

Result<void> CursorRepository::Settle(const domain::Lane& lane,
                                      const domain::CursorNamespace& cursor) {
  const auto newest = PATRA_TRY(database_.Read(
      [&](Session& session) { return cursor_event_table::Furthest(session, lane, cursor); }));
  if (newest) PATRA_TRY(Follow(*newest));
  return {};
}

Result<void> CursorRepository::Set(const domain::Lane& lane, const domain::CursorNamespace& cursor,
                                   const domain::CursorValue& value,
                                   const app::Decision& decision) {
  domain::CursorMove move{.lane = lane,
                          .cursor = cursor,
                          .direction = domain::CursorDirection::kManual,
                          .to = value,
                          .decision = ids_.Next(),
                          .by = decision.actor.name,
                          .why = decision.reason};
  PATRA_TRY(database_.Write([&](Session& session) -> Result<void> {
    const auto now = clock_.Now();
    const auto standing = PATRA_TRY(cursor_table::Find(session, lane, cursor));
    if (standing && standing->value.index() != value.index()) {
      return Fail(ErrorCode::kInvalidInput, "the cursor holds values of another type", {},
                  "a TIME cursor takes a time, an ID cursor a number");
    }
    if (standing) move.from = standing->value;
    PATRA_TRY(cursor_event_table::Insert(session, move, ids_.Next(), now));
    PATRA_TRY(WithdrawProof(session, move));
    return audit_table::Insert(session, "SET_CURSOR", "CURSOR", domain::NameOf(lane, cursor),
                               decision, ids_.Next(), now);
  }));
  PATRA_TRY(Follow(move));
  return {};
}

Result<domain::Coverage> CursorRepository::CoverageIn(const domain::Lane& lane,
                                                      const std::string& query_hash,
                                                      const domain::Window& window) {
  return database_.Read(
      [&](Session& session) { return coverage_table::Around(session, lane, query_hash, window); });
}

}  // namespace patra::infra::sql
