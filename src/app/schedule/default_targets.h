// What is harvested by default, as the definitions say.
#pragma once

#include <vector>

#include "app/port/secrets.h"
#include "app/port/transport.h"
#include "app/schedule/default_jobs.h"
#include "app/source/resolve_source.h"
#include "domain/spec/definition.h"

namespace patra::app {

// Of each definition that is not only there to be extended: the endpoint that is meant where none is named, or all that may be. What
// it lacks is a credential that it requires, a contact that it names, an address that may be asked, or a definition that compiles.
std::vector<DefaultTarget> DefaultTargetsOf(const std::vector<domain::DefinitionNode>& definitions,
                                            Secrets& secrets, const Transport& transport,
                                            const ResolveScene& scene = {});

}  // namespace patra::app
