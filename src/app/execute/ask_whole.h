// What is announced for a slice that was cut, and for its parts, once all of these were read.
#pragma once

#include <cstdint>
#include <variant>

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

 private:
  Result<std::variant<std::int64_t, NoPage>> TotalOf(SliceRun& run,
                                                     const domain::SliceSpec& slice) const;

  FetchPage& fetch_;
  Log& log_;
};

}  // namespace patra::app
