// The command-line arguments of everything that looks at a store.
#pragma once

#include "adapter/cli/scene.h"

namespace patra::adapter::cli {

// status, slice, task, run, batch, cursor, items and verify; and list, show and timeline of `plan`, a command
// that is made if it is not there yet.
void AddLedger(CLI::App& app, const Scene& scene);

}  // namespace patra::adapter::cli
