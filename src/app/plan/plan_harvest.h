// Turns "harvest this source" into a plan, its slices and their tasks. No network.
#pragma once

#include <optional>

#include "app/port/cursor_repository.h"
#include "app/port/plan_repository.h"
#include "base/clock.h"
#include "base/id.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

struct HarvestCommand {
  domain::SpecSnapshot spec;
  std::optional<Instant> from;  // instead of the watermark
  std::optional<Instant> to;    // instead of now less the safety lag
};

struct HarvestPlanned {
  enum class Kind {
    kCreated,
    kAlreadyPlanned,  // the same window was planned before: nothing was added
    kNothingDue,      // the watermark is where it should be
  };
  Kind kind = Kind::kNothingDue;
  Id plan = 0;
  int slices = 0;
  std::optional<domain::Window> window;
  std::optional<Instant> watermark;
};

class PlanHarvest {
 public:
  PlanHarvest(PlanRepository& plans, CursorRepository& cursors, const Clock& clock,
              IdGenerator& ids)
      : plans_(plans), cursors_(cursors), clock_(clock), ids_(ids) {}

  Result<HarvestPlanned> Run(const HarvestCommand& command);

 private:
  // From the watermark (or the start) to now less the safety lag, floored to whole `align`s.
  std::optional<domain::Window> DueWindow(const HarvestCommand& command,
                                          std::optional<Instant> watermark, Instant now) const;
  domain::Plan DraftPlan(const HarvestCommand& command, const domain::Trigger& trigger,
                         const domain::Window& window) const;
  Result<int> CutIntoSlices(const domain::Plan& plan, Duration width, Instant now);

  PlanRepository& plans_;
  CursorRepository& cursors_;
  const Clock& clock_;
  IdGenerator& ids_;
};

}  // namespace patra::app
