// What happens, for whoever runs patra: one line per event, with the ids that lead back to its cause.
#pragma once

#include <string_view>

#include "base/value.h"
#include "domain/word/lineage.h"

namespace patra::app {

enum class LogLevel { kDebug, kInfo, kWarn, kError };

// Thread-safe. Never fails: a log that cannot be written must not stop the work.
class Log {
 public:
  virtual ~Log() = default;

  // `event` is a fixed name such as "batch.retry"; what varies is in the details. No secrets (I11).
  virtual void Write(LogLevel level, std::string_view event, const domain::Lineage& lineage,
                     const Value::Object& details) = 0;
};

class NoLog final : public Log {
 public:
  void Write(LogLevel, std::string_view, const domain::Lineage&, const Value::Object&) override {}
};

}  // namespace patra::app
