// Progress on standard error: a live bar on a terminal, a plain line now and then elsewhere.
#pragma once

#include <optional>
#include <string>

#include "adapter/cli/console.h"
#include "base/clock.h"

namespace patra::adapter::cli {

class ProgressBar {
 public:
  ProgressBar(const Console& console, const Clock& clock) : console_(console), clock_(clock) {}
  ~ProgressBar() { Finish(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // `total` may be 0 where nobody knows it.
  void Show(const std::string& title, std::int64_t done, std::int64_t total,
            const std::string& details);
  void
  Finish();  // shows what was held back, and ends the line, so that what follows starts on its own

 private:
  bool IsLive() const;
  void Print();

  const Console& console_;
  const Clock& clock_;
  std::optional<Duration> shown_at_;
  std::string title_;
  std::string newest_;  // empty once it was shown
};

}  // namespace patra::adapter::cli
