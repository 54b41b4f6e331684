// Trigger → plan → slices → tasks, in small transactions and with little memory, whatever the operation.
// Every step may be repeated: keys decide, so that a repeated trigger, two planners at once and a planner
// that died all come to one set of tasks (I5).
#pragma once

#include <functional>
#include <memory>

#include "app/api/plan_report.h"
#include "app/api/plan_request.h"
#include "app/plan/plan_ports.h"
#include "app/plan/slice_source.h"
#include "app/plan/try_again.h"
#include "domain/plan/plan.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

class PlanWriter {
 public:
  // Opens the slices that a plan still lacks.
  using OpenSource = std::function<Result<std::unique_ptr<SliceSource>>(
      const StoredPlan& plan, const domain::SpecSnapshot& spec)>;

  PlanWriter(const PlanPorts& ports, const PlanLimits& limits)
      : ports_(ports), limits_(limits), try_again_(ports, limits) {}

  // What holds the lane back; its trigger then says so. A fuse that an older definition than that of the fingerprint has blown
  // before anything came by it, or a pause that self-healing made over its wrong requests, says nothing of this one: it ends, and
  // the endpoint may try.
  Result<std::optional<Planned>> Held(const domain::Lane& lane, const std::string& fingerprint,
                                      const PlanOptions& options);

  // The first row of every lineage. Not in a dry run.
  Result<Id> RecordTrigger(const domain::Lane& lane, const PlanOptions& options);

  // Adds the plan, or finds the one with its key, and gives it all the slices that there is room for. Of a plan that has
  // them all, those that failed are tried again; where the definition is another one by now, in a new plan.
  // The plan's `trigger_id` says who asked.
  Result<Planned> Write(domain::Plan plan, const PlanOptions& options, const OpenSource& open);

  // Goes on with a plan that an earlier trigger left unfinished, with the snapshot that it has: what this
  // trigger wishes otherwise changes nothing.
  Result<Planned> Continue(Id plan, const domain::SpecSnapshot& wished, const PlanOptions& options,
                           const OpenSource& open);

  // The same without anybody who asked: only what gets slices is a trigger worth recording.
  Result<Planned> TakeRest(const StoredPlan& stored, const PlanOptions& options,
                           const OpenSource& open);

  // What the rest of a plan would be, without a trace.
  Result<Planned> Preview(const StoredPlan& plan, const domain::SpecSnapshot& spec,
                          const PlanOptions& options, const OpenSource& open);

 private:
  struct Cutting;

  Result<bool> Forgives(const domain::Hold& hold, const domain::Lane& lane,
                        const std::string& fingerprint, const PlanOptions& options);

  Result<PlanAdded> Add(domain::Plan& plan, const PlanOptions& options);
  Result<Planned> Cut(const StoredPlan& stored, const PlanOptions& options, const OpenSource& open);
  Result<bool> StartSlicing(const StoredPlan& stored);
  Result<Cutting> Prepare(const StoredPlan& stored, const PlanOptions& options);
  // How much the provider allows beyond what is planned, at this moment.
  Result<void> CountAllowance(Cutting& cutting);
  // Whether queue, trigger and provider still take the slice, which gets its budget then; else `stopped` says which does not.
  bool HasRoomFor(Cutting& cutting, NextSlice& next) const;
  // Whether there is that much; then it is taken.
  bool Takes(Cutting& cutting, std::int64_t requests) const;
  Result<void> AddGroup(Cutting& cutting, std::vector<NextSlice>& group);
  domain::SliceSpec WholeSpecOf(const Cutting& cutting, const NextSlice& next) const;
  Result<void> Finish(Cutting& cutting, const Planned& planned);

  const PlanPorts ports_;
  const PlanLimits limits_;
  TryAgain try_again_;
};

}  // namespace patra::app
