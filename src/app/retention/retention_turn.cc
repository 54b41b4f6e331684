#include "app/retention/retention_turn.h"

#include <utility>

namespace patra::app {
namespace {

constexpr const char* kRetentionDuty = "retention";
// Longer than anything between two looks at it takes: the largest file, written and read back on a slow disk.
constexpr Duration kTurnMost = std::chrono::minutes(10);

}  // namespace

Result<RetentionTurn> RetentionTurn::Take(DutyRoster& duties, const Clock& clock,
                                          const std::string& owner) {
  RetentionTurn turn(duties, clock, owner);
  if (PATRA_TRY(turn.TakeUntil(clock.Now() + kTurnMost))) return turn;
  turn.duties_ = nullptr;
  return Fail(ErrorCode::kConflict, "another process archives or deletes old rows of this store",
              {}, "try again when it is done; of one that died, ten minutes later");
}

RetentionTurn::RetentionTurn(RetentionTurn&& other) noexcept
    : duties_(std::exchange(other.duties_, nullptr)),
      clock_(other.clock_),
      owner_(std::move(other.owner_)) {}

// Where that fails, others wait for a while.
RetentionTurn::~RetentionTurn() {
  if (duties_ != nullptr) (void)TakeUntil(clock_->Now()).has_value();
}

Result<bool> RetentionTurn::TakeUntil(Instant until) {
  return duties_->Take(kRetentionDuty, owner_, until);
}

Result<void> RetentionTurn::Keep() {
  if (PATRA_TRY(TakeUntil(clock_->Now() + kTurnMost))) return {};
  return Fail(ErrorCode::kLeaseLost, "another process has begun to archive this store", {},
              "what is done stays done; it goes on with the rest");
}

}  // namespace patra::app
