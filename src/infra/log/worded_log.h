#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "app/port/log.h"

namespace patra::infra::log {

// A log that leaves the process in the words of the way in that it was started by: texts name steps, and whoever reads a log
// needs what to type. As thread-safe as what it writes to.
class WordedLog final : public app::Log {
 public:
  using Wording = std::function<std::string(std::string_view text)>;

  // REQUIRES: log, wording
  WordedLog(std::unique_ptr<app::Log> log, Wording wording)
      : log_(std::move(log)), wording_(std::move(wording)) {}

  void Write(app::LogLevel level, std::string_view event, const domain::Lineage& lineage,
             const Value::Object& details) override;

 private:
  Value Worded(const Value& value) const;

  const std::unique_ptr<app::Log> log_;
  const Wording wording_;
};

}  // namespace patra::infra::log
