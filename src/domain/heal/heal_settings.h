// The `heal:` section of the configuration: every threshold of self-healing by its name. One table says which there
// are; reading, showing and checking go by it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "domain/heal/heal_policy.h"
#include "domain/spec/definition.h"

namespace patra::domain {

// The policy with what the configuration says instead. What is wrong is reported, all of it, with its line; unknown
// names with what may be meant.
HealPolicy ReadHealPolicy(const DefinitionNode& configuration, std::vector<Error>& problems);

struct HealSetting {
  std::string name;   // "recut.slice_time_max"
  std::string value;  // as the configuration would write it
  std::string usual;  // the default, written alike
  std::string doc;
};
std::vector<HealSetting> HealSettings(const HealPolicy& policy);

}  // namespace patra::domain
