// One round of self-healing: look, decide, act, and write down all three.
#pragma once

#include <string>
#include <vector>

#include "app/port/heal_journal.h"
#include "app/port/health_reader.h"
#include "app/port/hold_repository.h"
#include "app/port/plan_repository.h"
#include "app/port/task_queue.h"
#include "base/clock.h"
#include "domain/heal/decide.h"

namespace patra::app {

class HealOnce {
 public:
  HealOnce(HealthReader& health, HealJournal& journal, HoldRepository& holds, PlanRepository& plans,
           TaskQueue& queue, const Clock& clock, domain::HealPolicy policy = {})
      : health_(health),
        journal_(journal),
        holds_(holds),
        plans_(plans),
        queue_(queue),
        clock_(clock),
        policy_(policy) {}

  // What was done in this round. An action that was taken less than `policy.pause` ago is not taken again:
  // it needs time to show.
  Result<std::vector<HealEntry>> Run();

 private:
  Result<std::string> Act(const domain::Partition& partition, const domain::HealAction& action);

  HealthReader& health_;
  HealJournal& journal_;
  HoldRepository& holds_;
  PlanRepository& plans_;
  TaskQueue& queue_;
  const Clock& clock_;
  const domain::HealPolicy policy_;
};

}  // namespace patra::app
