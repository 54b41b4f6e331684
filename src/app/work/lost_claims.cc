#include "app/work/lost_claims.h"

namespace patra::app {

void TellLostClaims(TaskQueue& queue, Log* log) {
  const auto lost = queue.TakeLostClaims();
  if (lost > 0 && log != nullptr)
    log->Write(LogLevel::kDebug, "task.claim_lost", {}, {{"claims", lost}});
}

}  // namespace patra::app
