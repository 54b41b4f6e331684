// What earlier commands left FAILED or PARTIAL is tried again by the command that asks for it, so many times.
#pragma once

#include <string>
#include <vector>

#include "app/api/plan_report.h"
#include "app/api/plan_request.h"
#include "app/plan/plan_ports.h"
#include "domain/plan/tries_again.h"

namespace patra::app {

struct TriedAgain {
  int queued = 0;
  std::vector<Id> plans{};  // of those that were queued, each once
  std::vector<domain::UnfinishedSlice> given_up{};
  std::vector<domain::Window> stretches{};  // of both: nobody plans them a second time

  // What of `windows` is left to be planned.
  std::vector<domain::Window> Without(const std::vector<domain::Window>& windows) const;
};

class TryAgain {
 public:
  TryAgain(const PlanPorts& ports, const PlanLimits& limits) : ports_(ports), limits_(limits) {}

  Result<TriedAgain> OfPlan(const StoredPlan& plan, const PlanOptions& options);

  // Of every plan of that query, where the slice reaches into one of `windows`.
  Result<TriedAgain> In(const domain::Lane& lane, const std::string& query_hash,
                        const std::string& fingerprint, const std::vector<domain::Window>& windows,
                        const PlanOptions& options);

  // Of every plan of an activity that knows no time: nobody would plan their records anew.
  Result<TriedAgain> OfActivity(const domain::Lane& lane, const std::string& query_hash,
                                const PlanOptions& options);

 private:
  domain::TryLimit Limit() const { return {limits_.tries_max, ports_.clock.Now()}; }
  Result<TriedAgain> Try(const domain::Lane& lane, domain::TriesAgain chosen,
                         const PlanOptions& options);

  const PlanPorts ports_;
  const PlanLimits limits_;
};

// Says on `planned` what was tried again and what was not.
Planned With(Planned planned, const TriedAgain& tried);

}  // namespace patra::app
