#pragma once

#include "adapter/cli/replay_services.h"
#include "infra/definitions/yaml_files.h"

namespace patra::boot {

// Batches that are asked for again.
class ReplayApplication final : public adapter::cli::ReplayServices {
 public:
  Result<app::ReplayReport> Replay(const adapter::cli::ReplayRequest& request) override;

 private:
  infra::definitions::YamlFiles files_;
};

}  // namespace patra::boot
