// Deletes all that a store and its archive have of one source. Whoever is stopped or killed in between begins again with the
// same command.
#pragma once

#include <string>

#include "app/api/retention.h"
#include "app/port/decision.h"
#include "app/retention/retention_ports.h"

namespace patra::app {

class ForgetSource {
 public:
  ForgetSource(const RetentionPorts& ports, std::string owner)
      : ports_(ports), owner_(std::move(owner)) {}

  Result<ForgetReport> Run(const std::string& source, const Decision& decision);

 private:
  const RetentionPorts ports_;
  const std::string owner_;
};

}  // namespace patra::app
