#include "infra/sql/prove_window.h"

#include "app/port/plan_repository.h"
#include "domain/cursor/frontier.h"
#include "infra/sql/coverage_table.h"
#include "infra/sql/cursor_event_table.h"
#include "infra/sql/cursor_table.h"
#include "infra/sql/plan_table.h"
#include "infra/sql/quarantine_place_table.h"
#include "infra/sql/slice_table.h"
#include "infra/sql/tell_gone.h"

namespace patra::infra::sql {
namespace {

constexpr std::string_view kByPage = "PAGE";  // as the planner calls it

}  // namespace

Result<std::optional<domain::CursorMove>> ProveWindow(Session& session, const Proof& proof,
                                                      IdGenerator& ids, Instant now) {
  const auto& lane = proof.lane;
  PATRA_TRY(coverage_table::Add(session, lane, proof.query_hash, proof.window, ids.Next(), now));
  PATRA_TRY(quarantine_place_table::Leave(session,
                                          {.lane = lane,
                                           .query_hash = proof.query_hash,
                                           .window = proof.window,
                                           .plan = proof.lineage.plan},
                                          now));
  const bool is_backfill = lane.operation == domain::Operation::kBackfill;
  const auto direction =
      is_backfill ? domain::CursorDirection::kBackfill : domain::CursorDirection::kForward;
  const auto standing = PATRA_TRY(cursor_table::Find(session, lane, proof.cursor));
  const domain::Frontier frontier(
      direction, proof.plan_window,
      standing ? std::optional(std::get<Instant>(standing->value)) : std::nullopt);
  const auto start = frontier.start();
  const auto around = PATRA_TRY(domain::Window::Between(start - Duration(1), start + Duration(1)));
  const auto reached =
      frontier.After(PATRA_TRY(coverage_table::Around(session, lane, proof.query_hash, around)));
  if (!reached) return std::nullopt;
  domain::CursorMove move{.lane = lane,
                          .cursor = proof.cursor,
                          .direction = direction,
                          .to = *reached,
                          .window = proof.window,
                          .observed_max = proof.observed_max,
                          .lineage = proof.lineage,
                          .expr_hash = proof.expr_hash,
                          .why = proof.why,
                          .batch_no = proof.batch_no,
                          .late = proof.late};
  if (standing) move.from = standing->value;
  PATRA_TRY(cursor_event_table::Insert(session, move, ids.Next(), now));
  return move;
}

Result<std::optional<domain::CursorMove>> ProvePages(Session& session, Id id, IdGenerator& ids,
                                                     Instant now) {
  const auto stored = PATRA_TRY(plan_table::Read(session, id));
  if (!stored || stored->plan.slice_strategy != kByPage || !stored->is_wholly_cut())
    return std::nullopt;
  const auto& plan = stored->plan;
  if (!PATRA_TRY(slice_table::AllPartsSucceeded(session, plan.lane, plan.query_hash, plan.window,
                                                plan.id)))
    return std::nullopt;
  const Proof proof{.lane = plan.lane,
                    .cursor = plan.cursor,
                    .query_hash = plan.query_hash,
                    .plan_window = plan.window,
                    .window = plan.window,
                    .lineage = {.trigger = plan.trigger_id, .plan = plan.id},
                    .expr_hash = plan.expr_proto_hash};
  PATRA_TRY(TellGone(session, proof, ids, now));
  return ProveWindow(session, proof, ids, now);
}

}  // namespace patra::infra::sql
