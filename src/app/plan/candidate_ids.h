// Ids of records to fetch again, a page at a time, from a position that can be stored and come back to.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/plan/plan_ports.h"
#include "app/plan/slice_source.h"
#include "base/result.h"
#include "domain/plan/plan.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

struct CandidatePage {
  std::vector<std::string> ids{};
  std::string position{};  // after these
  bool is_last = false;
};

class CandidateIds {
 public:
  virtual ~CandidateIds() = default;

  // At most `ids_max` more; fewer, or none, does not mean that these are the last.
  virtual Result<CandidatePage> After(const std::string& position, int ids_max) = 0;
};

// Each kind says in the plan's slice_params what it needs to be opened again.
Result<std::unique_ptr<CandidateIds>> OpenCandidates(const PlanPorts& ports,
                                                     const domain::Plan& plan,
                                                     const domain::SpecSnapshot& spec,
                                                     std::vector<std::string> listed);

// Slices of at most so many ids. REQUIRES: ids_per_slice > 0
std::unique_ptr<SliceSource> IdSource(std::unique_ptr<CandidateIds> candidates,
                                      const StoredPlan& plan, std::size_t ids_per_slice);

}  // namespace patra::app
