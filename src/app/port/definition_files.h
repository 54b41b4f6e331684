// Source definitions where people keep them.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "domain/spec/definition.h"

namespace patra::app {

struct DefinitionFile {
  std::string path;
  domain::DefinitionNode tree{};
  std::vector<Error> problems{};  // what keeps it from being read, or parts of it: repeated keys
};

class DefinitionFiles {
 public:
  virtual ~DefinitionFiles() = default;

  // All definitions of a folder, by name.
  virtual Result<std::vector<DefinitionFile>> ReadFolder(const std::string& folder) = 0;

  virtual Result<DefinitionFile> ReadFile(const std::string& path) = 0;

  // As people wrote it.
  virtual Result<std::string> ReadText(const std::string& path) = 0;

  // A text that is in no file yet, as if it were in that one.
  virtual DefinitionFile Parse(const std::string& text, const std::string& path) = 0;

  // The file as a whole, in place of what was there; its folder is made if need be.
  virtual Result<void> Write(const std::string& path, const std::string& text) = 0;

  // A definition as people would write it.
  virtual std::string Print(const domain::DefinitionNode& tree) = 0;
};

}  // namespace patra::app
