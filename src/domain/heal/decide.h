// What to do about what is seen: one pure function, a row of the table in docs/healing.md at a time. Whoever acts journals
// what was seen, what was done and what came of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/value.h"
#include "domain/heal/heal_policy.h"
#include "domain/word/lane.h"

namespace patra::domain {

// Of one lane, within HealPolicy::watch.
struct Observations {
  Lane lane;
  Instant now;

  std::int64_t batches = 0;  // of all kinds
  std::int64_t requests = 0;
  std::int64_t throttled = 0;  // requests that the provider told to be slower
  std::int64_t l1 = 0;         // failures by level
  std::int64_t l2 = 0;
  std::int64_t l4 = 0;
  std::int64_t same_l1_in_a_row = 0;
  std::int64_t failures_in_a_row = 0;  // no answer, or 5xx
  Duration latency{};                  // mean of a batch
  Duration store_wait{};               // mean of a commit
  std::string first_error{};           // for people
  std::string wrong_parameter{};       // that an L2 names

  std::int64_t records = 0;
  std::int64_t quarantined = 0;
  std::optional<Instant> polluted_since{};
  bool can_shrink_page = false;
  std::int64_t page_size = 0;  // at present
  std::int64_t executing = 0;  // tasks at the same time

  std::optional<double> rate_share{};      // of the configured rate, at present
  std::optional<double> budget_left{};     // of the tightest quota
  std::optional<Duration> budget_until{};  // from now on: when it begins anew
  bool is_budget_own_part = false;         // of what others who share the pace have, too

  // HARVEST only.
  std::optional<Duration> cursor_lag{};
  std::optional<Duration> cursor_still_for{};
  Duration safety_lag{};        // at present
  Duration safety_lag_max{};    // to which it may be raised; zero: without a bound
  bool is_cursor_held = false;  // by self-healing

  std::int64_t queued = 0;
  std::optional<double> queued_mean{};  // of earlier days
  double queued_deviation = 0;

  struct OfPlan {
    Id plan = 0;
    std::int64_t slices = 0;
    std::int64_t l2_slices = 0;
    std::optional<Duration> unconsumed_for{};  // READY, and nobody has taken a task of it
  };
  std::vector<OfPlan> plans{};

  struct OfSlice {
    Id slice = 0;
    std::int64_t l2 = 0;
    bool is_far_from_estimate = false;
  };
  std::vector<OfSlice> slices{};

  struct OfTask {
    Id task = 0;
    Duration no_progress_for{};
  };
  std::vector<OfTask> running{};

  Value ToValue() const;  // for the journal
};

struct HealAction {
  enum class Kind {
    kSlowDown,  // the rate, to no less than a part of what is configured
    kHalveRate,
    kLowerConcurrency,
    kShrinkPage,
    kOpenCircuit,
    kReslice,
    kMarkPartial,  // the plan
    kFailSlice,
    kCancelPlan,
    kReview,      // people should look: the same wrong request hits many slices
    kStopSource,  // the fuse
    kHoldCursor,  // events go on, the value stays
    kReleaseCursor,
    kRaiseSafetyLag,
    kPausePlanner,
    kPrepareBackfill,
    kTakeTaskAway,   // from a worker that makes no progress
    kWakeExecutors,  // nobody consumes: people should look
  };
  Kind kind = Kind::kSlowDown;
  std::string reason;
  std::optional<double> amount{};  // part of a rate, requests at a time, records of a page
  std::optional<Duration> span{};  // of a pause, a slow-down or a lag
  // It is about failures, not about the pace: who shares the pace and does well must not be slowed down by it.
  bool spares_others = false;
  Id plan = 0;
  Id slice = 0;
  Id task = 0;

  Value ToValue() const;  // for the journal
};
std::string_view Code(HealAction::Kind kind);  // "SLOW_DOWN"

// Every row that applies gives its action; one action per kind and object, with the first reason.
std::vector<HealAction> Decide(const Observations& seen, const HealPolicy& policy);

}  // namespace patra::domain
