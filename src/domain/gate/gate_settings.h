// What the configuration of a machine says about the rate gate.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/spec/definition.h"
#include "domain/spec/shape.h"
#include "domain/word/setting.h"

namespace patra::domain {

struct GateSettings {
  std::string rate{};  // of every operation at most, such as 2/s; empty: what definitions allow
  Duration wait_max = std::chrono::seconds(5);  // for a permit; then a worker does something else
  std::string url{};  // of the Redis that keeps the state; empty: a file beside the store
};

Shape GateShape();

// REQUIRES: a configuration that was checked.
GateSettings ReadGateSettings(const DefinitionNode& checked, std::vector<Error>& problems);

std::vector<Setting> ShowGateSettings(const GateSettings& settings);

}  // namespace patra::domain
