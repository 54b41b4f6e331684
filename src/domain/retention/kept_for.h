// How long each kind of rows is kept.
#pragma once

#include "domain/retention/retention_policy.h"
#include "domain/word/old_kind.h"

namespace patra::domain {

// 0: for ever.
Duration KeptFor(OldKind kind, const RetentionPolicy& policy);

}  // namespace patra::domain
