// `patra gate`: what the rate gate remembers, and how to end a stop by hand.
#pragma once

#include <string>

#include "adapter/cli/console.h"
#include "adapter/cli/services.h"

namespace patra::adapter::cli {

int RunGateList(const std::string& database, bool as_json, Services& services,
                const Console& console);
int RunGateShow(const std::string& database, const std::string& key, bool as_json,
                Services& services, const Console& console);
int RunGateReset(const std::string& database, const std::string& key, Services& services,
                 const Console& console);

}  // namespace patra::adapter::cli
