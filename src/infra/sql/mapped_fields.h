#pragma once

#include <vector>

#include "domain/spec/spec_snapshot.h"

namespace patra::infra::sql {

// The fields that a record of this endpoint has. Where details are a second phase, it is they that are mapped.
inline const std::vector<domain::FieldSpec>& MappedFields(const domain::SpecSnapshot& spec) {
  return spec.details ? spec.details->fields : spec.fields;
}

}  // namespace patra::infra::sql
