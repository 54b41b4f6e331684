// SIGINT and SIGTERM ask whoever works to stop after the current batch; a second one ends the process at once, which loses
// nothing either.
#pragma once

#include <signal.h>

#include <array>
#include <optional>

#include "app/port/stop_request.h"

namespace patra::boot {

class StopOnSignals {
 public:
  explicit StopOnSignals(app::StopRequest& stop);
  ~StopOnSignals();
  StopOnSignals(const StopOnSignals&) = delete;
  StopOnSignals& operator=(const StopOnSignals&) = delete;

  // The one that asked, if one did.
  static std::optional<int> Signal();
  // One that came in another way.
  static void Note(int signal);

 private:
  static constexpr auto kSignals = std::to_array({SIGINT, SIGTERM});
  std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace patra::boot
