// Whether anything may be planned: pauses, and fuses that have blown.
#include "app/plan/plan_writer.h"

#include <algorithm>

#include "app/plan/replace_older.h"

namespace patra::app {
namespace {

constexpr const char* kForgiven =
    "the definition is another one by now than the one that it was held for";

// What held a definition back that brought nothing does not hold back its correction: a fuse that it blew, and a pause that
// self-healing made over wrong requests, which is the kind that has no end. What a person has paused stays.
bool IsOfDefinition(const domain::Hold& hold, const domain::Lane& lane) {
  const bool is_own = hold.provenance == lane.provenance && hold.endpoint == lane.endpoint;
  return is_own && (hold.is_fuse || (hold.is_by_healing && !hold.until));
}

}  // namespace

Result<bool> PlanWriter::Forgives(const domain::Hold& hold, const domain::Lane& lane,
                                  const std::string& fingerprint, const PlanOptions& options) {
  if (!IsOfDefinition(hold, lane) || options.dry_run || IsByHealing(options)) return false;
  const auto older = PATRA_TRY(ports_.plans.OfOtherSnapshots(lane, fingerprint));
  if (std::ranges::all_of(older, &OlderPlan::has_brought)) return false;
  const Decision decision{.actor = {.name = options.origin.type, .way = domain::Way::kPlanner},
                          .reason = kForgiven};
  PATRA_TRY(hold.is_fuse ? ports_.holds.Reset(lane.provenance, lane.endpoint, decision)
                         : ports_.holds.Forgive(lane.provenance, lane.endpoint, decision));
  return true;
}

Result<std::optional<Planned>> PlanWriter::Held(const domain::Lane& lane,
                                                const std::string& fingerprint,
                                                const PlanOptions& options) {
  for (const auto& hold : PATRA_TRY(ports_.holds.Holds(domain::Role::kPlanner))) {
    if (!hold.Covers(lane.provenance, lane.endpoint)) continue;
    if (PATRA_TRY(Forgives(hold, lane, fingerprint, options))) continue;
    Planned held{.kind = Planned::Kind::kHeld,
                 .reason = hold.Describe(),
                 .hint = hold.Release(),
                 .is_fused = hold.is_fuse};
    if (!options.dry_run) {
      const auto trigger = PATRA_TRY(RecordTrigger(lane, options));
      PATRA_TRY(ports_.plans.RemarkOnTrigger(trigger, Value::Object{{"held", held.reason}}));
    }
    return held;
  }
  return std::nullopt;
}

}  // namespace patra::app
