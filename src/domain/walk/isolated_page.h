// How a walk goes on behind a page that a rule of the source put into quarantine.
#pragma once

#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// Whether it is known where the next page stands: where we count pages or records ourselves. After so many in a row that
// it is not the pages, nothing leads on: a list without an end would be asked for ever.
bool LeadsOn(const SpecSnapshot& spec, int isolated_in_a_row);

}  // namespace patra::domain
