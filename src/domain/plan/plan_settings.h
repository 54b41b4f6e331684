// The `plan` section of the configuration.
#pragma once

#include <vector>

#include "base/result.h"
#include "domain/plan/plan_limits.h"
#include "domain/spec/definition.h"
#include "domain/spec/shape.h"
#include "domain/word/setting.h"

namespace patra::domain {

Shape PlanShape();

// REQUIRES: a configuration that was checked.
PlanLimits ReadPlanLimits(const DefinitionNode& checked, std::vector<Error>& problems);

std::vector<Setting> PlanSettings(const PlanLimits& limits);

}  // namespace patra::domain
