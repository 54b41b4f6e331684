// Who decided something by hand, and why: every such change is audited with it.
#pragma once

#include <string>

#include "domain/word/actor.h"

namespace patra::app {

struct Decision {
  domain::Actor actor;
  std::string reason;
};

}  // namespace patra::app
