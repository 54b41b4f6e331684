// A page that fails for good is asked for in smaller and smaller parts, until what cannot be had stands alone; the
// rest goes on.
#pragma once

#include "app/execute/fetch_page.h"
#include "domain/walk/position.h"

namespace patra::app {

class TakeApart {
 public:
  TakeApart(FetchPage& fetch, const Clock& clock) : fetch_(fetch), clock_(clock) {}

  // The page at `at` put together again: the records that could be had, and for each that could not, one bad record
  // with the answer's bytes, or with the request where no answer came. `why` itself where no part of the page
  // works: then it is not the records. kParked where the gate lets nobody in for longer than a worker should wait.
  Result<Fetched> Run(FetchScope scope, const domain::Position& at, const NoPage& why,
                      int batch_no);

 private:
  FetchPage& fetch_;
  const Clock& clock_;
};

}  // namespace patra::app
