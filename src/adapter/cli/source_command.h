// `patra source`: looks at definitions, checks them, tries them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "adapter/cli/console.h"
#include "adapter/cli/source_services.h"

namespace patra::adapter::cli {

struct SourceCommand {
  std::string folder{};
  std::string target{};  // SOURCE or SOURCE/ENDPOINT; empty: all
  std::vector<std::string> overrides{};
  bool compiled = false;
  std::string file{};  // of init
};

int RunSourceList(const SourceCommand& command, SourceServices& services, const Console& console);
int RunSourceShow(const SourceCommand& command, SourceServices& services, const Console& console);
int RunSourceCheck(const SourceCommand& command, SourceServices& services, const Console& console);
int RunSourceTest(const SourceCommand& command, SourceServices& services, const Console& console);
int RunSourceInit(const SourceCommand& command, const Console& console);
int RunSourceSchema(SourceServices& services, const Console& console);
int RunSourcePause(const PauseRequest& request, SourceServices& services, const Console& console);
int RunSourceResume(const PauseRequest& request, SourceServices& services, const Console& console);

// The commented definition that `init` writes.
std::string SourceSkeleton(const std::string& source);

}  // namespace patra::adapter::cli
