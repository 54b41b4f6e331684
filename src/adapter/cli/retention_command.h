// `patra db archive`, `gc` and `forget`: what leaves a store.
#pragma once

#include <string>

#include "adapter/cli/console.h"
#include "adapter/cli/services.h"
#include "app/api/retention.h"

namespace patra::adapter::cli {

struct ArchiveCommand {
  std::string older_than{};  // empty: as the configuration says
  bool as_json = false;
};
int RunDbArchive(const ArchiveCommand& command, app::Retention& retention, const Services& services,
                 const Console& console);

struct CollectCommand {
  bool is_dry_run = false;
  bool as_json = false;
};
struct ForgetCommand {
  std::string source;
  std::string reason;
  bool as_json = false;
};
int RunDbForget(const ForgetCommand& command, app::Retention& retention, const Services& services,
                const Console& console);

int RunDbGc(const CollectCommand& command, app::Retention& retention, const Services& services,
            const Console& console);

}  // namespace patra::adapter::cli
