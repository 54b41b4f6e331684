// Definitions as tables: what planners read where many machines share a store.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "domain/spec/definition.h"

namespace patra::app {

// One field that differs, "crossref/works reg_prov_retry_cfg.max_attempts: 5 → 7".
struct RegistryChange {
  std::string where;
  std::string before;  // empty: not there
  std::string after;   // empty: gone

  std::string Describe() const;
};

class Registry {
 public:
  virtual ~Registry() = default;

  // What applying the definitions would change, field by field. They went through CheckDefinition.
  virtual Result<std::vector<RegistryChange>> Diff(
      const std::vector<domain::DefinitionNode>& definitions) = 0;

  // Makes the definitions valid from `from` on, all of them or none. What is the same keeps its
  // row; what differs is closed and opened anew. Other sources stay as they are.
  virtual Result<std::vector<RegistryChange>> Apply(
      const std::vector<domain::DefinitionNode>& definitions, Instant from) = 0;

  // The definitions that are valid at that moment; applying them again changes nothing.
  virtual Result<std::vector<domain::DefinitionNode>> Export(Instant at) = 0;
};

}  // namespace patra::app
