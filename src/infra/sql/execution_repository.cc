#include "infra/sql/execution_repository.h"

#include <algorithm>

#include <fmt/format.h>

#include "infra/sql/audit_table.h"
#include "infra/sql/execution_look.h"
#include "infra/sql/execution_table.h"
#include "infra/sql/job_table.h"

namespace patra::infra::sql {
namespace {

using domain::Execution;
using domain::ExecutionStatus;

constexpr std::string_view kJobObject = "JOB";
constexpr Duration kMomentsTried{100};

// Counts never fall below nothing: a slice that is read anew begins to count anew.
domain::ExecutionCounts Less(const domain::ExecutionCounts& all,
                             const domain::ExecutionCounts& before) {
  const auto rest = [](std::int64_t a, std::int64_t b) { return std::max<std::int64_t>(a - b, 0); };
  return {.received = rest(all.received, before.received),
          .inserted = rest(all.inserted, before.inserted),
          .updated = rest(all.updated, before.updated),
          .unchanged = rest(all.unchanged, before.unchanged),
          .quarantined = rest(all.quarantined, before.quarantined),
          .requests = rest(all.requests, before.requests)};
}

std::string StillAtIt(const Execution& open) {
  return fmt::format("the execution of {} is not over ({})", FormatRfc3339(open.fired_at),
                     CodeOf(open.status));
}

Result<std::optional<Id>> TriggerOf(Session& session, const Execution& execution) {
  if (execution.trigger) return execution.trigger;
  const auto before = PATRA_TRY(execution_look::FindPlanned(session, execution));
  return before ? std::optional(before->trigger) : std::nullopt;
}

}  // namespace

Result<std::vector<Execution>> ExecutionRepository::Claim(std::span<const app::DueJob> due,
                                                          const std::string& owner) {
  if (due.empty()) return std::vector<Execution>();
  return database_.Write(LockScope::Schedule(),
                         [&](Session& session) -> Result<std::vector<Execution>> {
                           const auto now = clock_.Now();
                           std::vector<Execution> claimed;
                           for (const auto& one : due) {
                             if (auto execution = PATRA_TRY(ClaimOne(session, one, owner, now)))
                               claimed.push_back(*std::move(execution));
                           }
                           return claimed;
                         });
}

Result<std::optional<Execution>> ExecutionRepository::ClaimOne(Session& session,
                                                               const app::DueJob& due,
                                                               const std::string& owner,
                                                               Instant now) {
  const auto& job = due.job;
  PATRA_ASSERT(job.next_fire_at.has_value());
  if (!PATRA_TRY(job_table::MoveOn(session, job, due.next, now))) return std::nullopt;
  Execution execution{.id = ids_.Next(),
                      .job = job.id,
                      .fired_at = *job.next_fire_at,
                      .start_at = due.start_at,
                      .claimed_by = owner,
                      .reason = due.note,
                      .started_at = now};
  if (!due.fires) {
    execution.status = ExecutionStatus::kSkipped;
  } else if (const auto open = PATRA_TRY(execution_table::FindOpen(session, job.id))) {
    execution.status = ExecutionStatus::kSkipped;
    execution.reason = StillAtIt(*open);
  }
  if (execution.status == ExecutionStatus::kSkipped) execution.finished_at = now;
  // A job that was put back to a moment it has fired at does not fire at it again.
  if (!PATRA_TRY(execution_table::Insert(session, execution))) return std::nullopt;
  return execution;
}

Result<Execution> ExecutionRepository::AddManual(const std::string& job,
                                                 const app::Decision& decision) {
  return database_.Write(LockScope::Schedule(), [&](Session& session) -> Result<Execution> {
    const auto now = clock_.Now();
    if (!PATRA_TRY(job_table::NoteRun(session, job, now)))
      return Fail(ErrorCode::kNotFound, fmt::format("there is no job \"{}\"", job));
    if (const auto open = PATRA_TRY(execution_table::FindOpen(session, job)))
      return Fail(ErrorCode::kConflict, StillAtIt(*open), {}, "wait until it is");
    Execution execution{.id = ids_.Next(),
                        .job = job,
                        .type = domain::FiringType::kManual,
                        .fired_at = now,
                        .start_at = now,
                        .claimed_by = decision.actor.name,
                        .started_at = now};
    // The timetable may have fired at this very moment.
    while (!PATRA_TRY(execution_table::Insert(session, execution))) {
      execution.fired_at += Duration(1);
      if (execution.fired_at - now > kMomentsTried)
        return Fail(ErrorCode::kConflict, fmt::format("job \"{}\" fires all the time", job), {},
                    "try again");
    }
    PATRA_TRY(audit_table::Insert(session, "TRIGGER", kJobObject, job, decision, ids_.Next(), now));
    return execution;
  });
}

Result<std::optional<Execution>> ExecutionRepository::Take(const std::string& owner,
                                                           Duration lease) {
  return database_.Write(
      LockScope::Schedule(), [&](Session& session) -> Result<std::optional<Execution>> {
        const auto now = clock_.Now();
        auto waiting = PATRA_TRY(execution_table::FindWaiting(session, now));
        if (!waiting) return std::nullopt;
        if (!PATRA_TRY(execution_table::Take(session, *waiting, owner, now + lease, now)))
          return std::nullopt;
        ++waiting->takes;
        return waiting;
      });
}

Result<void> ExecutionRepository::GiveBack(const Execution& taken, Instant until,
                                           const std::string& note) {
  return database_.Write(LockScope::RowsAlone(), [&](Session& session) -> Result<void> {
    // Somebody else may have taken it meanwhile: then it is theirs.
    PATRA_TRY(execution_table::GiveBack(session, taken, until, note));
    return {};
  });
}

Result<std::optional<app::PlannedBefore>> ExecutionRepository::FindPlanned(
    const Execution& execution) {
  return database_.Read(
      [&](Session& session) { return execution_look::FindPlanned(session, execution); });
}

Result<bool> ExecutionRepository::Start(const Execution& taken,
                                        const app::ExecutionPlanned& planned) {
  return database_.Write(LockScope::RowsAlone(), [&](Session& session) -> Result<bool> {
    const auto trigger = PATRA_TRY(TriggerOf(session, taken));
    auto plans = planned.retried_plans;
    if (planned.plan) plans.push_back(*planned.plan);
    const auto others = PATRA_TRY(execution_look::OfOtherTriggers(session, plans, trigger));
    const auto before = PATRA_TRY(execution_look::Counts(session, others));
    return execution_table::Start(session, taken, planned, trigger, before, clock_.Now());
  });
}

Result<bool> ExecutionRepository::End(const Execution& execution, ExecutionStatus status,
                                      const std::string& reason) {
  return database_.Write(LockScope::RowsAlone(), [&](Session& session) -> Result<bool> {
    const auto trigger = PATRA_TRY(TriggerOf(session, execution));
    const auto all = PATRA_TRY(execution_look::Counts(session, execution.Plans()));
    const auto before = PATRA_TRY(execution_table::CountedBefore(session, execution.id));
    return execution_table::End(session, execution, status, reason, Less(all, before), trigger,
                                clock_.Now());
  });
}

Result<std::optional<Execution>> ExecutionRepository::TakeRest(Instant untouched_since) {
  return database_.Write(
      LockScope::Schedule(), [&](Session& session) -> Result<std::optional<Execution>> {
        const auto now = clock_.Now();
        auto rest = PATRA_TRY(execution_table::FindRest(session, untouched_since));
        if (!rest) return std::nullopt;
        if (!PATRA_TRY(execution_table::Touch(session, *rest, now))) return std::nullopt;
        rest->planned_at = now;
        return rest;
      });
}

Result<std::vector<Execution>> ExecutionRepository::Running(Id after, int executions_max) {
  return database_.Read(
      [&](Session& session) { return execution_table::Running(session, after, executions_max); });
}

Result<std::optional<app::PlanLook>> ExecutionRepository::LookAt(Id plan, bool who) {
  return database_.Read(
      [&](Session& session) { return execution_look::Look(session, plan, who, clock_.Now()); });
}

Result<std::vector<Execution>> ExecutionRepository::Log(const app::ExecutionFilter& filter) {
  return database_.Read([&](Session& session) { return execution_table::Read(session, filter); });
}

Result<int> ExecutionRepository::Forget(Instant before, int executions_max) {
  return database_.Write(LockScope::RowsAlone(), [&](Session& session) {
    return execution_table::Forget(session, before, executions_max);
  });
}

}  // namespace patra::infra::sql
