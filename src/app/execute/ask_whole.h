// What is announced for a slice that was cut, once all of its parts were read.
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

  // By the first page of it, of which nothing is stored. Or why nobody knows.
  Result<std::variant<std::int64_t, NoPage>> Run(SliceRun& run, const ShortWhole& whole) const;

 private:
  FetchPage& fetch_;
  Log& log_;
};

}  // namespace patra::app
