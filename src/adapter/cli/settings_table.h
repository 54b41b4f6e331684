#pragma once

#include <string_view>

#include "adapter/cli/console.h"
#include "app/api/settings_report.h"

namespace patra::adapter::cli {

// Every setting of a section with its default and meaning; the exit code says whether the configuration is right.
int PrintSettings(const app::SettingsReport& report, std::string_view section, bool as_json,
                  const Console& console);

}  // namespace patra::adapter::cli
