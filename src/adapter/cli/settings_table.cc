#include "adapter/cli/settings_table.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/table.h"
#include "base/canonical_json.h"

namespace patra::adapter::cli {

int PrintSettings(const app::SettingsReport& report, std::string_view section, bool as_json,
                  const Console& console) {
  for (const auto& problem : report.problems) Report(console, problem);
  Table table({"setting", "value", "default", "meaning"});
  for (const auto& setting : report.settings) {
    if (as_json) {
      fmt::print(console.out, "{}\n",
                 CanonicalJson(Value::Object{{"name", setting.name},
                                             {"value", setting.value},
                                             {"default", setting.usual},
                                             {"meaning", setting.doc}}));
    } else {
      table.Add({setting.name, setting.value, setting.value == setting.usual ? "" : setting.usual,
                 setting.doc});
    }
  }
  if (!as_json) {
    fmt::print(console.out, "{}", table.Print(console));
    fmt::print(
        console.err, "{}\n",
        report.configuration.empty()
            ? fmt::format(
                  "no configuration: these are the defaults; set them below `{}:` in patra.yaml",
                  section)
            : "from " + report.configuration);
  }
  return report.problems.empty() ? kComplete : kInvalidConfiguration;
}

}  // namespace patra::adapter::cli
