#pragma once

#include <cstdio>

#include "app/port/log.h"
#include "base/clock.h"
#include "infra/log/line_sink.h"

namespace patra::infra::log {

// One JSON object per line:
//
//   {"batch_id":"","credential":"KEY","event":"credential.refused","level":"ERROR","plan_id":"17", …,"ts":"…"}
//
// Always there are ts, level, event and the six ids of the lineage, as strings, empty where unknown. No
// text can start another line or move a terminal's cursor, and long ones are cut. Thread-safe.
class JsonLog final : public app::Log {
 public:
  static constexpr std::size_t kTextBytesMax = 4'096;

  JsonLog(app::LogLevel least, const Clock& clock, LineSink sink)
      : least_(least), clock_(clock), sink_(std::move(sink)) {}
  JsonLog(app::LogLevel least, const Clock& clock, std::FILE* file = stderr)
      : JsonLog(least, clock, LineSink(file)) {}

  void Write(app::LogLevel level, std::string_view event, const domain::Lineage& lineage,
             const Value::Object& details) override;

 private:
  const app::LogLevel least_;
  const Clock& clock_;
  LineSink sink_;
};

}  // namespace patra::infra::log
