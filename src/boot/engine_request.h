// What a command says about the engine that it needs.
#pragma once

#include "adapter/cli/run_services.h"
#include "app/port/definition_files.h"
#include "boot/engine.h"

namespace patra::boot {

Result<EngineOptions> OptionsOf(const adapter::cli::EngineRequest& request,
                                app::DefinitionFiles& files);

}  // namespace patra::boot
