#include "adapter/cli/config_command.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/table.h"

namespace patra::adapter::cli {
namespace {

// An address with a password in it is refused where it is used; here it is shown, to whoever looks.
std::string WithoutPassword(const std::string& value) {
  const auto scheme = value.find("://");
  const auto at = value.rfind('@');
  if (scheme == std::string::npos || at == std::string::npos) return value;
  const auto colon = value.find(':', scheme + 3);
  if (colon == std::string::npos || colon > at) return value;
  return value.substr(0, colon + 1) + "***" + value.substr(at);
}

Result<int> Show(const GlobalOptions& globals, bool as_json, Services& services,
                 const Console& console) {
  const auto outside = PATRA_TRY(globals.Report(services));
  Table table({"setting", "value", "from"});
  const auto add = [&](const std::string& section, const app::SettingsReport& report) {
    for (const auto& setting : report.settings) {
      const auto name = section.empty() ? setting.name : section + "." + setting.name;
      const auto origin = setting.origin.empty() ? "default" : setting.origin;
      if (as_json) {
        PrintJsonLine(console, Value::Object{{"name", name},
                                             {"value", WithoutPassword(setting.value)},
                                             {"default", setting.usual},
                                             {"from", origin},
                                             {"meaning", setting.doc}});
      } else {
        table.Add({name, setting.value.empty() ? "-" : WithoutPassword(setting.value), origin});
      }
    }
  };
  add("", outside);
  for (const std::string section : {"plan", "heal", "gate", "work", "service", "retention"})
    add(section, PATRA_TRY(globals.Report(services, section)));
  if (!as_json) {
    fmt::print(console.out, "{}", table.Print(console));
    if (!console.quiet)
      fmt::print(console.err, "{}\n",
                 outside.configuration.empty()
                     ? "there is no patra.yaml here; `patra init` makes one"
                     : "the configuration is " + outside.configuration);
  }
  for (const auto& problem : outside.problems) Report(console, problem);
  return outside.problems.empty() ? kComplete : kInvalidConfiguration;
}

}  // namespace

int RunConfigShow(const GlobalOptions& globals, bool as_json, Services& services,
                  const Console& console) {
  return PrintError(console, Show(globals, as_json, services, console));
}

}  // namespace patra::adapter::cli
