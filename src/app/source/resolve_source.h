// From what a command names to what a plan freezes: which source, which endpoint, with which wishes of its
// own. Reads definitions as the registry holds them, and nothing else.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/api/plan_request.h"
#include "app/port/definition_files.h"
#include "app/port/registry.h"
#include "base/result.h"
#include "domain/spec/compile_source.h"
#include "domain/spec/definition.h"
#include "domain/spec/spec_snapshot.h"
#include "domain/word/operation.h"
#include "domain/word/source_target.h"

namespace patra::app {

struct ResolvedSource {
  domain::SpecSnapshot spec;
  std::string
      found_by;  // how the endpoint was found: EXPLICIT, MAPPING, CAPABILITY or ONLY_ENDPOINT
  std::vector<std::string> warnings{};
  // What the definition makes of records at present, for each operation: whatever else wrote a record,
  // it was an older definition.
  std::vector<std::string> prototypes{};
  std::vector<domain::Origin> origins{};  // of the values of `spec`
  Duration took{};                        // from the trigger on, where somebody asks
  domain::Lifecycle lifecycle = domain::Lifecycle::kActive;
};

// What there is beside the definitions.
struct ResolveScene {
  std::vector<std::string> others{};                      // names of further sources
  std::shared_ptr<const domain::CodeDictionary> codes{};  // null: what the grammar knows is fine
};

// All that is wrong comes at once.
std::expected<ResolvedSource, std::vector<Error>> ResolveSource(
    const std::vector<domain::DefinitionNode>& definitions, const ResolveRequest& request,
    const ResolveScene& scene = {});

// A retired source is asked for nothing more, though what was planned goes on.
std::optional<Error> WhyRetired(const std::string& source, const ResolvedSource& resolved);

// The endpoint that is meant where a command names none; of several that may be, all.
std::vector<std::string> EndpointsMeant(const domain::DefinitionNode& definition,
                                        domain::Operation operation);

// An error, with what may be meant, where there is no such source or endpoint.
Result<void> CheckTarget(const std::vector<domain::DefinitionNode>& definitions,
                         const domain::SourceTarget& target);

// The wishes of one command as a tree for the trigger's level. Those for other sources are left out; what
// the grammar refuses is added to `problems`.
domain::DefinitionNode OverridesFor(const std::string& source,
                                    const std::vector<std::string>& overrides,
                                    std::vector<Error>& problems);

// Makes the registry say what the folder's definitions say, where they differ. What has problems is left out: a whole definition,
// or some of its endpoints. A folder that does not exist has no definitions.
struct RegistrySync {
  std::vector<std::string> changes{};
  // What applying would have changed, where whoever we are may read the registry and not write it.
  std::vector<std::string> not_applied{};
  std::vector<Error> problems{};  // that keep the request from being answered
  std::vector<Error> left_out{};  // of other sources
  std::vector<domain::DefinitionNode>
      definitions{};  // of the folder, with the places of their values
  ResolveScene scene{};
};
Result<RegistrySync> SyncRegistry(Registry& registry, DefinitionFiles& files,
                                  const std::string& folder, const ResolveRequest& request,
                                  Instant now);

// For whoever plans by the registry all the same: what it lacks of the folder.
std::vector<std::string> WarningsOf(const RegistrySync& sync);

// The same without writing anything: the definitions are those of the folder in place of stored ones of the same source.
Result<RegistrySync> WithFolder(std::vector<domain::DefinitionNode> stored, DefinitionFiles& files,
                                const std::string& folder, const ResolveRequest& request);

// Who does not find a source hears what is wrong with those that were left out: it may be among them.
void AddLeftOut(std::vector<Error>& problems, const std::vector<Error>& left_out);

}  // namespace patra::app
