#include "infra/gate/resting_view.h"

#include <algorithm>

#include "app/port/gate_answers.h"
#include "infra/gate/rested_state.h"

namespace patra::infra::gate {
namespace {

std::unexpected<Error> OnlyLooks() {
  return Fail(ErrorCode::kInvalidInput, "the gate of this store can only be looked at", {},
              "this user has to be able to write the folder of the store");
}

}  // namespace

Result<std::vector<app::GateStatus>> RestingView::List() {
  const auto resting = PATRA_TRY(ledger_.Resting());
  if (!resting) return std::vector<app::GateStatus>();
  const auto at = AwakeningNow(clock_);
  const auto state = WakeUp(*resting, at);
  const domain::GateTime time{at.elapsed + state.clock.ahead, at.wall};
  std::vector<app::GateStatus> list;
  for (const auto& cell : state.cells) list.push_back(app::StatusOf(cell, time));
  std::ranges::sort(list, {}, &app::GateStatus::key);
  return list;
}

Result<app::GateAnswer> RestingView::Acquire(const domain::GateTarget&, const domain::GateRules&,
                                             const domain::GateAsk&) {
  return OnlyLooks();
}

Result<domain::GateChange> RestingView::Feedback(const domain::GateTarget&,
                                                 const domain::GateRules&,
                                                 const domain::GateSignal&) {
  return OnlyLooks();
}

Result<domain::GateEstimate> RestingView::Estimate(const domain::GateTarget&,
                                                   const domain::GateRules&, Duration) {
  return OnlyLooks();
}

Result<void> RestingView::Reset(const std::string&) { return OnlyLooks(); }

}  // namespace patra::infra::gate
