#include "app/trace/tracing_log.h"

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
  if (event == "slice.closed" || event == "run.given_back")
    return EndRun(lineage, details, is_failure);
  if (event == "task.released" || event == "task.lease_lost")
    return EndTask(lineage, details, is_failure);
  if (event == "task.claimed") {
    if (tasks_.size() >= kUnderWayMax) tasks_.clear();
    tasks_[lineage.task] = {.claimed_at = clock_.Now(), .priority = NumberOf(details, "priority")};
  }
}

void TracingLog::OpenRun(const domain::Lineage& lineage) {
  if (runs_.size() >= kUnderWayMax) runs_.clear();
  const auto now = clock_.Now();
  runs_[lineage.run] = {.opened_at = now, .batch_from = now};
  if (const auto task = tasks_.find(lineage.task); task != tasks_.end())
    task->second.run = lineage.run;
}

void TracingLog::Request(const domain::Lineage& lineage, const Value::Object& details) {
  auto id = TextOf(details, "span");
  if (lineage.run == 0 || id.empty()) return;
  if (const auto run = runs_.find(lineage.run); run != runs_.end()) {
    run->second.batch_no = NumberOf(details, "batchNo");
    run->second.has_asked = true;
  }
  const auto now = clock_.Now();
  const auto level = TextOf(details, "level");
  Span span{.trace = TraceOfRun(lineage.task, lineage.run),
            .id = std::move(id),
            .parent = SpanOfBatch(lineage.run, NumberOf(details, "batchNo")),
            .name = "HTTP call",
            .kind = Span::Kind::kClient,
            .from = now - TookOf(details),
            .to = now,
            .is_failure = level.starts_with('L')};
  Describe(span, lineage, details,
           std::to_array<Attribute>({{"http.status", "status"}, {"error.level", "level"}}));
  sink_.Take(std::move(span));
}

void TracingLog::Batch(const domain::Lineage& lineage, const Value::Object& details) {
  const auto now = clock_.Now();
  auto from = now - TookOf(details);
  const auto batch_no = NumberOf(details, "batchNo");
  if (const auto run = runs_.find(lineage.run); run != runs_.end()) {
    from = run->second.batch_from;
    run->second = {.opened_at = run->second.opened_at, .batch_from = now, .batch_no = batch_no + 1};
  }
  Span span{.trace = TraceOfRun(lineage.task, lineage.run),
            .id = SpanOfBatch(lineage.run, batch_no),
            .parent = SpanOfRun(lineage.run),
            .name = "batch",
            .from = from,
            .to = now};
  Describe(span, lineage, details,
           std::to_array<Attribute>({{"batch.no", "batchNo"},
                                     {"http.status", "status"},
                                     {"hasNext", "hasNext"},
                                     {"records", "received"}}));
  sink_.Take(std::move(span));
}

void TracingLog::EndRun(const domain::Lineage& lineage, const Value::Object& details,
                        bool is_failure) {
  const auto found = runs_.find(lineage.run);
  if (found == runs_.end()) return;
  const auto run = found->second;
  runs_.erase(found);
  const auto now = clock_.Now();
  // The one that came to nothing.
  if (run.has_asked) {
    Span batch{.trace = TraceOfRun(lineage.task, lineage.run),
               .id = SpanOfBatch(lineage.run, run.batch_no),
               .parent = SpanOfRun(lineage.run),
               .name = "batch",
               .from = run.batch_from,
               .to = now,
               .is_failure = is_failure};
    Describe(batch, lineage, {}, kNothing);
    batch.attributes.emplace_back("batch.no", fmt::to_string(run.batch_no));
    sink_.Take(std::move(batch));
  }
  Span span{.trace = TraceOfRun(lineage.task, lineage.run),
            .id = SpanOfRun(lineage.run),
            .parent = SpanOfTask(lineage.run),
            .name = "run",
            .from = run.opened_at,
            .to = now,
            .is_failure = is_failure};
  Describe(span, lineage, details,
           std::to_array<Attribute>({{"status", "status"}, {"reason", "reason"}}));
  sink_.Take(std::move(span));
}

// Of a task that led to no run there is nothing to see.
void TracingLog::EndTask(const domain::Lineage& lineage, const Value::Object& details,
                         bool is_failure) {
  const auto found = tasks_.find(lineage.task);
  if (found == tasks_.end()) return;
  const auto task = found->second;
  tasks_.erase(found);
  if (task.run == 0) return;
  auto about = lineage;
  about.run = task.run;
  EndRun(about, details, is_failure);  // where nobody has told that it is over
  Span span{.trace = TraceOfRun(lineage.task, task.run),
            .id = SpanOfTask(task.run),
            .name = "task",
            .from = task.claimed_at,
            .to = clock_.Now(),
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
