// `patra registry`: definitions in YAML on one side, in tables on the other.
#pragma once

#include <string>

#include "adapter/cli/console.h"
#include "adapter/cli/source_services.h"

namespace patra::adapter::cli {

struct RegistryCommand {
  RegistryRequest request{};
  std::string folder{};  // of export; empty: to standard output
};

int RunRegistryApply(const RegistryCommand& command, SourceServices& services,
                     const Console& console);
int RunRegistryDiff(const RegistryCommand& command, SourceServices& services,
                    const Console& console);
int RunRegistryExport(const RegistryCommand& command, SourceServices& services,
                      const Console& console);

}  // namespace patra::adapter::cli
