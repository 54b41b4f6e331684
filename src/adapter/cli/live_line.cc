#include "adapter/cli/live_line.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/columns.h"
#include "adapter/cli/steps.h"

namespace patra::adapter::cli {

void LiveLine::Show(const std::string& text) {
  const std::lock_guard lock(mutex_);
  text_ = text;
  Draw();
}

void LiveLine::PrintAbove(std::string_view line) {
  const std::lock_guard lock(mutex_);
  auto& terminal = console_.live != nullptr ? *console_.live : console_.err;
  if (!text_.empty()) fmt::print(terminal, "\r\x1b[K");
  fmt::print(terminal, "{}\n", line);
  if (!text_.empty()) Draw();
  terminal.flush();
}

void LiveLine::End() {
  const std::lock_guard lock(mutex_);
  auto& terminal = console_.live != nullptr ? *console_.live : console_.err;
  if (!text_.empty()) fmt::print(terminal, "\n");
  terminal.flush();
  text_.clear();
}

// The last column stays free: a terminal may go to the next line when it is written.
void LiveLine::Draw() {
  auto& terminal = console_.live != nullptr ? *console_.live : console_.err;
  const auto columns = console_.ErrColumns();
  fmt::print(terminal, "\r\x1b[K{}", FirstColumns(text_, columns > 1 ? columns - 1 : 1));
  terminal.flush();
}

LogRequest LogFor(const Globals& globals, const Console& console) {
  LogRequest log{.level = globals.log_level,
                 .as_text = globals.log_format == "text" ||
                            (globals.log_format != "json" && console.err_is_terminal),
                 .color = console.color && console.err_is_terminal,
                 .wording = Typed};
  if (console.err_is_terminal && console.line != nullptr)
    log.print = [line = console.line](std::string_view text) { line->PrintAbove(text); };
  return log;
}

}  // namespace patra::adapter::cli
