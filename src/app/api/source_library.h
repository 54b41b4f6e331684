// What can be asked about the definitions of a folder, without any store.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/api/source_reports.h"
#include "base/result.h"

namespace patra::app {

class SourceLibrary {
 public:
  virtual ~SourceLibrary() = default;

  virtual Result<std::vector<SourceSummary>> List() = 0;
  // One source, or all.
  virtual Result<SourceCheck> Check(const std::optional<std::string>& source) = 0;
  // `target` is SOURCE or SOURCE/ENDPOINT; of a source without an endpoint, the first is taken. `overrides` are
  // PATH=VALUE. What keeps the definition from being compiled is in the report.
  virtual Result<CompiledReport> Compile(const std::string& target,
                                         const std::vector<std::string>& overrides) = 0;
  // Runs the exchanges that are saved beside the definitions.
  virtual Result<std::vector<ExchangeReport>> Test(const std::string& source) = 0;
  virtual Result<std::string> ReadDefinition(const std::string& source) = 0;
  // The source of the kind `base` (one that others extend) at that address: the one that is there, or a new definition beside
  // the others, which is only written where `may_write` says so.
  virtual Result<DerivedSource> Derive(const std::string& base, const std::string& url,
                                       bool may_write) = 0;
  // Whether a source may have that name.
  virtual Result<void> CheckName(const std::string& name) = 0;
  // The JSON Schema of a definition.
  virtual std::string Schema() = 0;
  // All that a definition can say, in Markdown.
  virtual std::string Guide() = 0;
};

}  // namespace patra::app
