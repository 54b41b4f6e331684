// What there is to harvest by default: each source that has a definition, with what it cannot do without.
#pragma once

#include <vector>

#include "app/port/secrets.h"
#include "app/port/transport.h"
#include "app/schedule/default_jobs.h"
#include "domain/spec/definition.h"

namespace patra::app {

// Of a source that does not say which of its endpoints is meant, each one that can be harvested. What cannot be compiled is left out.
std::vector<DefaultTarget> DefaultTargets(const std::vector<domain::DefinitionNode>& definitions,
                                          Secrets& secrets, Transport& transport);

}  // namespace patra::app
