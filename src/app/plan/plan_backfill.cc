#include "app/plan/plan_backfill.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/plan/plan_draft.h"
#include "domain/spec/enumerator.h"

namespace patra::app {
namespace {

using domain::Window;

Value Activity(const char* kind, Instant from, Instant to) {
  return Value::Object{{"kind", kind}, {"from", FormatRfc3339(from)}, {"to", FormatRfc3339(to)}};
}

// The start of the proven stretch that reaches to `moment`; `moment` itself where nothing does.
Instant ProvenBackFrom(const domain::Coverage& coverage, Instant moment) {
  for (const auto& stretch : coverage.windows()) {
    if (stretch.from() < moment && moment <= stretch.to()) return stretch.from();
  }
  return moment;
}

std::optional<Instant> BeyondNow(Instant to, Instant safe_now) {
  return to > safe_now ? std::optional(safe_now) : std::nullopt;
}

}  // namespace

Result<Planned> PlanBackfill::Run(const BackfillCommand& command) {
  const auto& spec = command.spec;
  const auto& options = command.options;
  if (!domain::EnumerationOf(spec).knows_time) {
    return Fail(ErrorCode::kInvalidInput,
                "this endpoint has no window: every harvest reads the whole list", {},
                "use ‹harvest.run›");
  }
  const auto harvest = LaneOf(spec, domain::Operation::kHarvest);
  const auto safe_now =
      PATRA_TRY(SafeNow(PATRA_TRY(WithAdjustments(spec, ports_)), ports_.clock.Now()));
  const auto watermark = PATRA_TRY(ports_.cursors.Watermark(harvest, HarvestCursor(spec)));
  ReplacedPlans older;
  const Scene scene{.command = command,
                    .lane = LaneOf(spec, domain::Operation::kBackfill),
                    .query_hash = domain::QueryHash(spec.query),
                    .safe_now = safe_now,
                    .watermark = watermark,
                    .older = older};
  if (const auto held =
          PATRA_TRY(writer_.Held(scene.lane, domain::SpecFingerprint(command.spec), options)))
    return *held;

  auto due =
      PATRA_TRY(std::visit([&](const auto& scope) { return DueOf(scene, scope); }, command.scope));
  const auto said = [&](Planned planned) {
    const auto& asks = due.asked ? due.asked : planned.window;
    if (asks) planned.asked = AskedFor{scene.lane, scene.query_hash, *asks};
    planned.answers_for =
        due.answers_for ? AskedFor{scene.lane, scene.query_hash, *due.answers_for} : planned.asked;
    planned.not_yet_from = due.not_yet_from;
    planned.notes = due.notes;
    return With(With(std::move(planned), due.tried), older);
  };
  const auto open = PATRA_TRY(ports_.plans.FindUncut(scene.lane, due.cursor));
  if (open && !options.again && !older.IsWithdrawn(*open))
    return said(PATRA_TRY(writer_.Continue(*open, spec, options, OpenTime)));
  if (!due.window || due.stretches.empty())
    return said({.window = due.window, .reason = due.reason});

  return said(PATRA_TRY(WriteTimePlan(
      {.spec = spec,
       .lane = scene.lane,
       .cursor = due.cursor,
       .key = domain::PlanKey(scene.lane, scene.query_hash, *due.window) + due.key_suffix,
       .window = *due.window,
       .stretches = std::move(due.stretches),
       .newest_first = true},
      options, ports_, writer_)));
}

Result<void> PlanBackfill::Replace(const Scene& scene, const Window& window) {
  scene.older =
      PATRA_TRY(older_.In(scene.lane, scene.query_hash, domain::SpecFingerprint(scene.command.spec),
                          window, scene.command.options));
  return {};
}

Result<void> PlanBackfill::TakeNew(const Scene& scene, std::vector<Window> gaps, Due& due) {
  const auto& spec = scene.command.spec;
  due.tried = PATRA_TRY(try_again_.In(scene.lane, scene.query_hash, domain::SpecFingerprint(spec),
                                      gaps, scene.command.options));
  due.stretches = due.tried.Without(gaps);
  return {};
}

Result<PlanBackfill::Due> PlanBackfill::DueOf(const Scene& scene, const BackfillRange& range) {
  const auto& spec = scene.command.spec;
  const auto grid = PATRA_TRY(AlignedGrid(spec));
  PATRA_TRY(Window::Between(range.from, range.to));
  const auto from = grid.Floor(range.from);
  if (from >= scene.safe_now)
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("{} is not past yet", FormatRfc3339(range.from)), {},
                fmt::format("what came before {} (now less the safety lag) can be fetched",
                            FormatRfc3339(scene.safe_now)));
  const auto window =
      PATRA_TRY(Window::Between(from, std::min(grid.Ceil(range.to), scene.safe_now)));
  PATRA_TRY(Replace(scene, window));
  return Due{.cursor = domain::ActivityNamespace(scene.lane, scene.query_hash,
                                                 Activity("range", window.from(), window.to()),
                                                 spec.window.watermark_key),
             .window = window,
             .not_yet_from = BeyondNow(range.to, scene.safe_now),
             .stretches = {window},
             .notes = NotesOnRounding(spec, window, range.from, range.to)};
}

Result<PlanBackfill::Due> PlanBackfill::DueOf(const Scene& scene, const BackfillGaps& gaps) {
  const auto& spec = scene.command.spec;
  const auto grid = PATRA_TRY(AlignedGrid(spec));
  const auto from = grid.Floor(gaps.from.value_or(spec.window.start));
  const auto to = std::min(grid.Ceil(gaps.to.value_or(scene.watermark.value_or(scene.safe_now))),
                           scene.safe_now);
  const auto window = PATRA_TRY(Window::Between(from, to));
  PATRA_TRY(Replace(scene, window));
  Due due{.cursor = domain::ActivityNamespace(
              scene.lane, scene.query_hash, Activity("gaps", from, to), spec.window.watermark_key),
          .reason = "the ledger proves it complete, or it is under way",
          .key_suffix = "/at-" + FormatRfc3339(scene.safe_now)};
  const auto proven = PATRA_TRY(ports_.cursors.CoverageIn(scene.lane, scene.query_hash, window));
  due.asked = window;
  due.notes = NotesOnRounding(spec, window, gaps.from, gaps.to);
  if (gaps.to) due.not_yet_from = BeyondNow(*gaps.to, scene.safe_now);
  PATRA_TRY(TakeNew(scene, proven.GapsIn(window), due));
  auto stretches = std::move(due.stretches);
  for (const auto operation : {domain::Operation::kHarvest, domain::Operation::kBackfill}) {
    stretches = PATRA_TRY(
        WithoutOpen(ports_.plans, LaneOf(spec, operation), scene.query_hash, std::move(stretches)));
  }
  due.stretches = std::move(stretches);
  if (!due.stretches.empty())
    due.window =
        PATRA_TRY(Window::Between(due.stretches.front().from(), due.stretches.back().to()));
  return due;
}

Result<PlanBackfill::Due> PlanBackfill::DueOf(const Scene& scene, const BackfillAuto& further) {
  const auto& spec = scene.command.spec;
  const auto grid = PATRA_TRY(AlignedGrid(spec));
  const auto earliest = grid.Floor(further.until.value_or(spec.window.start));
  Due due{.cursor = domain::ActivityNamespace(scene.lane, scene.query_hash,
                                              Value::Object{{"kind", "auto"}},
                                              spec.window.watermark_key)};
  if (const auto all = Window::Between(earliest, scene.safe_now)) due.answers_for = *all;
  const auto frontier = PATRA_TRY(Frontier(scene, due.cursor, earliest));
  const auto from = std::max(grid.Floor(frontier - further.step), earliest);
  const auto window = Window::Between(from, frontier);
  if (!window) {
    due.reason = "everything is fetched back to " + FormatRfc3339(earliest);
    return due;
  }
  due.window = *window;
  PATRA_TRY(Replace(scene, *window));
  const auto proven = PATRA_TRY(ports_.cursors.CoverageIn(scene.lane, scene.query_hash, *window));
  PATRA_TRY(TakeNew(scene, proven.GapsIn(*window), due));
  due.stretches =
      PATRA_TRY(WithoutOpen(ports_.plans, scene.lane, scene.query_hash, std::move(due.stretches)));
  due.reason = "this step is under way";
  due.key_suffix = "/at-" + FormatRfc3339(scene.safe_now);
  return due;
}

Result<Instant> PlanBackfill::Frontier(const Scene& scene, const domain::CursorNamespace& cursor,
                                       Instant earliest) {
  const auto standing = PATRA_TRY(ports_.cursors.Watermark(scene.lane, cursor));
  const auto from = standing.value_or(scene.watermark.value_or(scene.safe_now));
  const auto window = Window::Between(earliest, from);
  if (!window) return from;
  const auto proven = PATRA_TRY(ports_.cursors.CoverageIn(scene.lane, scene.query_hash, *window));
  const auto frontier = std::max(ProvenBackFrom(proven, from), earliest);
  const bool has_moved = !standing || frontier < *standing;
  if (!has_moved || scene.command.options.dry_run) return frontier;

  domain::CursorMove move{.lane = scene.lane,
                          .cursor = cursor,
                          .direction = domain::CursorDirection::kBackfill,
                          .to = frontier};
  if (standing) move.from = *standing;
  PATRA_TRY(ports_.cursors.Advance(move));
  return frontier;
}

}  // namespace patra::app
