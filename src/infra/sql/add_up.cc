#include "infra/sql/add_up.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "infra/sql/coverage_table.h"
#include "infra/sql/prove_window.h"
#include "infra/sql/remark_table.h"
#include "infra/sql/whole_table.h"

namespace patra::infra::sql {
namespace {

constexpr std::string_view kFallsShort = "FALLS_SHORT";
constexpr std::string_view kCapped = "CAPPED";

// What was read before the provider's own time for it proves nothing from there on.
std::optional<domain::Window> ProvenOf(const whole_table::Parts& parts) {
  const auto to = std::min(parts.window.to(), parts.proven_to.value_or(Instant::max()));
  const auto proven = domain::Window::Between(parts.window.from(), to);
  return proven ? std::optional(*proven) : std::nullopt;
}

}  // namespace

Result<Addition> AddUp(Session& session, const app::SliceClose& close) {
  Addition addition;
  // Most slices were not cut from others.
  const bool is_part = close.task.slice.total_of_whole.has_value();
  if (!is_part || (!close.is_read && close.wholes.empty())) return addition;
  auto part = close.lineage.slice;
  auto done = part;
  while (const auto whole = PATRA_TRY(whole_table::FindParent(session, part))) {
    part = whole->id;
    if (!whole->announced) continue;
    const auto parts = PATRA_TRY(whole_table::PartsOf(session, whole->id, done));
    if (!parts.is_read) break;
    // Where some of it was read too early, more may have come there since.
    const auto proven = ProvenOf(parts);
    domain::SumOfParts sum{.window = proven.value_or(parts.window),
                           .announced = *whole->announced,
                           .parts = parts.announced};
    const auto asked = std::ranges::find(close.wholes, whole->id, &app::WholeAsked::slice);
    if (asked != close.wholes.end()) {
      sum.now = asked->announced;
      sum.parts_now = asked->parts;
    }
    const auto verdict = Judge(sum, close.may_gain);
    // Who announces nothing cannot be asked: fewer came than before, for lists move.
    if (verdict != domain::PartsVerdict::kReach && !close.is_announced) break;
    if (verdict != domain::PartsVerdict::kReach) {
      auto spec = whole->spec;
      spec.window = sum.window;
      addition.falls_short = app::ShortWhole{whole->id, std::move(spec), sum, verdict, {}};
      if (verdict == domain::PartsVerdict::kAskParts)
        addition.falls_short->parts = PATRA_TRY(whole_table::SpecsOf(session, whole->id));
      break;
    }
    addition.reached.push_back({whole->id, sum, whole->fell_short ? proven : std::nullopt});
    done = whole->id;
  }
  return addition;
}

Result<std::optional<domain::CursorMove>> NoteAddition(Session& session,
                                                       const app::SliceClose& close,
                                                       const Addition& addition, IdGenerator& ids,
                                                       Instant now) {
  const auto& task = close.task;
  std::optional<domain::CursorMove> move;
  for (const auto& reached : addition.reached) {
    PATRA_TRY(whole_table::NoteSum(session, reached.whole,
                                   reached.sum.parts_now.value_or(reached.sum.parts),
                                   reached.sum.now));
    if (!reached.proven_again) continue;
    const Proof proof{.lane = task.lane,
                      .cursor = task.cursor,
                      .query_hash = task.query_hash,
                      .plan_window = task.plan_window,
                      .window = *reached.proven_again,
                      .lineage = close.lineage,
                      .expr_hash = task.slice_expr_hash,
                      .observed_max = close.observed_max};
    move = PATRA_TRY(ProveWindow(session, proof, ids, now));
  }
  const auto& lacking = addition.falls_short;
  if (!lacking || lacking->verdict != domain::PartsVerdict::kFallShort) return move;
  const auto why = close.gap.value_or("");
  PATRA_TRY(whole_table::NoteSum(session, lacking->slice,
                                 lacking->sum.parts_now.value_or(lacking->sum.parts),
                                 lacking->sum.now));
  PATRA_TRY(whole_table::NoteShort(session, lacking->slice, why, now));
  PATRA_TRY(remark_table::OnSlice(session, lacking->slice, {kFallsShort, why}, now));
  PATRA_TRY(coverage_table::TakeOut(session, task.lane, task.query_hash, lacking->sum.window,
                                    ids.Next(), now));
  return move;
}

Result<std::vector<domain::Window>> DoubtAlike(Session& session, const app::SliceClose& close,
                                               const Addition& addition, IdGenerator& ids,
                                               Instant now) {
  std::vector<domain::Window> doubted;
  const auto& task = close.task;
  for (const auto& reached : addition.reached) {
    const auto total = reached.sum.announced;
    if (!domain::IsCap(reached.sum)) continue;
    const auto why = fmt::format(
        "{} records were announced, as many as for {}, whose parts have {}: the provider counts no "
        "further",
        total, reached.sum.window.Describe(), reached.sum.parts);
    for (const auto& [slice, window] :
         PATRA_TRY(whole_table::DoneWithTotal(session, close.lineage.plan, total))) {
      PATRA_TRY(whole_table::NoteShort(session, slice, why, now));
      PATRA_TRY(remark_table::OnSlice(session, slice, {kCapped, why}, now));
      PATRA_TRY(
          coverage_table::TakeOut(session, task.lane, task.query_hash, window, ids.Next(), now));
      doubted.push_back(window);
    }
  }
  return doubted;
}

}  // namespace patra::infra::sql
