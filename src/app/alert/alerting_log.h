// Raises alerts for those events of the log that people have to know of even if nobody reads it.
#pragma once

#include "app/port/alert_repository.h"
#include "app/port/log.h"

namespace patra::app {

// Thread-safe.
class AlertingLog final : public Log {
 public:
  AlertingLog(Log& log, AlertRepository& alerts) : log_(log), alerts_(alerts) {}

  void Write(LogLevel level, std::string_view event, const domain::Lineage& lineage,
             const Value::Object& details) override;

 private:
  Log& log_;
  AlertRepository& alerts_;
};

}  // namespace patra::app
