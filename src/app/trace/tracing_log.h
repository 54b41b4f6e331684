// Makes spans of what is told to the log: it says when something ended and how long it took.
//
//   task ─ run ─ batch ─ HTTP call            of an executor, a trace for each run
//   trigger ─┬─ compile                       of a planner, a trace for each trigger
//            └─ slice
#pragma once

#include <map>
#include <mutex>

#include "app/port/log.h"
#include "app/port/span_sink.h"
#include "base/clock.h"

namespace patra::app {

// Thread-safe.
class TracingLog final : public Log {
 public:
  // What is under way and was never told to be over; beyond that, what is under way is forgotten.
  static constexpr std::size_t kUnderWayMax = 10'000;

  TracingLog(Log& log, SpanSink& sink, const Clock& clock)
      : log_(log), sink_(sink), clock_(clock) {}

  void Write(LogLevel level, std::string_view event, const domain::Lineage& lineage,
             const Value::Object& details) override;

 private:
  struct RunUnderWay {
    Instant opened_at;
    Instant batch_from;         // when the batch that is under way began
    std::int64_t batch_no = 1;  // of it
    bool has_asked = false;     // for it
  };
  struct TaskUnderWay {
    Instant claimed_at;
    std::int64_t priority = 0;
    Id run = 0;  // 0: none was opened
  };

  void Trace(LogLevel level, std::string_view event, const domain::Lineage& lineage,
             const Value::Object& details);
  void OpenRun(const domain::Lineage& lineage);
  void Request(const domain::Lineage& lineage, const Value::Object& details);
  void Batch(const domain::Lineage& lineage, const Value::Object& details);
  void EndRun(const domain::Lineage& lineage, const Value::Object& details, bool is_failure);
  void EndTask(const domain::Lineage& lineage, const Value::Object& details, bool is_failure);
  void Trigger(const domain::Lineage& lineage, const Value::Object& details);
  void Slice(const domain::Lineage& lineage);

  Log& log_;
  SpanSink& sink_;
  const Clock& clock_;
  std::mutex mutex_;  // guards what follows
  std::map<Id, RunUnderWay> runs_;
  std::map<Id, TaskUnderWay> tasks_;
};

}  // namespace patra::app
