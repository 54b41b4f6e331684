#include "app/execute/tell_closing.h"

#include "domain/window/finer_dates.h"

namespace patra::app {

// Said, and no reason to doubt the slice: nobody but the provider knows how it compares.
void TellClosing::FinerDates(const SliceRun& run) const {
  for (const auto& date : {run.observed_min, run.observed_max}) {
    if (!date || !domain::MayMissFinerDates(run.spec.window, *date)) continue;
    log_.Write(LogLevel::kWarn, "dates.finer", run.opened.lineage,
               Value::Object{{"source", run.task.lane.provenance},
                             {"endpoint", run.task.lane.endpoint},
                             {"date", FormatRfc3339(*date)}});
    return;
  }
}

void TellClosing::Closed(const SliceRun& run, domain::TaskStatus status, const std::string& reason,
                         bool is_well) const {
  const auto& lane = run.task.lane;
  log_.Write(is_well ? LogLevel::kInfo : LogLevel::kError, "slice.closed", run.opened.lineage,
             {{"status", std::string(Code(status))},
              {"received", run.counts.received},
              {"reason", reason}});
  if (status == domain::TaskStatus::kFailed) {
    log_.Write(LogLevel::kError, "slice.failed", run.opened.lineage,
               {{"source", lane.provenance},
                {"endpoint", lane.endpoint},
                {"window", run.task.window().Describe()},
                {"reason", reason}});
  }
  // Whatever it had to wait for is over.
  if (is_well && run.task.runs_so_far > 0) {
    log_.Write(LogLevel::kInfo, "slice.recovered", run.opened.lineage,
               {{"source", lane.provenance}, {"endpoint", lane.endpoint}});
  }
}

void TellClosing::Moved(const SliceRun& run, const SliceClosed& closed) const {
  if (!closed.watermark || closed.watermark == closed.watermark_before) return;
  const bool is_backfill = run.task.lane.operation == domain::Operation::kBackfill;
  log_.Write(LogLevel::kInfo, "cursor.moved", run.opened.lineage,
             {{"direction", is_backfill ? "BACKFILL" : "FORWARD"},
              {"to", FormatRfc3339(*closed.watermark)}});
}

void TellClosing::Gone(const SliceRun& run, const SliceClosed& closed) const {
  if (!closed.tells_gone) return;
  const bool is_doubted = !closed.gone_doubt.empty();
  log_.Write(is_doubted ? LogLevel::kWarn : LogLevel::kInfo,
             is_doubted ? "list.doubted" : "list.compared", run.opened.lineage,
             {{"source", run.task.lane.provenance},
              {"endpoint", run.task.lane.endpoint},
              {"gone", closed.gone},
              {"reason", closed.gone_doubt}});
}

void TellClosing::Doubted(const SliceRun& run, const SliceClosed& closed) const {
  for (const auto& window : closed.doubted) {
    log_.Write(LogLevel::kWarn, "slice.unproven", run.opened.lineage,
               {{"source", run.task.lane.provenance},
                {"endpoint", run.task.lane.endpoint},
                {"window", window.Describe()},
                {"reason", "as many records were announced as for a slice whose parts have more"}});
  }
}

std::string TellClosing::UnmetFields(const SliceRun& run) const {
  const auto& unmet = run.unmet_fields;
  if (!run.opened.is_first_read || unmet.records() < domain::kRecordsThatLackTell) return {};
  const bool is_well = unmet.fields().empty();
  const auto reason = is_well ? std::string() : unmet.Describe();
  log_.Write(is_well ? LogLevel::kInfo : LogLevel::kWarn, is_well ? "fields.met" : "fields.unmet",
             run.opened.lineage,
             {{"source", run.task.lane.provenance},
              {"endpoint", run.task.lane.endpoint},
              {"reason", reason}});
  return reason;
}

}  // namespace patra::app
