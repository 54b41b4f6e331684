// What the configuration of a machine says about its work.
#pragma once

#include <vector>

#include "base/result.h"
#include "domain/spec/definition.h"
#include "domain/spec/shape.h"
#include "domain/task/at_once.h"
#include "domain/word/setting.h"

namespace patra::domain {

Shape WorkShape();

// REQUIRES: a configuration that was checked.
AtOnceSettings ReadWorkSettings(const DefinitionNode& checked, std::vector<Error>& problems);

std::vector<Setting> ShowWorkSettings(const AtOnceSettings& settings);

}  // namespace patra::domain
