// The second phase of a run: the details of the ids that the first one found.
//
// A batch that fails for good is halved until the bad id stands alone; an id that the answer lacks is asked for once more,
// together with others that answers lacked where the definition says so, and then listed as bad.
//
// A batch that fails in every run may hold such an id, or the provider is down: then a record that it gave before, or any
// id that works, tells; until one does, none is given up.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/execute/commit_page.h"
#include "app/execute/execute_policy.h"
#include "app/execute/execute_ports.h"
#include "app/execute/fetch_page.h"
#include "app/execute/find_blame.h"
#include "app/execute/slice_run.h"
#include "base/result.h"

namespace patra::app {

// Thread-safe, where no two threads work on the same run.
class FetchDetails {
 public:
  FetchDetails(FetchPage& fetch, FindBlame& blame, const CommitPage& commit,
               const ExecutePorts& ports, const ExecutePolicy& policy)
      : fetch_(fetch), blame_(blame), commit_(commit), ports_(ports), policy_(policy) {}

  // Why the run is over before every id is answered or listed as bad. REQUIRES: run.spec.details
  Result<BrokenOff> Run(SliceRun& run);

 private:
  using IdBatches = std::deque<std::vector<std::string>>;
  struct Asking;
  struct Answer;
  // What becomes of ids that were asked for in vain.
  struct Failure {
    enum class Then { kAskOn, kGiveUpId, kBreakOff };
    Then then = Then::kAskOn;
    BrokenOff broken{};  // kBreakOff
  };

  Result<BrokenOff> AskForAll(Asking& asking);
  Result<void> Suspect(Asking& asking, NoPage why);
  Result<void> Refill(Asking& asking);
  void AskForLacked(Asking& asking);
  void Begin(Asking& asking, int batch_no);
  Result<Failure> FaceFailure(Asking& asking, const std::vector<std::string>& ids,
                              const NoPage& none);
  BrokenOff TakeAnswer(Asking& asking, const std::vector<std::string>& ids, Answer& answer);
  void TellUnasked(Asking& asking, const std::vector<std::string>& unasked);
  Result<std::optional<Position>> FirstOpenAfter(const Asking& asking, const Answers& answers);
  Result<std::optional<bool>> GivesKnown(SliceRun& run);

  FetchPage& fetch_;
  FindBlame& blame_;
  const CommitPage& commit_;
  const ExecutePorts& ports_;
  const ExecutePolicy& policy_;
};

}  // namespace patra::app
