// What an engine does for those who ask, over the parts that it is made of.
#pragma once

#include "app/api/operations.h"
#include "app/execute/look_at_address.h"
#include "app/execute/preview_page.h"
#include "app/heal/heal_once.h"
#include "app/plan/planner.h"
#include "app/replay/replay_batch.h"
#include "app/source/secret_mask.h"
#include "app/work/work.h"

namespace patra::app {

struct OperationPorts {
  Planner& planner;
  app::Work& work;
  PreviewPage& preview;
  ReplayBatch& replay;
  HealOnce& heal;
  DefinitionFiles& files;
  LookAtAddress& look;
  std::string rate{};            // of requests that name none, such as 2/s; empty: none
  std::string sources_folder{};  // of requests that name none
  bool reads_registry = false;   // alone: who serves plans by what was applied
  SecretMask& mask;              // of what people write
};

class EngineOperations final : public Operations {
 public:
  explicit EngineOperations(OperationPorts ports) : ports_(std::move(ports)) {}

  Result<PlanReport> Plan(const PlanRequest& request) override;
  Result<OperationSummary> Run(const PlanRequest& plan, const WorkRequest& work,
                               const OnProgress& on_progress) override;
  Result<WorkSummary> Work(const WorkRequest& request, const OnWork& on_progress) override;
  Result<PreviewReport> Preview(const PlanRequest& request, const PreviewWish& wish) override;
  Result<ProposedSource> Propose(const std::string& source, const std::string& url) override;
  Result<ReplayReport> Replay(const ReplayRequest& request, const domain::Actor& actor) override;
  Result<std::vector<domain::HealEntry>> Heal() override;
  Result<RepairReport> Repair(const contract::Certificate& certificate,
                              const std::vector<std::string>& overrides) override;

 private:
  PlanRequest InFolder(PlanRequest request) const;
  Result<void> AskProvider(const PlanRequest& request, Planned& planned);
  Result<void> Repair(const PlanRequest& request, RepairReport& report);

  OperationPorts ports_;
};

}  // namespace patra::app
