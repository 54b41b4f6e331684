// `patra source`: looks at definitions, checks them, tries them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "adapter/cli/console.h"
#include "app/api/holds.h"
#include "app/api/operations.h"
#include "app/api/source_library.h"

namespace patra::adapter::cli {

struct SourceCommand {
  std::string target{};  // SOURCE or SOURCE/ENDPOINT; empty: all
  std::vector<std::string> overrides{};
  bool compiled = false;
  bool as_json = false;      // of list and check
  bool as_markdown = false;  // of schema
  std::string file{};        // of init
  std::string url{};         // of init: whose answer it is guessed from
};

int RunSourceList(const SourceCommand& command, app::SourceLibrary& library,
                  const Console& console);
int RunSourceShow(const SourceCommand& command, app::SourceLibrary& library,
                  const Console& console);
int RunSourceCheck(const SourceCommand& command, app::SourceLibrary& library,
                   const Console& console);
int RunSourceTest(const SourceCommand& command, app::SourceLibrary& library,
                  const Console& console);
int RunSourceInit(const SourceCommand& command, app::SourceLibrary& library,
                  const Console& console);
// The same, guessed from the answer of an address.
int RunSourcePropose(const SourceCommand& command, app::Operations& engine, const Console& console);
int RunSourceSchema(const SourceCommand& command, app::SourceLibrary& library,
                    const Console& console);
int RunSourcePause(const app::PauseRequest& request, app::Holds& holds, const domain::Actor& actor,
                   const Console& console);
int RunSourceResume(const app::PauseRequest& request, app::Holds& holds, const domain::Actor& actor,
                    const Console& console);

// The commented definition that `init` writes.
std::string SourceSkeleton(const std::string& source);

}  // namespace patra::adapter::cli
