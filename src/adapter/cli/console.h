// Where a command writes: results to `out`, everything else to `err`.
#pragma once

#include <cstddef>
#include <functional>
#include <ostream>
#include <string_view>

#include "base/result.h"

namespace patra::adapter::cli {

class LiveLine;

struct Console {
  std::ostream& out;
  std::ostream& err;
  std::istream& in;
  bool out_is_terminal = false;
  bool err_is_terminal = false;  // live progress, colours
  bool color = false;
  bool quiet = false;
  // Past the filter that keeps terminals from obeying foreign text (PlainStream); null: there is none.
  std::ostream* live = nullptr;  // to `err`, for what moves the cursor on purpose
  std::ostream* exact =
      nullptr;  // to `out`, for bytes that were asked for as they are; never to a terminal
  // How wide the terminal is at this moment; 0 or missing: nobody knows.
  std::function<std::size_t()> out_columns{};
  std::function<std::size_t()> err_columns{};
  LiveLine* line = nullptr;  // of the command that goes on; null: there is none

  // Where nobody knows, as wide as terminals usually are.
  std::size_t OutColumns() const { return Known(out_columns); }
  std::size_t ErrColumns() const { return Known(err_columns); }

 private:
  static constexpr std::size_t kUsualColumns = 80;
  static std::size_t Known(const std::function<std::size_t()>& columns) {
    const auto known = columns ? columns() : 0;
    return known > 0 ? known : kUsualColumns;
  }
};

// Each has one meaning, and scripts may rely on it.
enum ExitCode : int {
  kComplete = 0,
  kFailed = 1,
  kUsage = 2,
  kQuarantined = 10,  // finished, with quarantined records
  kStoppedByLimit = 11,
  kTryLater = 75,
  kRefused = 77,
  kInvalidConfiguration = 78,
  kInterrupted = 130,
};

ExitCode ExitCodeOf(ErrorCode code);

// Tells a person about an error: what, where, what to do.
void Report(const Console& console, const Error& error);

// The same for an error in something the person typed: shows the text with a caret under the column.
void ReportIn(const Console& console, std::string_view expression, const Error& error);

}  // namespace patra::adapter::cli
