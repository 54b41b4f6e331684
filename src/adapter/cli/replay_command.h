// `patra replay`: a batch once more.
#pragma once

#include <string>

#include "adapter/cli/console.h"
#include "adapter/cli/replay_services.h"

namespace patra::adapter::cli {

struct ReplayCommand {
  ReplayRequest request{};
  std::string target{};  // RUN/BATCH
  std::string mode = "report";
  bool as_json = false;
};

// kComplete where the replay agrees or what differs was committed, kQuarantined where it was isolated, kFailed where
// it differs or cannot be committed, kTryLater where the gate lets nobody in.
int RunReplay(const ReplayCommand& command, ReplayServices& services, const Console& console);

}  // namespace patra::adapter::cli
