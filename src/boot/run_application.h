#pragma once

#include "adapter/cli/run_services.h"
#include "infra/definitions/yaml_files.h"

namespace patra::boot {

// What the command line can ask of executors. While one works, SIGINT and SIGTERM ask it to stop after the
// current batch; a second one ends the process at once, which loses nothing either.
class RunApplication final : public adapter::cli::RunServices {
 public:
  Result<app::OperationSummary> Run(const adapter::cli::RunRequest& request,
                                    const OnProgress& on_progress) override;
  Result<app::WorkSummary> Work(const adapter::cli::WorkRequest& request,
                                const OnWork& on_progress) override;
  Result<adapter::cli::PreviewReport> Preview(const adapter::cli::PreviewRequest& request) override;
  std::optional<int> StoppedBySignal() const override;

 private:
  infra::definitions::YamlFiles files_;
};

}  // namespace patra::boot
