// What happened to a plan, slice, task or run, in the order of time.
#pragma once

#include <string>
#include <vector>

#include "contract/facts.h"
#include "contract/ledger_rows.h"

namespace patra::contract {

struct TimelineEvent {
  Instant at;
  std::string what;  // "batch committed"
  Id id = 0;         // of what it happened to
  std::string detail;
  int step = 0;  // tells what comes first in the same moment
};

Facts FactsOf(const TimelineEvent& event);

// Takes rows in any order; an unset moment is no event.
class Timeline {
 public:
  void Add(const TriggerRow& trigger);
  void Add(const PlanRow& plan);
  void Add(const SliceRow& slice);
  void Add(const TaskRow& task);
  void Add(const RunRow& run);
  void Add(const BatchRow& batch);
  void Add(const CursorEventRow& event);
  void Add(const DecisionRow& decision, Id object);

  // In the order of time; in the same moment, causes before effects.
  std::vector<TimelineEvent> Events() const;

 private:
  void Add(Instant at, int step, std::string what, Id id, std::string detail);

  std::vector<TimelineEvent> events_;
};

}  // namespace patra::contract
