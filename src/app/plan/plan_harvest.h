// Turns "harvest this source" into a plan, its slices and their tasks. No network.
#pragma once

#include <optional>

#include "app/api/plan_report.h"
#include "app/api/plan_request.h"
#include "app/plan/plan_ports.h"
#include "app/plan/plan_writer.h"
#include "app/plan/replace_older.h"
#include "app/plan/try_again.h"
#include "domain/cursor/coverage.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

struct HarvestCommand {
  domain::SpecSnapshot spec;
  std::optional<Instant> from{};  // instead of the watermark: then everything is read again
  std::optional<Instant> to{};    // instead of now less the safety lag
  PlanOptions options{};
};

using HarvestPlanned = Planned;

class PlanHarvest {
 public:
  explicit PlanHarvest(const PlanPorts& ports, const PlanLimits& limits = {})
      : ports_(ports), writer_(ports, limits), try_again_(ports, limits), older_(ports) {}

  Result<Planned> Run(const HarvestCommand& command);

 private:
  // A watermark after now says that what has not happened yet is complete. Nobody but a person can tell from when on
  // that was believed; until then nothing is content. Its alert ends with it.
  Result<std::optional<Planned>> AheadOfTime(const HarvestCommand& command,
                                             const domain::Lane& lane,
                                             std::optional<Instant> watermark);

  // From the watermark (or the start) to now less the safety lag, on whole steps of the provider's filter.
  Result<std::optional<domain::Window>> DueWindow(const HarvestCommand& command,
                                                  std::optional<Instant> watermark) const;

  // What lies before the watermark, is not proven, and nobody is at.
  struct Skipped {
    std::vector<domain::Window> stretches{};
    // Of these, what was proven once: the watermark says of it that it is here.
    std::vector<domain::Window> doubted{};
  };
  Result<Skipped> FindSkipped(const HarvestCommand& command, const domain::Lane& lane,
                              const std::string& query_hash, std::optional<Instant> watermark,
                              const std::optional<domain::Window>& window) const;

  // What of the window has to be fetched: not what is proven already, under way or tried again, but the days before the
  // watermark once more where the source corrects them late.
  struct Due {
    std::vector<domain::Window> stretches{};
    TriedAgain tried{};
  };
  Result<Due> DueIn(const HarvestCommand& command, const domain::Lane& lane,
                    const std::string& query_hash, std::optional<Instant> watermark,
                    const domain::Window& window);

  PlanPorts ports_;
  PlanWriter writer_;
  TryAgain try_again_;
  ReplaceOlder older_;
};

}  // namespace patra::app
