// Turns "fetch the past of this source" into a plan: newest slices first, with a cursor of its own, so that
// the harvest's watermark never notices (I6).
#pragma once

#include <optional>
#include <variant>

#include "app/api/plan_report.h"
#include "app/api/plan_request.h"
#include "app/plan/plan_ports.h"
#include "app/plan/plan_writer.h"
#include "app/plan/replace_older.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

// All of it, also what is proven.
struct BackfillRange {
  Instant from;
  Instant to;
};
// Only what the ledger does not prove complete; from the source's start to the watermark if not said.
struct BackfillGaps {
  std::optional<Instant> from{};
  std::optional<Instant> to{};
};
// One step further into the past than what is proven, until `until` or the source's start.
struct BackfillAuto {
  std::optional<Instant> until{};
  Duration step = std::chrono::days(30);
};
using BackfillScope = std::variant<BackfillRange, BackfillGaps, BackfillAuto>;

struct BackfillCommand {
  domain::SpecSnapshot spec;
  BackfillScope scope = BackfillGaps{};
  PlanOptions options{};
};

class PlanBackfill {
 public:
  explicit PlanBackfill(const PlanPorts& ports, const PlanLimits& limits = {})
      : ports_(ports), writer_(ports, limits), try_again_(ports, limits), older_(ports) {}

  Result<Planned> Run(const BackfillCommand& command);

 private:
  // One command's constants.
  struct Scene {
    const BackfillCommand& command;
    domain::Lane lane;
    std::string query_hash;
    Instant safe_now;
    std::optional<Instant> watermark;  // of the harvest
    ReplacedPlans& older;
  };
  // What is to be planned, and under which name it is resumed.
  struct Due {
    domain::CursorNamespace cursor;
    std::optional<domain::Window> window{};
    std::optional<Instant> not_yet_from{};  // as in Planned
    std::vector<domain::Window> stretches{};
    std::string reason{};      // why there is nothing
    std::string key_suffix{};  // what became unproven is planned anew by a later trigger
    std::optional<domain::Window> asked{};        // where that is more than the window
    std::optional<domain::Window> answers_for{};  // where that is more still
    std::vector<std::string> notes{};
    TriedAgain tried{};
  };

  Result<Due> DueOf(const Scene& scene, const BackfillRange& range);
  Result<Due> DueOf(const Scene& scene, const BackfillGaps& gaps);
  Result<Due> DueOf(const Scene& scene, const BackfillAuto& further);

  // Withdraws what an older definition left in the window without having brought anything.
  Result<void> Replace(const Scene& scene, const domain::Window& window);

  // What of the gaps nobody has tried before and nobody is at.
  Result<void> TakeNew(const Scene& scene, std::vector<domain::Window> gaps, Due& due);

  // How far back everything is proven; the cursor follows.
  Result<Instant> Frontier(const Scene& scene, const domain::CursorNamespace& cursor,
                           Instant earliest);

  PlanPorts ports_;
  PlanWriter writer_;
  TryAgain try_again_;
  ReplaceOlder older_;
};

}  // namespace patra::app
