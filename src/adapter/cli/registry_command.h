// `patra registry`: definitions in YAML on one side, in tables on the other.
#pragma once

#include <optional>
#include <string>

#include "adapter/cli/console.h"
#include "app/api/registry_moves.h"

namespace patra::adapter::cli {

struct RegistryCommand {
  std::optional<std::string> moment{};  // of apply and export; none: the present
  std::string folder{};                 // of export; empty: to standard output
};

int RunRegistryApply(const RegistryCommand& command, app::RegistryMoves& registry,
                     const Console& console);
int RunRegistryDiff(const RegistryCommand& command, app::RegistryMoves& registry,
                    const Console& console);
int RunRegistryPromote(const RegistryCommand& command, app::RegistryMoves& registry,
                       const Console& console);
int RunRegistryDrop(const RegistryCommand& command, app::RegistryMoves& registry,
                    const Console& console);
int RunRegistryExport(const RegistryCommand& command, app::RegistryMoves& registry,
                      const Console& console);

}  // namespace patra::adapter::cli
