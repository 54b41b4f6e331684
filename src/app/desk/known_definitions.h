// The definitions that a command may mean: the registry's, and those of the folder in their place where they are sound.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/desk/desk_ports.h"
#include "app/source/resolve_source.h"
#include "app/source/source_catalog.h"

namespace patra::app {

class KnownDefinitions {
 public:
  explicit KnownDefinitions(const DeskPorts& ports)
      : registry_(ports.registry == nullptr ? ports.store.registry() : *ports.registry),
        files_(ports.files),
        folder_(ports.sources_folder),
        clock_(ports.clock) {}

  Result<std::vector<domain::DefinitionNode>> All() { return PATRA_TRY(Known()).definitions; }

  // An error, with what may be meant, where there is no such source or endpoint; where it stands in the folder and has a mistake,
  // that is the error.
  Result<void> CheckTarget(const domain::SourceTarget& target);

 private:
  // With what is wrong with those of the folder that are not among them.
  Result<RegistrySync> Known() {
    return WithFolder(PATRA_TRY(registry_.Export(clock_.Now())), files_, folder_, {});
  }

  Registry& registry_;
  DefinitionFiles& files_;
  const std::string folder_;
  Clock& clock_;
};

// Of what is about one endpoint.
Result<std::pair<std::string, std::string>> EndpointOf(const std::string& target);

}  // namespace patra::app
