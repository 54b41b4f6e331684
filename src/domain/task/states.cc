#include "domain/task/states.h"

#include <array>

#include <fmt/format.h>

namespace patra::domain {
namespace {

template <typename Status>
struct CodedState {
  Status status;
  std::string_view code;
};

constexpr auto kPlanCodes = std::to_array<CodedState<PlanStatus>>({
    {PlanStatus::kDraft, "DRAFT"},
    {PlanStatus::kSlicing, "SLICING"},
    {PlanStatus::kReady, "READY"},
    {PlanStatus::kPartial, "PARTIAL"},
    {PlanStatus::kFailed, "FAILED"},
    {PlanStatus::kCancelled, "CANCELLED"},
    {PlanStatus::kCompleted, "COMPLETED"},
});
constexpr auto kSliceCodes = std::to_array<CodedState<SliceStatus>>({
    {SliceStatus::kPending, "PENDING"},
    {SliceStatus::kReady, "READY"},
    {SliceStatus::kExecuting, "EXECUTING"},
    {SliceStatus::kSucceeded, "SUCCEEDED"},
    {SliceStatus::kPartial, "PARTIAL"},
    {SliceStatus::kFailed, "FAILED"},
    {SliceStatus::kCancelled, "CANCELLED"},
});
constexpr auto kTaskCodes = std::to_array<CodedState<TaskStatus>>({
    {TaskStatus::kQueued, "QUEUED"},
    {TaskStatus::kDispatched, "DISPATCHED"},
    {TaskStatus::kExecuting, "EXECUTING"},
    {TaskStatus::kSucceeded, "SUCCEEDED"},
    {TaskStatus::kFailed, "FAILED"},
    {TaskStatus::kPartial, "PARTIAL"},
    {TaskStatus::kCancelled, "CANCELLED"},
});
constexpr auto kRunCodes = std::to_array<CodedState<RunStatus>>({
    {RunStatus::kPlanned, "PLANNED"},
    {RunStatus::kRunning, "RUNNING"},
    {RunStatus::kSucceeded, "SUCCEEDED"},
    {RunStatus::kPartial, "PARTIAL"},
    {RunStatus::kFailed, "FAILED"},
    {RunStatus::kCancelled, "CANCELLED"},
});
constexpr auto kBatchCodes = std::to_array<CodedState<BatchStatus>>({
    {BatchStatus::kPlanned, "PLANNED"},
    {BatchStatus::kRunning, "RUNNING"},
    {BatchStatus::kSucceeded, "SUCCEEDED"},
    {BatchStatus::kSkipped, "SKIPPED"},
    {BatchStatus::kGivenBack, "GIVEN_BACK"},
    {BatchStatus::kFailed, "FAILED"},
});

constexpr auto kPlanMoves = std::to_array<Transition<PlanStatus>>({
    {PlanStatus::kDraft, PlanStatus::kSlicing, "the planner starts cutting"},
    {PlanStatus::kDraft, PlanStatus::kFailed, "the plan cannot be cut"},
    {PlanStatus::kDraft, PlanStatus::kCancelled, "a person withdraws it"},
    {PlanStatus::kSlicing, PlanStatus::kReady, "every slice has its task"},
    {PlanStatus::kSlicing, PlanStatus::kPartial, "the queue or the quota is full; the rest waits"},
    {PlanStatus::kSlicing, PlanStatus::kFailed, "the plan cannot be cut"},
    {PlanStatus::kSlicing, PlanStatus::kCancelled, "a person or self-healing withdraws it"},
    {PlanStatus::kPartial, PlanStatus::kSlicing, "a later trigger goes on cutting"},
    {PlanStatus::kPartial, PlanStatus::kCompleted, "what was missing is done"},
    {PlanStatus::kPartial, PlanStatus::kCancelled, "a person or self-healing withdraws it"},
    {PlanStatus::kReady, PlanStatus::kPartial, "some of its slices did not succeed"},
    {PlanStatus::kReady, PlanStatus::kCompleted, "all of its slices are finished"},
    {PlanStatus::kReady, PlanStatus::kCancelled, "a person or self-healing withdraws it"},
});

constexpr auto kSliceMoves = std::to_array<Transition<SliceStatus>>({
    {SliceStatus::kPending, SliceStatus::kReady, "its task is queued"},
    {SliceStatus::kPending, SliceStatus::kFailed, "no task can be derived"},
    {SliceStatus::kPending, SliceStatus::kCancelled, "its plan is withdrawn"},
    {SliceStatus::kReady, SliceStatus::kExecuting, "its task starts"},
    {SliceStatus::kReady, SliceStatus::kCancelled, "its plan is withdrawn"},
    {SliceStatus::kExecuting, SliceStatus::kReady, "its task goes back to the queue"},
    {SliceStatus::kExecuting, SliceStatus::kSucceeded,
     "the end was reached and the ledger balances"},
    {SliceStatus::kExecuting, SliceStatus::kPartial, "a part is done; the rest is named"},
    {SliceStatus::kExecuting, SliceStatus::kFailed, "the task gave up"},
    {SliceStatus::kExecuting, SliceStatus::kCancelled,
     "re-sliced before it produced anything, or withdrawn"},
    {SliceStatus::kFailed, SliceStatus::kReady, "an audited requeue"},
    {SliceStatus::kPartial, SliceStatus::kReady, "an audited requeue"},
});

constexpr auto kTaskMoves = std::to_array<Transition<TaskStatus>>({
    {TaskStatus::kQueued, TaskStatus::kDispatched, "an executor claims it"},
    {TaskStatus::kQueued, TaskStatus::kCancelled, "its plan is withdrawn"},
    {TaskStatus::kDispatched, TaskStatus::kExecuting, "its run starts"},
    {TaskStatus::kDispatched, TaskStatus::kQueued, "given back, or its lease expired"},
    {TaskStatus::kDispatched, TaskStatus::kCancelled, "its plan is withdrawn"},
    {TaskStatus::kExecuting, TaskStatus::kQueued, "given back, or its lease expired"},
    {TaskStatus::kExecuting, TaskStatus::kSucceeded, "its slice is proven complete"},
    {TaskStatus::kExecuting, TaskStatus::kPartial, "its slice has a named rest"},
    {TaskStatus::kExecuting, TaskStatus::kFailed, "its runs are used up, or the error is final"},
    {TaskStatus::kExecuting, TaskStatus::kCancelled, "its plan is withdrawn"},
    {TaskStatus::kFailed, TaskStatus::kQueued, "an audited requeue"},
    {TaskStatus::kPartial, TaskStatus::kQueued, "an audited requeue"},
});

constexpr auto kRunMoves = std::to_array<Transition<RunStatus>>({
    {RunStatus::kPlanned, RunStatus::kRunning, "the executor starts it"},
    {RunStatus::kPlanned, RunStatus::kCancelled, "its task is withdrawn"},
    {RunStatus::kRunning, RunStatus::kSucceeded, "the end of the slice was reached"},
    {RunStatus::kRunning, RunStatus::kPartial, "a part is committed; the rest is named"},
    {RunStatus::kRunning, RunStatus::kFailed, "a final error, or the lease was lost"},
    {RunStatus::kRunning, RunStatus::kCancelled, "its task is withdrawn"},
});

constexpr auto kBatchMoves = std::to_array<Transition<BatchStatus>>({
    {BatchStatus::kPlanned, BatchStatus::kRunning, "its request is about to leave"},
    {BatchStatus::kRunning, BatchStatus::kSucceeded, "its outcome is committed"},
    {BatchStatus::kRunning, BatchStatus::kSkipped, "the position turned out to be empty"},
    {BatchStatus::kRunning, BatchStatus::kGivenBack,
     "its task goes back to the queue before anything is taken in"},
    {BatchStatus::kRunning, BatchStatus::kFailed, "a final error"},
});

template <typename Status, std::size_t N>
std::string_view CodeIn(const std::array<CodedState<Status>, N>& codes, Status status) {
  for (const auto& coded : codes) {
    if (coded.status == status) return coded.code;
  }
  return "UNKNOWN";
}

template <typename Status, std::size_t N>
Result<Status> FindIn(const std::array<CodedState<Status>, N>& codes, std::string_view code) {
  for (const auto& coded : codes) {
    if (coded.code == code) return coded.status;
  }
  return Fail(ErrorCode::kCorruption, fmt::format("'{}' is not a known state", code));
}

}  // namespace

template <>
std::span<const Transition<PlanStatus>> Transitions<PlanStatus>() {
  return kPlanMoves;
}
template <>
std::span<const Transition<SliceStatus>> Transitions<SliceStatus>() {
  return kSliceMoves;
}
template <>
std::span<const Transition<TaskStatus>> Transitions<TaskStatus>() {
  return kTaskMoves;
}
template <>
std::span<const Transition<RunStatus>> Transitions<RunStatus>() {
  return kRunMoves;
}
template <>
std::span<const Transition<BatchStatus>> Transitions<BatchStatus>() {
  return kBatchMoves;
}

std::string_view Code(PlanStatus status) { return CodeIn(kPlanCodes, status); }
std::string_view Code(SliceStatus status) { return CodeIn(kSliceCodes, status); }
std::string_view Code(TaskStatus status) { return CodeIn(kTaskCodes, status); }
std::string_view Code(RunStatus status) { return CodeIn(kRunCodes, status); }
std::string_view Code(BatchStatus status) { return CodeIn(kBatchCodes, status); }

template <>
Result<PlanStatus> StatusFromCode<PlanStatus>(std::string_view code) {
  return FindIn(kPlanCodes, code);
}
template <>
Result<SliceStatus> StatusFromCode<SliceStatus>(std::string_view code) {
  return FindIn(kSliceCodes, code);
}
template <>
Result<TaskStatus> StatusFromCode<TaskStatus>(std::string_view code) {
  return FindIn(kTaskCodes, code);
}
template <>
Result<RunStatus> StatusFromCode<RunStatus>(std::string_view code) {
  return FindIn(kRunCodes, code);
}
template <>
Result<BatchStatus> StatusFromCode<BatchStatus>(std::string_view code) {
  return FindIn(kBatchCodes, code);
}

}  // namespace patra::domain
