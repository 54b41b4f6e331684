// Counts what is told to the log.
#pragma once

#include "app/port/log.h"
#include "app/port/meters.h"

namespace patra::app {

class MeteringLog final : public Log {
 public:
  MeteringLog(Log& log, Meters& meters) : log_(log), meters_(meters) {}

  void Write(LogLevel level, std::string_view event, const domain::Lineage& lineage,
             const Value::Object& details) override;

 private:
  Log& log_;
  Meters& meters_;
};

}  // namespace patra::app
