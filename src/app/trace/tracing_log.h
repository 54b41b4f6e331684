// Makes spans of what is told to the log: it says when something ended and how long it took.
//
//   task ─ run ─ batch ─ HTTP call            of an executor, a trace for each run
//   trigger ─┬─ compile                       of a planner, a trace for each trigger
//            └─ slice
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>

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
  // From when to when. What is within something else widens it: a clock may be set right meanwhile.
  struct Extent {
    Instant from;
    Instant to;

    void Enclose(const Extent& inner) {
      from = std::min(from, inner.from);
      to = std::max(to, inner.to);
    }
  };
  struct RunUnderWay {
    Extent extent;
    Instant batch_from;  // when the batch that is under way began
    // Of the calls for batches that are not committed. One may be fetched while the one before it is stored.
    std::map<std::int64_t, Extent> asked{};
  };
  struct TaskUnderWay {
    Extent extent;
    std::int64_t priority = 0;
    Id run = 0;  // 0: none was opened
  };

  void Trace(LogLevel level, std::string_view event, const domain::Lineage& lineage,
             const Value::Object& details);
  void OpenRun(const domain::Lineage& lineage);
  void Request(const domain::Lineage& lineage, const Value::Object& details);
  void Batch(const domain::Lineage& lineage, const Value::Object& details);
  // Where it was when; nothing where it is over already.
  std::optional<Extent> EndRun(const domain::Lineage& lineage, const Value::Object& details,
                               bool is_failure);
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
