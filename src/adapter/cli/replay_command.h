// `patra replay`: a batch once more.
#pragma once

#include <string>

#include "adapter/cli/console.h"
#include "app/api/operations.h"

namespace patra::adapter::cli {

struct ReplayCommand {
  app::ReplayRequest request{};
  std::string target{};  // RUN/BATCH
  std::string mode = "report";
  bool as_json = false;
};

// kComplete where the replay agrees or what differs was committed, kQuarantined where it was isolated, kFailed where
// it differs or cannot be committed, kTryLater where the gate lets nobody in.
int RunReplay(const ReplayCommand& command, app::Operations& engine, const domain::Actor& actor,
              const Console& console);

}  // namespace patra::adapter::cli
