// What the command line asks about sources; boot provides it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/source/source_reports.h"
#include "base/result.h"

namespace patra::adapter::cli {

struct PauseRequest {
  std::string database;
  std::string sources_folder;
  std::string target;  // SOURCE or SOURCE/ENDPOINT
  std::string reason;
  std::optional<std::string> until{};
};

struct RegistryRequest {
  std::string database;
  std::string sources_folder;
  std::optional<std::string> from{};  // when it becomes valid; the present if not given
};

struct RegistryReport {
  std::vector<Error> problems{};       // of the definitions: then nothing is applied
  std::vector<std::string> changes{};  // field by field
};

// `folder` is where the definitions are; empty: the shipped ones, else ./sources.
class SourceServices {
 public:
  virtual ~SourceServices() = default;

  virtual Result<std::vector<app::SourceSummary>> ListSources(const std::string& folder) = 0;
  virtual Result<app::SourceCheck> CheckSources(const std::string& folder,
                                                const std::optional<std::string>& source) = 0;
  virtual Result<app::CompiledReport> CompileSource(const std::string& folder,
                                                    const std::string& target,
                                                    const std::vector<std::string>& overrides) = 0;
  virtual Result<std::vector<app::ExchangeReport>> TestSource(const std::string& folder,
                                                              const std::string& source) = 0;
  virtual Result<std::string> ReadDefinition(const std::string& folder,
                                             const std::string& source) = 0;
  virtual std::string SourceSchema() = 0;
  virtual Result<void> PauseSource(const PauseRequest& request) = 0;
  virtual Result<bool> ResumeSource(const PauseRequest& request) = 0;  // whether it was paused
  virtual Result<RegistryReport> ApplyToRegistry(const RegistryRequest& request) = 0;
  virtual Result<RegistryReport> CompareWithRegistry(const RegistryRequest& request) = 0;

  // YAML of each source that is valid at `from`, by name, and of the dictionary of query fields.
  virtual Result<std::vector<std::pair<std::string, std::string>>> ExportRegistry(
      const RegistryRequest& request) = 0;
};

}  // namespace patra::adapter::cli
