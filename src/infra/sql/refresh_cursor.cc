#include "infra/sql/refresh_cursor.h"

#include <algorithm>
#include <cctype>
#include <unordered_set>

#include "app/port/plan_repository.h"
#include "domain/cursor/refresh_progress.h"
#include "infra/sql/cursor_event_table.h"
#include "infra/sql/cursor_table.h"
#include "infra/sql/enumerated_id_table.h"
#include "infra/sql/plan_table.h"
#include "infra/sql/signal_table.h"
#include "infra/sql/slice_table.h"

namespace patra::infra::sql {
namespace {

using domain::Unchecked;

// Signals name records in any case. Two that differ in nothing else hold each other.
std::string Folded(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

Result<Unchecked> UncheckedSignals(Session& session, Id plan, std::int64_t ids_max) {
  const auto open = PATRA_TRY(enumerated_id_table::OpenOf(session, plan, ids_max + 1));
  Unchecked unchecked{.is_any = !open.empty()};
  if (open.empty() || std::ssize(open) > ids_max) return unchecked;
  std::unordered_set<std::string> ids;
  for (const auto& look : open) ids.insert(Folded(look.id));
  const auto last = PATRA_TRY(signal_table::LastBefore(
      session, plan, [&](const std::string& id) { return ids.contains(Folded(id)); }));
  if (last) unchecked.reached = std::int64_t{*last};
  return unchecked;
}

Result<Unchecked> UncheckedRecords(Session& session, Id plan, std::int64_t ids_max) {
  const auto open = PATRA_TRY(enumerated_id_table::OpenOf(session, plan, ids_max + 1));
  Unchecked unchecked{.is_any = !open.empty()};
  if (open.empty() || std::ssize(open) > ids_max) return unchecked;
  // What was never there was never looked at.
  if (std::ranges::any_of(open, [](const auto& look) { return !look.looked_at; })) return unchecked;
  unchecked.reached = *std::ranges::min_element(open, {}, [](const auto& look) {
                         return *look.looked_at;
                       })->looked_at;
  return unchecked;
}

}  // namespace

Result<std::optional<domain::CursorMove>> RecordRefresh(Session& session,
                                                        const domain::Lineage& lineage,
                                                        std::int64_t unchecked_max, Id event,
                                                        Instant now) {
  const auto stored = PATRA_TRY(plan_table::Read(session, lineage.plan));
  if (!stored || stored->plan.lane.operation != domain::Operation::kUpdate) return std::nullopt;
  const auto& plan = stored->plan;
  const bool by_signal = plan.cursor.cursor_key == domain::kSignalId;
  if (!by_signal && !stored->is_wholly_cut()) return std::nullopt;
  const auto unchecked = PATRA_TRY(by_signal ? UncheckedSignals(session, plan.id, unchecked_max)
                                             : UncheckedRecords(session, plan.id, unchecked_max));
  const auto to =
      domain::RefreshReached(plan, stored->position, stored->is_wholly_cut(), unchecked);
  if (!to || (!unchecked.is_any && PATRA_TRY(slice_table::HasCancelled(session, plan.id))))
    return std::nullopt;
  const auto standing = PATRA_TRY(cursor_table::Find(session, plan.lane, plan.cursor));
  if (standing && !domain::IsAhead(domain::CursorDirection::kForward, standing->value, *to))
    return std::nullopt;
  domain::CursorMove move{.lane = plan.lane,
                          .cursor = plan.cursor,
                          .to = *to,
                          .lineage = lineage,
                          .expr_hash = plan.expr_proto_hash};
  if (standing) move.from = standing->value;
  PATRA_TRY(cursor_event_table::Insert(session, move, event, now));
  return move;
}

}  // namespace patra::infra::sql
