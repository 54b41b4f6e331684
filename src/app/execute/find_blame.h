// Whose trouble it is when a page does not come, or not as it should: the page's, its slice's, or the provider's.
//
// A provider that is down is left in peace; a page that fails while everything else works is taken apart, and its slice is
// cut. An open breaker hides which of the two it is, so something else is asked for before anybody is blamed.
#pragma once

#include <vector>

#include "app/execute/execute_policy.h"
#include "app/execute/execute_ports.h"
#include "app/execute/fetch_page.h"
#include "app/execute/slice_run.h"
#include "app/execute/take_apart.h"
#include "domain/heal/changed_response.h"

namespace patra::app {

// Thread-safe, where no two threads work on the same run.
class FindBlame {
 public:
  FindBlame(FetchPage& fetch, const ExecutePorts& ports, const ExecutePolicy& policy)
      : fetch_(fetch), ports_(ports), policy_(policy), take_apart_(fetch, ports.clock) {}

  // A place in the run's slice, or in another one.
  struct Question {
    domain::SliceSpec slice;
    Position at;
  };

  // What to do about the page at the run's position that did not come. Where the trouble is this page's: the page without what
  // cannot be had, or `run.reslice`. Else why there is none.
  Result<Fetched> RescuePage(SliceRun& run, const NoPage& why);

  // Whether the breaker is open over what this run does, and that again and again. The page that an earlier run ended
  // with may be what opened it: then the one request that a breaker lets through after its pause is better spent on
  // something else.
  bool IsStuckAtBreaker(const SliceRun& run, const NoPage& why) const;

  // What the last run ended with, where this one would only be stuck at the same breaker: nothing was asked yet.
  BrokenOff BreakerOfLastRun(const SliceRun& run) const;

  // A page whose records fail all alike is one piece of news: the provider answers in another shape.
  // REQUIRES: no fetch is under way
  BrokenOff WhyChanged(SliceRun& run, const FetchedPage& page,
                       const domain::RecordPaths& paths) const;

  // `why` still holds, and there is more trouble: not before both have had their time.
  NoPage Postpone(const NoPage& why, const NoPage& trouble) const;

 private:
  // Nobody vouches for windows wider than the definition's: whether a provider that refuses one answers for as much as it
  // says.
  Result<bool> AnswersForLess(SliceRun& run);
  // The first page that comes of these, or why the last one does not.
  Result<Fetched> AskBeside(SliceRun& run, const std::vector<Question>& questions);
  // What asking for something else came to: anything but a page means that it is the provider's trouble.
  Result<Fetched> AskForSomethingElse(SliceRun& run);
  // The provider is well, and this page does not come.
  Result<Fetched> BlamePage(SliceRun& run, NoPage own, bool has_parts, bool can_cut);

  FetchPage& fetch_;
  const ExecutePorts& ports_;
  const ExecutePolicy& policy_;
  TakeApart take_apart_;
};

}  // namespace patra::app
