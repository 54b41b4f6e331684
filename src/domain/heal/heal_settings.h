// The `heal` section of the configuration: every threshold of self-healing by its name.
#pragma once

#include <vector>

#include "base/result.h"
#include "domain/heal/heal_policy.h"
#include "domain/spec/definition.h"
#include "domain/spec/shape.h"
#include "domain/word/setting.h"

namespace patra::domain {

Shape HealShape();

// REQUIRES: a configuration that was checked.
HealPolicy ReadHealPolicy(const DefinitionNode& checked, std::vector<Error>& problems);

std::vector<Setting> HealSettings(const HealPolicy& policy);

}  // namespace patra::domain
