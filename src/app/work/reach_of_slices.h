// How far slices are whose totals are announced: what each of those that are not over adds to a sum at present.
#pragma once

#include <map>

#include "app/api/work_report.h"
#include "app/execute/run_report.h"
#include "base/id.h"

namespace patra::app {

// One thread at a time.
class ReachOfSlices {
 public:
  void Note(Id slice, const BatchReport& batch, SlicesReached& sum);

  // What smaller slices take over is received anew; of one that proved a part itself, they have the rest.
  void Cut(Id slice, bool keeps_part, SlicesReached& sum);

 private:
  std::map<Id, SlicesReached> slices_;
};

}  // namespace patra::app
