// Once a day, in one of the processes that share a store: what is old is archived and deleted, as far as the configuration says.
#pragma once

#include <string>

#include "app/retention/archive_old.h"
#include "app/retention/collect_old.h"
#include "domain/retention/retention_policy.h"

namespace patra::app {

// One thread at a time.
class RetentionRounds {
 public:
  RetentionRounds(const RetentionPorts& ports, const domain::RetentionPolicy& policy,
                  std::string owner)
      : ports_(ports),
        policy_(policy),
        owner_(std::move(owner)),
        archive_old_(ports, owner_),
        collect_old_(ports, owner_) {}

  // Whether there is anything to do at all.
  bool is_wanted() const { return policy_.archive_daily || policy_.gc_daily; }

  // Does it, if nobody has within a day. Trouble is told and keeps nobody from working: the next round tries again.
  void RunIfDue();

 private:
  Result<void> Run();
  Result<void> Archive();
  Result<void> Collect();

  const RetentionPorts ports_;
  const domain::RetentionPolicy policy_;
  const std::string owner_;
  ArchiveOld archive_old_;
  CollectOld collect_old_;
  std::int64_t rounds_ = 0;
};

}  // namespace patra::app
