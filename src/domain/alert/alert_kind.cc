#include "domain/alert/alert_kind.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/result.h"
#include "domain/word/step.h"

namespace patra::domain {
namespace {

struct Row {
  AlertKind kind;
  std::string_view key;  // before what it is about
  Severity severity;
  std::string_view message;  // {reason}; {at}: source and endpoint, {step_at} inside of a step
};

constexpr auto kRows = std::to_array<Row>({
    {AlertKind::kCredentialRefused, "credential", Severity::kCritical,
     "the provider refuses a credential, which is not used any more: put it right, then "
     "`‹gate.reset KEY›`, or `‹fuse.reset›` where the source stopped"},
    {AlertKind::kLongWait, "wait", Severity::kWarn,
     "the provider asks for a longer wait than the definition's retry_after_cap: its tasks are "
     "parked"},
    {AlertKind::kSliceUnproven, "unproven", Severity::kWarn,
     "a slice was read to its end and is not called complete: `‹verify.run›` names it"},
    {AlertKind::kLedgerContradiction, "ledger", Severity::kCritical,
     "the idempotency keys of a batch name different batches: nothing of it was stored"},
    {AlertKind::kTaskGivenUp, "task", Severity::kCritical,
     "a task was given up without knowing what else to do about it: `‹task.list›` names it, "
     "`‹task.requeue›` tries it again"},
    {AlertKind::kSliceFailed, "failed", Severity::kWarn,
     "a slice was given up: `‹verify.run›` names what is missing, `‹task.requeue›` tries it "
     "again"},
    {AlertKind::kSecretEchoed, "secret", Severity::kWarn,
     "the provider's data holds a credential of ours that is too short to be told from ordinary "
     "words: it is stored with the data; use one of eight bytes or more"},
    {AlertKind::kClockAhead, "clock", Severity::kCritical,
     "our clock is ahead of the provider's: nothing after the provider's now is proven, and slices "
     "that reach beyond it stay PARTIAL; put the clock right, then harvest again"},
    {AlertKind::kClockBehind, "clock", Severity::kInfo,
     "our clock is behind the provider's: nothing is lost, but records come late; put it right"},
    {AlertKind::kNoClock, "clock", Severity::kWarn,
     "what the provider sends as its date is no clock: ours alone says what is complete, so see "
     "that it is right"},
    {AlertKind::kWatermarkAhead, "watermark", Severity::kCritical, "{reason}"},
    {AlertKind::kFuseBlown, "fuse", Severity::kCritical,
     "the fuse of {at} has blown, nothing is planned or sent: {reason}"},
    {AlertKind::kPausedByHealing, "pause", Severity::kCritical,
     "nothing new of {at} is planned until `‹source.resume {step_at}›`: {reason}"},
    {AlertKind::kCursorHeld, "cursor", Severity::kWarn,
     "the cursor of {at} is held until records are good again, or "
     "`‹heal.release {step_at} CURSOR_HOLD›`: {reason}"},
    {AlertKind::kHealingReview, "heal/REVIEW", Severity::kWarn, "{reason}"},
    {AlertKind::kExecutorsMissing, "heal/WAKE_EXECUTORS", Severity::kWarn, "{reason}"},
});

const Row& RowOf(AlertKind kind) {
  const auto* found = std::ranges::find(kRows, kind, &Row::kind);
  PATRA_ASSERT(found != kRows.end());
  return *found;
}

std::string MessageOf(const Row& row, const AlertAbout& about, std::string_view reason) {
  const bool says_why = row.message.find("{reason}") != std::string_view::npos;
  const auto at = about.source + "/" + about.endpoint;
  auto message = fmt::format(fmt::runtime(row.message), fmt::arg("reason", reason),
                             fmt::arg("at", at), fmt::arg("step_at", StepArgument(at)));
  if (!says_why && !reason.empty()) message += fmt::format(" ({})", reason);
  return message;
}

}  // namespace

std::string AlertKey(AlertKind kind, const AlertAbout& about) {
  return fmt::format("{}/{}/{}", RowOf(kind).key, about.source,
                     about.name.empty() ? about.endpoint : about.name);
}

Alert AlertOf(AlertKind kind, const AlertAbout& about, std::string_view reason,
              std::string details) {
  const auto& row = RowOf(kind);
  return {.key = AlertKey(kind, about),
          .severity = row.severity,
          .provenance = about.source,
          .endpoint = about.endpoint,
          .message = MessageOf(row, about, reason),
          .details = std::move(details)};
}

}  // namespace patra::domain
