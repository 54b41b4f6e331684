// Whether an execution whose plans are worked at is over, and how it ended.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "domain/task/states.h"
#include "domain/word/unfinished_slice.h"

namespace patra::domain {

inline constexpr Duration kNobodyWorksFor = std::chrono::minutes(10);

// One of its plans, as the ledger has it.
struct PlanSeen {
  Id id = 0;
  PlanStatus status = PlanStatus::kReady;
  bool is_wholly_cut = true;
  bool has_open_slices = false;
  std::string stopped{};                      // why the rest is not cut
  std::vector<UnfinishedSlice> unfinished{};  // of one without open slices
  // Who is at it. What is not looked for stands still.
  std::optional<Instant> progress_at{};
  bool is_leased = false;                // by a worker whose lease runs
  std::optional<Instant> waits_until{};  // a moment that everybody knows
};

struct ExecutionSeen {
  std::vector<PlanSeen> plans{};
  bool takes_rest = true;  // planners go on with what is not cut yet; else the next firing does
  Instant planned_at{};    // when a planner was at it last
  bool executors_alive = false;
  std::optional<std::string> held{};  // a pause or a fuse that no time ends, for people
};

struct ExecutionVerdict {
  enum class Kind { kGoesOn, kSucceeded, kFailed };
  Kind kind = Kind::kGoesOn;
  std::string reason{};  // what is missing, or what a success leaves to others
};

ExecutionVerdict Judge(const ExecutionSeen& seen, Instant now, Duration patience = kNobodyWorksFor);

// Whether it is worth finding out who is at its plans: nobody is dead before that.
bool MayBeDead(Instant planned_at, Instant now, Duration patience = kNobodyWorksFor);

}  // namespace patra::domain
