// What the log, and with it the alerts, says of a slice whose run is over.
#pragma once

#include <string>

#include "app/execute/slice_run.h"
#include "app/port/log.h"
#include "app/port/run_ledger.h"

namespace patra::app {

// Thread-safe, where no two threads work on the same run.
class TellClosing {
 public:
  explicit TellClosing(Log& log) : log_(log) {}

  void FinerDates(const SliceRun& run) const;
  void Closed(const SliceRun& run, domain::TaskStatus status, const std::string& reason,
              bool is_well) const;
  void Moved(const SliceRun& run, const SliceClosed& closed) const;
  void Gone(const SliceRun& run, const SliceClosed& closed) const;
  void Doubted(const SliceRun& run, const SliceClosed& closed) const;
  // While a definition is new: fields that none of the records has.
  std::string UnmetFields(const SliceRun& run) const;

 private:
  Log& log_;
};

}  // namespace patra::app
