#pragma once

#include "app/port/definition_files.h"

namespace patra::infra::definitions {

// Definitions in YAML files. Stateless, so threads may share it.
class YamlFiles final : public app::DefinitionFiles {
 public:
  Result<std::vector<app::DefinitionFile>> ReadFolder(const std::string& folder) override;
  Result<app::DefinitionFile> ReadFile(const std::string& path) override;
  // Of a regular file, and no more of it than one byte over the limit that ParseYaml names.
  Result<std::string> ReadText(const std::string& path) override;
  app::DefinitionFile Parse(const std::string& text, const std::string& path) override;
  Result<void> Write(const std::string& path, const std::string& text) override;
  // In the order of its members.
  std::string Print(const domain::DefinitionNode& tree) override;
};

// One YAML document. `file` is what places say. A problem in it is reported in the result; the
// rest of the tree is there.
app::DefinitionFile ParseYaml(const std::string& text, const std::string& file);

}  // namespace patra::infra::definitions
