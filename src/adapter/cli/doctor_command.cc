#include "adapter/cli/doctor_command.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"

namespace patra::adapter::cli {

int PrintCheckup(const app::CheckupLines& lines, bool as_json, const Console& console) {
  using Level = app::CheckupLine::Level;
  for (const auto& line : lines) {
    if (as_json) {
      PrintJsonLine(console, Value::Object{{"level", std::string(Name(line.level))},
                                           {"topic", line.topic},
                                           {"said", line.said},
                                           {"advice", line.advice}});
      continue;
    }
    fmt::print(console.out, "{:<6} {:<12} {}\n", Name(line.level), line.topic, line.said);
    if (!line.advice.empty()) fmt::print(console.out, "{:<19} {}\n", "", line.advice);
  }
  const auto wrong = std::ranges::count(lines, Level::kWrong, &app::CheckupLine::level);
  const auto warned = std::ranges::count(lines, Level::kWarn, &app::CheckupLine::level);
  if (!console.quiet)
    fmt::print(console.err, "{} wrong, {} to look into\n", wrong, Several(warned, "thing"));
  return wrong > 0 ? kFailed : kComplete;
}

}  // namespace patra::adapter::cli
