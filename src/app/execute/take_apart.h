// A page that fails for good is asked for in smaller and smaller parts, until what cannot be had stands alone; the
// rest goes on (architecture §8, "Poison").
#pragma once

#include "app/execute/fetch_page.h"
#include "domain/walk/position.h"

namespace patra::app {

class TakeApart {
 public:
  explicit TakeApart(FetchPage& fetch) : fetch_(fetch) {}

  // The page at `at` put together again: the records that could be had, and for each that could not, one bad record
  // with the answer's bytes, or with the request where no answer came. `why` itself where no part of the page
  // works: then it is not the records. A page that had its chances is taken apart to the end; for one that may only
  // share the provider's trouble (kParked), one of its first parts has to work.
  Result<Fetched> Run(FetchScope scope, const domain::Position& at, const NoPage& why,
                      int batch_no);

 private:
  FetchPage& fetch_;
};

}  // namespace patra::app
