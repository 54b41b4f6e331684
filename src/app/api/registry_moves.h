// Definitions on their way between files and the store's registry.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace patra::app {

struct RegistryReport {
  std::vector<Error> problems{};       // of the definitions: then nothing is applied
  std::vector<std::string> changes{};  // field by field
};

struct ExportedDefinition {
  std::string name;  // of the source; with folders, what is none
  std::string text;
};

// One source, for planners elsewhere.
struct RegisteredDefinition {
  std::string version;             // what to name when it is asked for again
  std::string text{};              // empty: there is no such source
  std::optional<Instant> until{};  // another may be valid from here on
};

// A code that definitions may use, and what other systems call it.
struct DictionaryCode {
  std::string type;
  std::string code;
  bool is_enabled = true;
  std::vector<std::string> aliases{};
};

// Moments are texts, such as 2026-01-31 or -7d; none: the present.
class RegistryMoves {
 public:
  virtual ~RegistryMoves() = default;

  // All of the folder's definitions or none, from that moment on. Where the store is opened for a release they are applied for it:
  // what differs from what everybody has, and not the dictionary of query fields.
  virtual Result<RegistryReport> Apply(const std::optional<std::string>& from) = 0;
  virtual Result<RegistryReport> Compare() = 0;
  // What the release has of its own becomes everybody's, or is taken back.
  virtual Result<RegistryReport> Promote() = 0;
  virtual Result<RegistryReport> Drop() = 0;
  // The source as it is valid now; nothing where it still is what the known version says.
  virtual Result<std::optional<RegisteredDefinition>> Find(const std::string& source,
                                                           const std::string& known_version) = 0;
  virtual Result<std::vector<DictionaryCode>> Codes() = 0;
  // Each source that is valid at that moment, and the dictionary of query fields.
  virtual Result<std::vector<ExportedDefinition>> Export(const std::optional<std::string>& at) = 0;
};

}  // namespace patra::app
