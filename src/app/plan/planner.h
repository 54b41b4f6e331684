// Every trigger goes this way: definitions into the registry, source and endpoint resolved, compiled and
// planned. What keeps a trigger from becoming a plan is said on its schedule instance.
#pragma once

#include "app/api/plan_report.h"
#include "app/api/plan_request.h"
#include "app/plan/plan_backfill.h"
#include "app/plan/plan_harvest.h"
#include "app/plan/plan_ports.h"
#include "app/plan/plan_update.h"
#include "app/port/definition_files.h"
#include "app/port/registry.h"
#include "app/source/registered_sources.h"
#include "app/source/resolve_source.h"

namespace patra::app {

class Planner {
 public:
  Planner(const PlanPorts& ports, Registry& registry, DefinitionFiles& files,
          const PlanLimits& limits = {})
      : ports_(ports),
        limits_(limits),
        registry_(registry),
        registered_(registry),
        files_(files),
        harvest_(ports, limits),
        backfill_(ports, limits),
        update_(ports, limits) {}

  Result<PlanReport> Run(const PlanRequest& request);

  // Goes on cutting a plan that stopped where the queue or the provider had no room, by the snapshot that it has. Of the request,
  // only the options count.
  Result<Planned> TakeRest(Id plan, const PlanRequest& request);

  // What of that which a trigger asked for, or answers for, the ledger does not prove by now.
  Result<Unproven> WhatIsUnproven(const Planned& planned);
  // How much of it stands open in quarantine, whoever put it there.
  Result<std::int64_t> CountQuarantined(const PlanReport& report, domain::Operation operation);

  // What a harvest would ask for first: the given window, or the last one before the safety lag. Reads the
  // folder's definitions and writes nothing.
  struct FirstAsk {
    std::vector<Error> problems{};
    std::optional<domain::SpecSnapshot> spec{};
    std::optional<domain::Window> window{};
    std::vector<std::string> warnings{};
  };
  Result<FirstAsk> Preview(PlanRequest request);

 private:
  Result<Unproven> UnprovenIn(const AskedFor& asked);
  // Of a plan that is not asked for by time.
  Result<Unproven> UnprovenOf(Id plan);
  Result<RegistrySync> Definitions(const PlanRequest& request, Instant now);
  // An error of the command is a problem of the report, like those of the definition.
  Result<Planned> Plan(const PlanRequest& request, const ResolvedSource& source);
  Result<BackfillScope> BackfillOf(const PlanRequest& request, const ResolvedSource& source) const;
  Result<UpdateScope> UpdateOf(const PlanRequest& request, const ResolvedSource& source) const;
  Result<std::optional<Instant>> MomentOf(const std::optional<std::string>& text,
                                          const ResolvedSource& source) const;
  std::optional<Error> WhyUnreachable(const PlanRequest& request,
                                      const domain::SpecSnapshot& spec) const;
  Result<PlanReport> Refused(const PlanRequest& request, PlanReport report);

  PlanPorts ports_;
  PlanLimits limits_;
  Registry& registry_;
  RegisteredSources registered_;
  DefinitionFiles& files_;
  PlanHarvest harvest_;
  PlanBackfill backfill_;
  PlanUpdate update_;
};

}  // namespace patra::app
