// What the command line asks about batches that are asked for again; boot provides it.
#pragma once

#include <string>

#include "adapter/cli/run_services.h"
#include "app/replay/replay_report.h"
#include "base/result.h"

namespace patra::adapter::cli {

struct ReplayRequest {
  EngineRequest engine{};
  Id run = 0;
  Id batch = 0;
  app::ReplayMode mode = app::ReplayMode::kReport;
  bool from_raw = false;
  std::string reason{};
};

class ReplayServices {
 public:
  virtual ~ReplayServices() = default;

  virtual Result<app::ReplayReport> Replay(const ReplayRequest& request) = 0;
};

}  // namespace patra::adapter::cli
