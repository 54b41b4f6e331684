// From a definition to the Spec Snapshot of one endpoint: merge, normalise, check, freeze. Pure, and
// all problems come at once.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "domain/spec/code_dictionary.h"
#include "domain/spec/definition.h"
#include "domain/spec/lifecycle.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/word/operation.h"

namespace patra::domain {

// A file against the grammar, and merged over the definition that it extends (null: none).
struct CheckedDefinition {
  DefinitionNode tree;
  std::vector<Error> problems;

  std::string source() const;
  bool is_abstract() const;
  std::vector<std::string> endpoints() const;
};
Lifecycle LifecycleOf(const DefinitionNode& definition);

CheckedDefinition CheckDefinition(const DefinitionNode& file, const DefinitionNode* extended);

struct CompileRequest {
  const DefinitionNode& definition;  // checked
  std::string endpoint;
  Operation operation = Operation::kHarvest;
  DefinitionNode trigger = DefinitionNode::Map();  // what this one call wants otherwise, checked
  const CodeDictionary* dictionary = nullptr;  // of the store; null: what the grammar knows is fine
};

// Where one value came from.
struct Origin {
  std::string path;  // "window.safety_lag"
  std::string text;
  Layer layer = Layer::kPlatform;
  Place place{};
};

struct CompiledDefinition {
  SpecSnapshot spec;
  std::vector<Origin> origins{};
  std::vector<Error> warnings{};
};

std::expected<CompiledDefinition, std::vector<Error>> CompileSource(const CompileRequest& request);

// "http.base_url=https://…" as a tree, for the trigger's level.
Result<DefinitionNode> ParseOverride(std::string_view assignment);

}  // namespace patra::domain
