// Remembers triggers, plans, slices and tasks. Each method is one atomic step: it happens wholly or
// not at all, and doing it twice has the effect of doing it once (I5).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/port/decision.h"
#include "base/result.h"
#include "domain/plan/plan.h"
#include "domain/plan/tries_again.h"
#include "domain/task/states.h"

namespace patra::app {

struct PlanAdded {
  Id id;  // of the plan that holds the key, whoever made it
  bool is_new;
  domain::PlanStatus status;
};

// How far a plan is cut: what a later planner goes on from.
struct SlicingProgress {
  // Up to which everything has its slice; the plan is wholly cut when this is its window's end.
  Instant sliced_to;
  // Where cutting goes on when its order is not that of time; the planner's own affair.
  std::optional<std::string> position;

  SlicingProgress(Instant to, std::optional<std::string> at = {})
      : sliced_to(to), position(std::move(at)) {}
};

struct StoredPlan {
  domain::Plan plan;
  domain::PlanStatus status = domain::PlanStatus::kDraft;
  std::optional<Instant> sliced_to;
  std::optional<std::string> position;

  bool is_wholly_cut() const { return sliced_to && *sliced_to >= plan.window.to(); }
};

// A plan of another snapshot than the present one that is not finished.
struct OlderPlan {
  Id id = 0;
  std::string query_hash;
  std::string namespace_key;  // of its cursor
  domain::Window window;
  bool has_brought = false;  // a page, be it empty
  bool is_open = false;      // something of it is queued, under way or not cut yet
};

// A slice of an UPDATE with the ids whose records it fetches.
struct IdSlice {
  domain::SliceWithTask work;
  std::vector<std::string> ids;
};

// How many requests all open tasks of one allowance may still make together.
struct RequestRoom {
  std::int64_t requests = 0;
  std::optional<Instant> more_from{};  // where a quota bounds them: when its next window begins
};

// What a cancelling reached.
struct Cancelled {
  std::int64_t plans = 0;
  std::int64_t slices = 0;
  std::int64_t tasks = 0;
};

class PlanRepository {
 public:
  virtual ~PlanRepository() = default;

  virtual Result<void> RecordTrigger(const domain::Trigger& trigger) = 0;

  // Says on the trigger why it led to no plan.
  virtual Result<void> RemarkOnTrigger(Id trigger, const Value& remark) = 0;

  virtual Result<PlanAdded> AddIfAbsent(const domain::Plan& plan) = 0;

  // Adds slices with one queued task each; those whose key is there already are left alone. Returns
  // how many were new. A slice without a number gets the plan's next one.
  virtual Result<int> AddSlices(const domain::Plan& plan,
                                std::span<const domain::SliceWithTask> slices,
                                const SlicingProgress& progress) = 0;

  // The same with the ids of each slice in the id ledger, without those on the bad-id list. Where there is a bound to the
  // requests, kLimit and nothing added if these tasks, those as urgent on the same allowance and those under way need more; a
  // single one is always taken where there are no others. Less urgent ones that are queued make room: those that are too
  // many wait for the quota's next window.
  virtual Result<int> AddIdSlices(const domain::Plan& plan, std::span<const IdSlice> slices,
                                  const SlicingProgress& progress,
                                  const std::optional<RequestRoom>& room) = 0;

  // Moves the plan if its state allows it, else kConflict.
  virtual Result<void> Move(Id plan, domain::PlanStatus to) = 0;

  // Puts the members of `remarks` into the plan's remarks, over those of the same names.
  virtual Result<void> Remark(Id plan, const Value& remarks) = 0;

  // Puts what slowed its requests down beside what did before, in the plan's remarks; the newest are kept.
  virtual Result<void> NoteSlowDown(Id plan, const Value& slow_down) = 0;

  virtual Result<std::optional<StoredPlan>> Find(Id plan) = 0;

  // The oldest plan of that namespace that a planner has to go on with: DRAFT, SLICING, or PARTIAL and
  // not wholly cut.
  virtual Result<std::optional<Id>> FindUncut(const domain::Lane& lane,
                                              const domain::CursorNamespace& cursor) = 0;

  // Plans of the lane that are not finished, and whose snapshot has another hash.
  virtual Result<std::vector<OlderPlan>> OfOtherSnapshots(const domain::Lane& lane,
                                                          const std::string& fingerprint) = 0;

  // The stretches within `window` that have unfinished slices of that lane, in order.
  virtual Result<std::vector<domain::Window>> OpenStretches(const domain::Lane& lane,
                                                            const std::string& query_hash,
                                                            const domain::Window& window) = 0;

  // Slices that ended without success and were not taken over by smaller ones, of plans that are in force: those that
  // reach into `window` (without one, all) and those of one plan.
  virtual Result<std::vector<domain::UnfinishedSlice>> Unfinished(
      const domain::Lane& lane, const std::string& query_hash,
      const std::optional<domain::Window>& window) = 0;
  virtual Result<std::vector<domain::UnfinishedSlice>> UnfinishedOf(Id plan) = 0;

  // Withdraws what is not finished. The fence of a running task is raised, so that its worker commits
  // nothing more. kNotFound for an unknown id, kConflict for what has ended already.
  virtual Result<Cancelled> CancelPlan(Id plan, const Decision& decision) = 0;
  virtual Result<Cancelled> CancelSlice(Id slice, const Decision& decision) = 0;
  virtual Result<Cancelled> CancelTask(Id task, const Decision& decision) = 0;
};

}  // namespace patra::app
