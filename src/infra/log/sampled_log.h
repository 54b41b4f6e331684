#pragma once

#include <memory>
#include <string_view>

#include "app/port/log.h"

namespace patra::infra::log {

// A log without most of what goes well, batch by batch: of a share of all runs these lines are written, of the others none. The
// run's id decides, so that every line of a run is there or none is, whoever writes it. Warnings, errors and whatever happens
// once in a run are always written. As thread-safe as what it writes to.
class SampledLog final : public app::Log {
 public:
  // REQUIRES: log; `share` is between 0 and 1
  SampledLog(std::unique_ptr<app::Log> log, double share) : log_(std::move(log)), share_(share) {}

  void Write(app::LogLevel level, std::string_view event, const domain::Lineage& lineage,
             const Value::Object& details) override;

 private:
  bool IsChosen(Id run) const;

  const std::unique_ptr<app::Log> log_;
  const double share_;
};

}  // namespace patra::infra::log
