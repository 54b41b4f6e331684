// `patra fuse`: what has stopped for good, over what, and who let it go on.
#pragma once

#include <string>

#include "adapter/cli/console.h"
#include "app/api/holds.h"

namespace patra::adapter::cli {

struct FuseListing {
  std::string target{};  // SOURCE or SOURCE/ENDPOINT; empty: any
  domain::FuseFilter filter{};
  bool as_json = false;
};

struct FuseReset {
  std::string target{};  // SOURCE or SOURCE/ENDPOINT
  std::string reason{};
};

int RunFuseList(const FuseListing& listing, app::Holds& holds, const Console& console);
// The newest one of the target with all that is known of it, and what became of those before.
int RunFuseShow(const FuseListing& listing, app::Holds& holds, const Console& console);
int RunFuseReset(const FuseReset& reset, app::Holds& holds, const domain::Actor& actor,
                 const Console& console);

}  // namespace patra::adapter::cli
