// The first phase of a run: from page to page, until the list is at its end or something speaks against going on.
//
// While a page is being committed, the next one is already on its way.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "app/execute/commit_page.h"
#include "app/execute/execute_policy.h"
#include "app/execute/execute_ports.h"
#include "app/execute/fetch_page.h"
#include "app/execute/find_blame.h"
#include "app/execute/slice_run.h"
#include "base/result.h"
#include "domain/walk/same_totals.h"
#include "domain/walk/walk.h"
#include "domain/walk/window_echo.h"

namespace patra::app {

// Thread-safe, where no two threads work on the same run. What it knows of other slices is what it saw itself: another process
// learns it from two slices of its own.
class WalkPages {
 public:
  WalkPages(FetchPage& fetch, FindBlame& blame, const CommitPage& commit, const ExecutePorts& ports,
            const ExecutePolicy& policy)
      : fetch_(fetch), blame_(blame), commit_(commit), ports_(ports), policy_(policy) {}

  // Why the run is over before its end. Else the walk is at its end and `run.doubt` has the verdict, or it proved nothing
  // before that (`run.doubt`), or the slice is to be cut (`run.reslice`).
  Result<BrokenOff> Run(SliceRun& run);

  // What a walk that came to its end is worth.
  domain::WalkVerdict Judge(const SliceRun& run) const;

 private:
  struct Reading;
  struct PageAtHand;
  // Here the list is left: because something broke the walk off, or for what the run holds by now.
  struct Leave {
    BrokenOff broken{};
  };

  Result<BrokenOff> ReadAll(Reading& reading);
  static void NoteDropped(Reading& reading);
  void Begin(Reading& reading, const Position& at, int batch_no);
  Result<void> FetchFirst(Reading& reading);
  Result<std::optional<Leave>> SecurePage(Reading& reading);
  Result<std::optional<Leave>> SeeWhetherItEnds(Reading& reading, PageAtHand& page);
  Result<bool> ReadAgain(Reading& reading, const PageAtHand& page);
  Result<std::optional<Leave>> LookBeyond(Reading& reading, PageAtHand& page);
  static Result<bool> CutByFirstPage(SliceRun& run, const PageAtHand& page);
  Result<std::optional<std::string>> WhyCutToSee(SliceRun& run);
  // Why the total of the slice may be as far as the provider counts, by what other slices announced.
  std::optional<std::string> WhyLikeOthers(const SliceRun& run);
  Result<void> ChooseNext(Reading& reading, PageAtHand& page);
  Result<std::optional<Leave>> Commit(Reading& reading, PageAtHand& page);
  Result<std::optional<Leave>> SeeWhetherToGoOn(Reading& reading, const PageAtHand& page);
  Result<void> FetchNext(Reading& reading, PageAtHand& page);

  // Pages beyond what looks like the end: the first of them, if any shows that the list goes on.
  Result<std::optional<Fetched>> GlanceBeyond(SliceRun& run, const std::vector<Position>& pages);
  // Whether the list stood still while nobody read it: the page before the pause is asked for once more. Where that
  // cannot be told, the walk goes on, and another one has to confirm it; where the provider refused the page after it,
  // nothing goes on before that is known.
  enum class Next { kRead, kRefused };
  Result<BrokenOff> LookBack(SliceRun& run, Next next);

  FetchPage& fetch_;
  FindBlame& blame_;
  const CommitPage& commit_;
  const ExecutePorts& ports_;
  const ExecutePolicy& policy_;

  std::mutex echoes_mutex_;  // guards what follows
  domain::WindowEchoes echoes_;
  domain::SameTotals totals_;
};

}  // namespace patra::app
