// The `retention` section of the configuration.
#pragma once

#include <vector>

#include "base/result.h"
#include "domain/retention/retention_policy.h"
#include "domain/spec/definition.h"
#include "domain/spec/shape.h"
#include "domain/word/setting.h"

namespace patra::domain {

Shape RetentionShape();

// REQUIRES: a configuration that was checked.
RetentionPolicy ReadRetentionPolicy(const DefinitionNode& checked, std::vector<Error>& problems);

std::vector<Setting> ShowRetentionPolicy(const RetentionPolicy& policy);

}  // namespace patra::domain
