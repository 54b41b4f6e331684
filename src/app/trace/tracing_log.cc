#include "app/trace/tracing_log.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "app/trace/trace_ids.h"

namespace patra::app {
namespace {

std::int64_t NumberOf(const Value::Object& details, std::string_view name) {
  const auto found = details.find(name);
  const auto* number = found == details.end() ? nullptr : found->second.AsInteger();
  return number == nullptr ? 0 : *number;
}

std::string TextOf(const Value::Object& details, std::string_view name) {
  const auto found = details.find(name);
  if (found == details.end() || found->second.is_null()) return {};
  const auto* text = found->second.AsString();
  return text != nullptr ? *text : PrintJson(found->second);
}

Duration TookOf(const Value::Object& details, std::string_view name = "tookMs") {
  return std::chrono::milliseconds(NumberOf(details, name));
}

// Of the details, those that have something to say, under the names that a trace has for them.
struct Attribute {
  std::string_view name;
  std::string_view detail;
};

template <std::size_t kCount>
void Describe(Span& span, const domain::Lineage& lineage, const Value::Object& details,
              const std::array<Attribute, kCount>& attributes) {
  const auto add = [&](std::string_view name, std::string text) {
    if (!text.empty()) span.attributes.emplace_back(name, std::move(text));
  };
  const auto& lane = lineage.lane;
  if (!lane.provenance.empty()) {
    add("source", lane.provenance);
    add("endpoint", lane.endpoint);
    add("op", std::string(Code(lane.operation)));
  }
  if (lineage.plan != 0) add("plan.id", fmt::to_string(lineage.plan));
  if (lineage.slice != 0) add("slice.id", fmt::to_string(lineage.slice));
  if (lineage.task != 0) add("task.id", fmt::to_string(lineage.task));
  if (lineage.run != 0) add("run.id", fmt::to_string(lineage.run));
  for (const auto& [name, detail] : attributes) add(name, TextOf(details, detail));
}

constexpr std::array<Attribute, 0> kNothing{};

}  // namespace

void TracingLog::Write(LogLevel level, std::string_view event, const domain::Lineage& lineage,
                       const Value::Object& details) {
  log_.Write(level, event, lineage, details);
  Trace(level, event, lineage, details);
}

void TracingLog::Trace(LogLevel level, std::string_view event, const domain::Lineage& lineage,
                       const Value::Object& details) {
  const std::lock_guard lock(mutex_);
  if (event == "request.settled" || event == "request.passed_on") return Request(lineage, details);
  if (event == "batch.committed") return Batch(lineage, details);
  if (event == "slice.planned") return Slice(lineage);
  if (event == "trigger.planned") return Trigger(lineage, details);
  if (event == "run.opened") return OpenRun(lineage);
  const bool is_failure = level >= LogLevel::kWarn;
  if (event == "slice.closed" || event == "run.given_back") {
    EndRun(lineage, details, is_failure);
    return;
  }
  if (event == "task.released" || event == "task.lease_lost")
    return EndTask(lineage, details, is_failure);
  if (event == "task.claimed") {
    if (tasks_.size() >= kUnderWayMax) tasks_.clear();
    const auto now = clock_.Now();
    tasks_[lineage.task] = {.extent = {now, now}, .priority = NumberOf(details, "priority")};
  }
}

void TracingLog::OpenRun(const domain::Lineage& lineage) {
  if (runs_.size() >= kUnderWayMax) runs_.clear();
  const auto now = clock_.Now();
  runs_[lineage.run] = {.extent = {now, now}, .batch_from = now};
  if (const auto task = tasks_.find(lineage.task); task != tasks_.end())
    task->second.run = lineage.run;
}

void TracingLog::Request(const domain::Lineage& lineage, const Value::Object& details) {
  auto id = TextOf(details, "span");
  if (lineage.run == 0 || id.empty()) return;
  const auto now = clock_.Now();
  const auto from = now - TookOf(details);
  const auto batch_no = NumberOf(details, "batchNo");
  if (const auto run = runs_.find(lineage.run); run != runs_.end()) {
    const Extent call{from, now};
    run->second.asked.try_emplace(batch_no, call).first->second.Enclose(call);
  }
  const auto level = TextOf(details, "level");
  Span span{.trace = TraceOfRun(lineage.task, lineage.run),
            .id = std::move(id),
            .parent = SpanOfBatch(lineage.run, batch_no),
            .name = "HTTP call",
            .kind = Span::Kind::kClient,
            .from = from,
            .to = now,
            .is_failure = level.starts_with('L')};
  Describe(span, lineage, details,
           std::to_array<Attribute>({{"http.status", "status"}, {"error.level", "level"}}));
  sink_.Take(std::move(span));
}

void TracingLog::Batch(const domain::Lineage& lineage, const Value::Object& details) {
  const auto now = clock_.Now();
  Extent extent{now - TookOf(details), now};
  const auto batch_no = NumberOf(details, "batchNo");
  if (const auto found = runs_.find(lineage.run); found != runs_.end()) {
    auto& run = found->second;
    extent.from = run.batch_from;
    if (const auto asked = run.asked.find(batch_no); asked != run.asked.end())
      extent.Enclose(asked->second);
    run.extent.Enclose(extent);
    run.batch_from = now;
    run.asked.erase(run.asked.begin(), run.asked.upper_bound(batch_no));
  }
  Span span{.trace = TraceOfRun(lineage.task, lineage.run),
            .id = SpanOfBatch(lineage.run, batch_no),
            .parent = SpanOfRun(lineage.run),
            .name = "batch",
            .from = extent.from,
            .to = extent.to};
  Describe(span, lineage, details,
           std::to_array<Attribute>({{"batch.no", "batchNo"},
                                     {"http.status", "status"},
                                     {"hasNext", "hasNext"},
                                     {"records", "received"}}));
  sink_.Take(std::move(span));
}

std::optional<TracingLog::Extent> TracingLog::EndRun(const domain::Lineage& lineage,
                                                     const Value::Object& details,
                                                     bool is_failure) {
  const auto found = runs_.find(lineage.run);
  if (found == runs_.end()) return std::nullopt;
  auto run = found->second;
  runs_.erase(found);
  const auto now = clock_.Now();
  run.extent.Enclose({run.extent.from, now});
  // What was asked for and came to nothing.
  for (const auto& [batch_no, calls] : run.asked) {
    Extent extent{run.batch_from, now};
    extent.Enclose(calls);
    run.extent.Enclose(extent);
    Span batch{.trace = TraceOfRun(lineage.task, lineage.run),
               .id = SpanOfBatch(lineage.run, batch_no),
               .parent = SpanOfRun(lineage.run),
               .name = "batch",
               .from = extent.from,
               .to = extent.to,
               .is_failure = is_failure};
    Describe(batch, lineage, {}, kNothing);
    batch.attributes.emplace_back("batch.no", fmt::to_string(batch_no));
    sink_.Take(std::move(batch));
  }
  Span span{.trace = TraceOfRun(lineage.task, lineage.run),
            .id = SpanOfRun(lineage.run),
            .parent = SpanOfTask(lineage.run),
            .name = "run",
            .from = run.extent.from,
            .to = run.extent.to,
            .is_failure = is_failure};
  Describe(span, lineage, details,
           std::to_array<Attribute>({{"status", "status"}, {"reason", "reason"}}));
  sink_.Take(std::move(span));
  if (const auto task = tasks_.find(lineage.task); task != tasks_.end())
    task->second.extent.Enclose(run.extent);
  return run.extent;
}

// Of a task that led to no run there is nothing to see.
void TracingLog::EndTask(const domain::Lineage& lineage, const Value::Object& details,
                         bool is_failure) {
  const auto found = tasks_.find(lineage.task);
  if (found == tasks_.end()) return;
  auto task = found->second;
  tasks_.erase(found);
  if (task.run == 0) return;
  auto about = lineage;
  about.run = task.run;
  // Where nobody has told that it is over.
  if (const auto run = EndRun(about, details, is_failure)) task.extent.Enclose(*run);
  task.extent.Enclose({task.extent.from, clock_.Now()});
  Span span{.trace = TraceOfRun(lineage.task, task.run),
            .id = SpanOfTask(task.run),
            .name = "task",
            .from = task.extent.from,
            .to = task.extent.to,
            .is_failure = is_failure};
  Describe(span, about, details,
           std::to_array<Attribute>({{"status", "status"}, {"owner", "owner"}}));
  span.attributes.emplace_back("priority", fmt::to_string(task.priority));
  // By which the trace of the planner is found.
  span.attributes.emplace_back("slice.span", SpanOfSlice(lineage.slice));
  span.attributes.emplace_back("trigger.trace", TraceOfTrigger(lineage.trigger));
  sink_.Take(std::move(span));
}

void TracingLog::Trigger(const domain::Lineage& lineage, const Value::Object& details) {
  const auto now = clock_.Now();
  const auto from = now - TookOf(details);
  Span compile{.trace = TraceOfTrigger(lineage.trigger),
               .id = SpanOfSlice(-lineage.trigger),
               .parent = SpanOfTrigger(lineage.trigger),
               .name = "compile",
               .from = from,
               .to = from + TookOf(details, "compiledInMs")};
  Describe(compile, lineage, {}, kNothing);
  Span span{
      .trace = compile.trace, .id = compile.parent, .name = "trigger", .from = from, .to = now};
  Describe(span, lineage, details,
           std::to_array<Attribute>({{"slices", "slices"}, {"reason", "reason"}}));
  sink_.Take(std::move(compile));
  sink_.Take(std::move(span));
}

void TracingLog::Slice(const domain::Lineage& lineage) {
  const auto now = clock_.Now();
  Span span{.trace = TraceOfTrigger(lineage.trigger),
            .id = SpanOfSlice(lineage.slice),
            .parent = SpanOfTrigger(lineage.trigger),
            .name = "slice",
            .from = now,
            .to = now};
  Describe(span, lineage, {}, kNothing);
  sink_.Take(std::move(span));
}

}  // namespace patra::app
