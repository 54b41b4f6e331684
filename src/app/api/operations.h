// What an engine does for those who ask: planning, working, looking and asking again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/api/operation_report.h"
#include "app/api/plan_request.h"
#include "app/api/preview_report.h"
#include "app/api/replay_report.h"
#include "app/api/source_reports.h"
#include "contract/certificate.h"
#include "domain/word/actor.h"
#include "domain/word/heal_entry.h"

namespace patra::app {

struct WorkRequest {
  int workers = 4;            // tasks at the same time
  std::string lease = "15s";  // how long a task stays with an executor that is not heard of
  bool drain = false;         // end when nothing is left
  // How long it waits, in all, for a provider that brings nothing, such as 2m; then it ends. Without it: five minutes without
  // a page, where it ends by itself.
  std::optional<std::string> wait_max{};
  std::optional<std::int64_t> requests_max{};
};

struct ReplayRequest {
  Id run = 0;
  Id batch = 0;
  ReplayMode mode = ReplayMode::kReport;
  bool from_raw = false;
  std::string reason{};
};

// What was planned so that a certificate becomes complete.
struct RepairReport {
  bool is_needed = false;
  std::int64_t slices = 0;
  std::int64_t tried_again = 0;
  std::vector<domain::UnfinishedSlice> given_up{};  // that no command tries again
  std::optional<Planned> held{};                    // then nothing is planned
};

class Operations {
 public:
  using OnProgress = std::function<void(const OperationProgress&)>;
  using OnWork = std::function<void(const WorkProgress&)>;

  virtual ~Operations() = default;

  virtual Result<PlanReport> Plan(const PlanRequest& request) = 0;
  // Plans, and works it off in this process until nothing is left.
  virtual Result<OperationSummary> Run(const PlanRequest& plan, const WorkRequest& work,
                                       const OnProgress& on_progress) = 0;
  // Works on what is planned, whoever planned it.
  virtual Result<WorkSummary> Work(const WorkRequest& request, const OnWork& on_progress) = 0;
  virtual Result<PreviewReport> Preview(const PlanRequest& request, const PreviewWish& wish) = 0;
  // Asks the address once, and guesses a definition; the source is called after the host where `source` is empty.
  virtual Result<ProposedSource> Propose(const std::string& source, const std::string& url) = 0;
  virtual Result<ReplayReport> Replay(const ReplayRequest& request, const domain::Actor& actor) = 0;
  // One round of self-healing.
  virtual Result<std::vector<domain::HealEntry>> Heal() = 0;
  // Plans exactly what is not proven: gaps, and once more what was read and does not add up. `overrides` are PATH=VALUE.
  virtual Result<RepairReport> Repair(const contract::Certificate& certificate,
                                      const std::vector<std::string>& overrides) = 0;
};

}  // namespace patra::app
