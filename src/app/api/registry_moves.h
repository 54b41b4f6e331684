// Definitions on their way between files and the store's registry.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace patra::app {

struct RegistryReport {
  std::vector<Error> problems{};       // of the definitions: then nothing is applied
  std::vector<std::string> changes{};  // field by field
};

struct ExportedDefinition {
  std::string name;  // of the source; with folders, what is none
  std::string text;
};

// Moments are texts, such as 2026-01-31 or -7d; none: the present.
class RegistryMoves {
 public:
  virtual ~RegistryMoves() = default;

  // All of the folder's definitions or none, from that moment on.
  virtual Result<RegistryReport> Apply(const std::optional<std::string>& from) = 0;
  virtual Result<RegistryReport> Compare() = 0;
  // Each source that is valid at that moment, and the dictionary of query fields.
  virtual Result<std::vector<ExportedDefinition>> Export(const std::optional<std::string>& at) = 0;
};

}  // namespace patra::app
