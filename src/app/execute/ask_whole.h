// Windows that are asked for their first page only, of which nothing is stored: a slice that was cut, and its parts, for what they
// announce once all of these were read; and parts of one that shows nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "app/execute/fetch_page.h"
#include "app/execute/slice_run.h"
#include "app/port/log.h"
#include "app/port/run_ledger.h"
#include "base/result.h"

namespace patra::app {

class AskWhole {
 public:
  AskWhole(FetchPage& fetch, Log& log) : fetch_(fetch), log_(log) {}

  // What it announces, and its parts where the verdict asks for that, by first pages of which nothing is stored. Or why nobody
  // knows. REQUIRES: the parts do not fall short
  Result<std::variant<WholeAsked, NoPage>> Run(SliceRun& run, const ShortWhole& whole) const;

  // The first of these windows of the run's slice that has records, if any has; or why nobody knows.
  Result<std::variant<std::optional<domain::Window>, NoPage>> FirstWithRecords(
      SliceRun& run, const std::vector<domain::Window>& windows) const;

 private:
  Result<Fetched> FirstPageOf(SliceRun& run, const domain::SliceSpec& slice) const;
  Result<std::variant<std::int64_t, NoPage>> TotalOf(SliceRun& run,
                                                     const domain::SliceSpec& slice) const;

  FetchPage& fetch_;
  Log& log_;
};

}  // namespace patra::app
