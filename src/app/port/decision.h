// Who decided something by hand, and why: every such change is audited with it.
#pragma once

#include <string>

namespace patra::app {

struct Decision {
  std::string actor;
  std::string reason;
};

}  // namespace patra::app
