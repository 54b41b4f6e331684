// `patra remap`: the raw vault by the definition in force.
#pragma once

#include "adapter/cli/console.h"
#include "app/api/remapping.h"
#include "base/clock.h"

namespace patra::adapter::cli {

struct RemapCommand {
  app::RemapRequest request{};
  bool as_json = false;
};

// kComplete; kQuarantined where the definition makes nothing of some records; kFailed where pages are lost.
int RunRemap(const RemapCommand& command, app::Remapping& remapping, const domain::Actor& actor,
             const Clock& clock, const Console& console);

}  // namespace patra::adapter::cli
