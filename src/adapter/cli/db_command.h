// `patra db`: looks after the database.
#pragma once

#include <string>

#include "adapter/cli/console.h"
#include "adapter/cli/services.h"
#include "base/clock.h"

namespace patra::adapter::cli {

int RunDbMigrate(const std::string& database, Services& services, const Console& console);
int RunDbBackup(const std::string& database, const std::string& target, Services& services,
                const Console& console);
int RunDbRestore(const std::string& backup, const std::string& database, Services& services,
                 const Console& console);
int RunDbPromote(const PromotionRequest& request, bool as_json, Services& services,
                 const Clock& clock, const Console& console);
int RunDbPromoteAbandon(const std::string& database, Services& services, const Console& console);
int RunDbCheck(const std::string& database, bool as_json, Services& services,
               const Console& console);

}  // namespace patra::adapter::cli
