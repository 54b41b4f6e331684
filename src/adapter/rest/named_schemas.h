// What answers are made of: every schema that has a name.
#pragma once

#include "adapter/rest/schema.h"

namespace patra::adapter::rest {

const NamedSchemas& AllNamedSchemas();

}  // namespace patra::adapter::rest
