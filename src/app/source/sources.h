// What can be asked about source definitions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/port/definition_files.h"
#include "app/port/secrets.h"
#include "app/source/source_catalog.h"
#include "app/source/source_reports.h"

namespace patra::app {

// Whether a source may have that name.
Result<void> CheckSourceName(const std::string& name);

class Sources {
 public:
  // With `secrets`, Check looks whether the credentials that are set are long enough.
  Sources(DefinitionFiles& files, std::string folder, Secrets* secrets = nullptr)
      : files_(files), folder_(std::move(folder)), secrets_(secrets) {}

  Result<std::vector<SourceSummary>> List();

  // One source, or all.
  Result<SourceCheck> Check(const std::optional<std::string>& source);

  // `target` is SOURCE or SOURCE/ENDPOINT; of a source without an endpoint, the first is taken.
  // `overrides` are PATH=VALUE. What keeps the definition from being compiled is in the report.
  Result<CompiledReport> Compile(const std::string& target,
                                 const std::vector<std::string>& overrides);

  // Runs the exchanges saved in exchanges/SOURCE.yaml beside the definitions.
  Result<std::vector<ExchangeReport>> Test(const std::string& source);

 private:
  DefinitionFiles& files_;
  const std::string folder_;
  Secrets* const secrets_;
};

}  // namespace patra::app
