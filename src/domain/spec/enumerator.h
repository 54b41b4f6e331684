// How the candidates of a plan are found, be they records, ids or pages. Decided here, of the compiled definition and nowhere else;
// planner, walk and reader of pages act on the decision.
#pragma once

#include "domain/spec/spec_snapshot.h"
#include "domain/word/codes.h"

namespace patra::domain {

enum class Enumerator {
  kSearchByDateRange,  // the provider filters by time and counts what it has
  kScanByCursor,  // nobody but we know the window, or there is none: lists are read from their beginning
  kTwoPhase,     // pages list ids, whose records are fetched after
  kNoCount,      // the provider filters by time and does not count: the end of the walk has to tell
  kExistingSet,  // what is stored is asked for once more by its ids
};
constexpr auto CodesOf(Enumerator) {
  using enum Enumerator;
  return std::to_array<Coded<Enumerator>>({{kSearchByDateRange, "SearchByDateRange"},
                                           {kScanByCursor, "ScanByCursor"},
                                           {kTwoPhase, "TwoPhase"},
                                           {kNoCount, "NoCount"},
                                           {kExistingSet, "ExistingSet"}});
}

struct Enumeration {
  Enumerator kind = Enumerator::kSearchByDateRange;
  // What holds of the list of any kind: that of TWO_PHASE may be searched as well as scanned.
  bool gives_ids = false;         // records come by their ids, in a second phase
  bool knows_time = true;         // the list is cut by time; else every harvest reads all of it
  bool is_filtered_here = false;  // the window is kept to by us
  bool is_counted = false;        // an exact total says how many there are

  friend bool operator==(const Enumeration&, const Enumeration&) = default;
};

Enumeration EnumerationOf(const SpecSnapshot& spec);

// Whether the provider hears where a window ends, so that a smaller one is a smaller list. Where it does not, every slice would
// read on to the newest record, or the whole list.
bool IsCutByTime(const SpecSnapshot& spec);

}  // namespace patra::domain
