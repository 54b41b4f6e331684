#pragma once

#include "domain/spec/merged_view.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// The snapshot that a merged definition describes, with what it leaves open filled in: page size,
// alignment, end rules. Decides nothing about whether that makes sense (check_spec.h).
SpecSnapshot DecodeSpec(const MergedView& view, const std::string& source,
                        const std::string& timezone, Operation operation);

}  // namespace patra::domain
