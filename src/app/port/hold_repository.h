// Pauses and fuses. The queue gives out no task of a source that is held; planners ask before they plan.
// Every change names who made it and why, and is audited.
#pragma once

#include <string>
#include <vector>

#include "app/port/decision.h"
#include "base/result.h"
#include "domain/word/hold.h"

namespace patra::app {

class HoldRepository {
 public:
  virtual ~HoldRepository() = default;

  // Pausing twice keeps the newer reason and end.
  virtual Result<void> Pause(const domain::Hold& pause, const Decision& decision) = 0;
  virtual Result<void> Resume(const std::string& provenance, const std::string& endpoint,
                              const Decision& decision) = 0;

  // Ends what self-healing has paused, and no pause of a person's.
  virtual Result<void> Forgive(const std::string& provenance, const std::string& endpoint,
                               const Decision& decision) = 0;

  // A fuse that has blown stays blown, with its first reason, until it is reset; so long its alert fires.
  virtual Result<void> Blow(const domain::Hold& fuse, const std::string& evidence) = 0;
  virtual Result<void> Reset(const std::string& provenance, const std::string& endpoint,
                             const Decision& decision) = 0;

  // Newest first; those that were reset only where they are asked for.
  virtual Result<std::vector<domain::Fuse>> Fuses(const domain::FuseFilter& filter) = 0;

  // What holds that role back right now.
  virtual Result<std::vector<domain::Hold>> Holds(domain::Role role) = 0;
};

}  // namespace patra::app
