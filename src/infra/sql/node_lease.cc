#include "infra/sql/node_lease.h"

#include "base/process_name.h"
#include "infra/sql/node_table.h"

namespace patra::infra::sql {
namespace {

// Longer than any command that shows no sign of life.
constexpr Duration kLease = std::chrono::hours(1);

// Ids may run ahead of the clock a little.
constexpr Duration kStillAhead = std::chrono::seconds(1);

}  // namespace

NodeLease::~NodeLease() {
  if (number_ == node_table::kForLooking) return;
  // Where it fails, the lease runs out by itself.
  (void)database_
      .Write([&](Session& session) {
        return node_table::HoldUntil(session, number_, owner_, clock_.Now() + kStillAhead);
      })
      .has_value();
}

Result<void> NodeLease::Take() {
  owner_ = NewProcessName(clock_);
  number_ = PATRA_TRY(database_.Write([&](Session& session) {
    const auto now = clock_.Now();
    return node_table::Take(session, owner_, now + kLease, now);
  }));
  return {};
}

Result<void> NodeLease::Renew(Session& session) const {
  if (number_ == node_table::kForLooking) return {};
  if (PATRA_TRY(node_table::HoldUntil(session, number_, owner_, clock_.Now() + kLease))) return {};
  return Fail(ErrorCode::kLeaseLost,
              "this process slept so long that another makes ids in its place", {},
              "start it again; nothing is lost");
}

}  // namespace patra::infra::sql
