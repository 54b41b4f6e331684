// The last line of a terminal, which is written again and again while a command goes on; other lines go above it.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "adapter/cli/console.h"
#include "adapter/cli/global_options.h"

namespace patra::adapter::cli {

// Thread-safe: whoever logs and whoever shows progress are different threads.
class LiveLine {
 public:
  explicit LiveLine(const Console& console) : console_(console) {}
  ~LiveLine() { End(); }
  LiveLine(const LiveLine&) = delete;
  LiveLine& operator=(const LiveLine&) = delete;

  // In place of what stands there, cut to the width that the terminal has at this moment.
  void Show(const std::string& text);
  // A line of its own, above.
  void PrintAbove(std::string_view line);
  // What follows starts on its own line.
  void End();

 private:
  void Draw();

  const Console& console_;
  std::mutex mutex_;
  std::string text_;  // empty: there is none
};

// How an engine logs for this command: for people above the live line, for machines to standard error.
LogRequest LogFor(const Globals& globals, const Console& console);

}  // namespace patra::adapter::cli
