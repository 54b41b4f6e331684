#include "contract/timeline.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace patra::contract {
namespace {

// What comes first in the same moment.
enum Step : int {
  kDecided,
  kTriggered,
  kPlanned,
  kQueued,
  kStarted,
  kOpened,
  kBatch,
  kRunOver,
  kTaskOver,
  kSliceOver,
  kCursor,
  kPlanOver
};

std::int64_t Number(const Value& object, std::string_view name) {
  const auto* member = object.Find(name);
  const auto* number = member == nullptr ? nullptr : member->AsInteger();
  return number == nullptr ? 0 : *number;
}

// "100 records (90 new, 10 unchanged), 34,120 bytes, 48 ms, waited 12 ms (COOL_DOWN)"
std::string DescribeBatch(const BatchRow& batch) {
  const auto stats = JsonFact(batch.stats);
  const auto response = JsonFact(batch.response_digest);
  auto text = fmt::format("batch {}: {} records ({} new, {} updated, {} unchanged)", batch.number,
                          batch.records, Number(stats, "inserted"), Number(stats, "updated"),
                          Number(stats, "unchanged"));
  if (const auto bad = Number(stats, "failed"); bad > 0)
    text += fmt::format(", {} quarantined", bad);
  if (const auto status = Number(response, "status"); status > 0)
    text += fmt::format(", HTTP {}", status);
  if (const auto bytes = Number(response, "bytes"); bytes > 0)
    text += fmt::format(", {} bytes", bytes);
  text += fmt::format(", {} ms", Number(stats, "latencyMs"));
  if (const auto* rate = response.Find("rate"); rate != nullptr && Number(*rate, "waitMs") > 0) {
    const auto* reason = rate->Find("reason");
    text += fmt::format(", waited {} ms", Number(*rate, "waitMs"));
    if (reason != nullptr && reason->AsString() != nullptr)
      text += fmt::format(" ({})", *reason->AsString());
  }
  if (batch.error) text += ": " + *batch.error;
  return text;
}

// ", by anna: read again", of a step that a person decided, or of which only a part was proven.
std::string DescribeRemarks(const CursorEventRow& event) {
  const auto remarks = JsonFact(event.remarks);
  std::string text;
  const auto add = [&](std::string_view name, std::string_view before) {
    const auto* member = remarks.Find(name);
    if (member != nullptr && member->AsString() != nullptr)
      text += std::string(before) + *member->AsString();
  };
  add("by", ", by ");
  add("why", ": ");
  return text;
}

std::string DescribeSums(const SliceRow& slice) {
  const auto& sums = slice.sums;
  return fmt::format("{} received, {} new, {} updated, {} unchanged, {} quarantined{}{}",
                     sums.received, sums.inserted, sums.updated, sums.unchanged, sums.quarantined,
                     slice.gap ? "; " : "", slice.gap.value_or(""));
}

bool IsOver(const std::string& status) {
  return status == "SUCCEEDED" || status == "FAILED" || status == "PARTIAL" ||
         status == "CANCELLED" || status == "COMPLETED";
}

}  // namespace

Facts FactsOf(const TimelineEvent& event) {
  return {{"at", TimeFact(event.at)},
          {"what", event.what},
          {"id", IdFact(event.id)},
          {"detail", event.detail}};
}

void Timeline::Add(Instant at, int step, std::string what, Id id, std::string detail) {
  events_.push_back({at, std::move(what), id, std::move(detail), step});
}

void Timeline::Add(const TriggerRow& trigger) {
  Add(trigger.fired_at, kTriggered, "triggered", trigger.id,
      fmt::format("{} by {}", trigger.type, trigger.scheduler));
}

void Timeline::Add(const PlanRow& plan) {
  Add(plan.created_at, kPlanned, "plan made", plan.id,
      plan.window ? plan.window->Describe() : plan.strategy);
  if (IsOver(plan.status)) Add(plan.updated_at, kPlanOver, "plan " + plan.status, plan.id, "");
}

void Timeline::Add(const SliceRow& slice) {
  if (!slice.closed_at) return;
  Add(*slice.closed_at, kSliceOver, "slice " + slice.status, slice.id,
      fmt::format("slice {}: {}", slice.number, DescribeSums(slice)));
}

void Timeline::Add(const TaskRow& task) {
  Add(task.created_at, kQueued, "task queued", task.id, fmt::format("priority {}", task.priority));
  if (task.started_at) Add(*task.started_at, kStarted, "task first started", task.id, "");
  if (task.parked)
    Add(task.scheduled_at, kDecided, "task due again", task.id, task.wait_reason.value_or(""));
  if (task.lease_owner && task.leased_until)
    Add(*task.leased_until, kDecided, "lease ends", task.id, "held by " + *task.lease_owner);
  if (task.finished_at) {
    Add(*task.finished_at, kTaskOver, "task " + task.status, task.id, task.last_error.value_or(""));
  }
}

void Timeline::Add(const RunRow& run) {
  Add(run.started_at.value_or(run.created_at), kOpened, "run opened", run.id,
      fmt::format("attempt {}{}", run.attempt, run.is_replay ? ", a replay" : ""));
  if (run.finished_at)
    Add(*run.finished_at, kRunOver, "run " + run.status, run.id, run.error.value_or(""));
}

void Timeline::Add(const BatchRow& batch) {
  Add(batch.committed_at.value_or(batch.created_at), kBatch, "batch " + batch.status, batch.id,
      batch.committed_at || batch.error ? DescribeBatch(batch)
                                        : fmt::format("batch {} asked for", batch.number));
}

void Timeline::Add(const CursorEventRow& event) {
  Add(event.at, kCursor, event.refused ? "cursor move refused" : "cursor moved", event.id,
      fmt::format("{} {}: {} → {}{}", event.direction, event.key, event.before.value_or("nothing"),
                  event.after, event.refused ? ", but " + *event.refused : DescribeRemarks(event)));
}

void Timeline::Add(const DecisionRow& decision, Id object) {
  Add(decision.at, kDecided, decision.action, object,
      fmt::format("by {}: {}", decision.actor, decision.reason));
}

std::vector<TimelineEvent> Timeline::Events() const {
  auto events = events_;
  std::ranges::sort(events, {}, [](const TimelineEvent& event) {
    return std::tuple(event.at, event.step, event.id);
  });
  return events;
}

}  // namespace patra::contract
