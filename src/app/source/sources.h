// What can be asked about source definitions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/api/source_library.h"
#include "app/port/definition_files.h"
#include "app/port/secrets.h"
#include "app/source/source_catalog.h"

namespace patra::app {

class Sources final : public SourceLibrary {
 public:
  // With `secrets`, Check looks whether the credentials that are set are long enough.
  Sources(DefinitionFiles& files, std::string folder, Secrets* secrets = nullptr)
      : files_(files), folder_(std::move(folder)), secrets_(secrets) {}

  Result<std::vector<SourceSummary>> List() override;

  Result<SourceCheck> Check(const std::optional<std::string>& source) override;

  Result<CompiledReport> Compile(const std::string& target,
                                 const std::vector<std::string>& overrides) override;

  Result<std::vector<ExchangeReport>> Test(const std::string& source) override;
  Result<std::string> ReadDefinition(const std::string& source) override;
  Result<DerivedSource> Derive(const std::string& base, const std::string& url,
                               bool may_write) override;
  Result<void> CheckName(const std::string& name) override;
  std::string Schema() override;
  std::string Guide() override;

 private:
  DefinitionFiles& files_;
  const std::string folder_;
  Secrets* const secrets_;
};

}  // namespace patra::app
