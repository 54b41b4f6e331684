#include "contract/timeline.h"

#include <algorithm>

#include <fmt/format.h>

namespace patra::contract {
namespace {

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

void Timeline::Add(const TriggerRow& trigger) {
  events_.push_back({trigger.fired_at, "triggered", trigger.id,
                     fmt::format("{} by {}", trigger.type, trigger.scheduler)});
}

void Timeline::Add(const PlanRow& plan) {
  events_.push_back({plan.created_at, "plan made", plan.id,
                     plan.window ? plan.window->Describe() : plan.strategy});
  if (IsOver(plan.status)) events_.push_back({plan.updated_at, "plan " + plan.status, plan.id, ""});
}

void Timeline::Add(const SliceRow& slice) {
  if (!slice.closed_at) return;
  events_.push_back({*slice.closed_at, "slice " + slice.status, slice.id,
                     fmt::format("slice {}: {}", slice.number, DescribeSums(slice))});
}

void Timeline::Add(const TaskRow& task) {
  events_.push_back(
      {task.created_at, "task queued", task.id, fmt::format("priority {}", task.priority)});
  if (task.started_at) events_.push_back({*task.started_at, "task first started", task.id, ""});
  if (task.parked) {
    events_.push_back(
        {task.scheduled_at, "task due again", task.id, task.wait_reason.value_or("")});
  }
  if (task.lease_owner && task.leased_until) {
    events_.push_back({*task.leased_until, "lease ends", task.id, "held by " + *task.lease_owner});
  }
  if (task.finished_at) {
    events_.push_back(
        {*task.finished_at, "task " + task.status, task.id, task.last_error.value_or("")});
  }
}

void Timeline::Add(const RunRow& run) {
  events_.push_back({run.started_at.value_or(run.created_at), "run opened", run.id,
                     fmt::format("attempt {}{}", run.attempt, run.is_replay ? ", a replay" : "")});
  if (run.finished_at) {
    events_.push_back({*run.finished_at, "run " + run.status, run.id, run.error.value_or("")});
  }
}

void Timeline::Add(const BatchRow& batch) {
  const bool is_running = !batch.committed_at;
  events_.push_back(
      {batch.committed_at.value_or(batch.created_at), "batch " + batch.status, batch.id,
       is_running ? fmt::format("batch {} asked for", batch.number) : DescribeBatch(batch)});
}

void Timeline::Add(const CursorEventRow& event) {
  events_.push_back(
      {event.at, "cursor moved", event.id,
       fmt::format("{}: {} → {}", event.key, event.before.value_or("nothing"), event.after)});
}

void Timeline::Add(const DecisionRow& decision, Id object) {
  events_.push_back({decision.at, decision.action, object,
                     fmt::format("by {}: {}", decision.actor, decision.reason)});
}

std::vector<TimelineEvent> Timeline::Events() const {
  auto events = events_;
  std::ranges::stable_sort(events, {}, &TimelineEvent::at);
  return events;
}

}  // namespace patra::contract
