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

  // In the order of time; rows of the same moment in the order in which they were made.
  std::vector<TimelineEvent> Events() const;

 private:
  std::vector<TimelineEvent> events_;
};

}  // namespace patra::contract
