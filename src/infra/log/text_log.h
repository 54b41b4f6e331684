#pragma once

#include "app/port/log.h"
#include "base/clock.h"
#include "infra/log/line_sink.h"

namespace patra::infra::log {

// One line per event, for people:
//
//   14:03:07 warn  batch.retry  status 503, attempt 2  (task 17)
//
// No text can start another line or move a terminal's cursor, and long ones are cut. Thread-safe.
class TextLog final : public app::Log {
 public:
  static constexpr std::size_t kTextBytesMax = 300;

  TextLog(app::LogLevel least, const Clock& clock, LineSink sink, bool color)
      : least_(least), clock_(clock), sink_(std::move(sink)), color_(color) {}

  void Write(app::LogLevel level, std::string_view event, const domain::Lineage& lineage,
             const Value::Object& details) override;

 private:
  const app::LogLevel least_;
  const Clock& clock_;
  LineSink sink_;
  const bool color_;
};

}  // namespace patra::infra::log
