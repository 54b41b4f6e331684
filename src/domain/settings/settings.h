// What the configuration of a machine can set.
#pragma once

#include <vector>

#include "base/result.h"
#include "domain/gate/gate_settings.h"
#include "domain/heal/heal_policy.h"
#include "domain/plan/plan_limits.h"
#include "domain/retention/retention_policy.h"
#include "domain/settings/service_settings.h"
#include "domain/settings/workplace_settings.h"
#include "domain/spec/definition.h"
#include "domain/task/at_once.h"

namespace patra::domain {

struct Settings {
  HealPolicy heal{};            // the section `heal`
  PlanLimits plan{};            // the section `plan`
  GateSettings gate{};          // the section `gate`
  AtOnceSettings work{};        // the section `work`
  ServiceSettings service{};    // the section `service`
  RetentionPolicy retention{};  // the section `retention`
  Workplace workplace{};        // what is outside of sections
};

// The defaults with what the configuration says instead. What is wrong is reported, all of it, with its line;
// unknown names with what may be meant.
Settings ReadSettings(const DefinitionNode& configuration, std::vector<Error>& problems);

}  // namespace patra::domain
