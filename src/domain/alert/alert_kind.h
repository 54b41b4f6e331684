// Everything that people are alerted of, and in which words. A new alert is a kind and a row here, and a place that writes
// the event which raises it, or raises it itself.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "domain/word/alert.h"

namespace patra::domain {

enum class AlertKind {
  kCredentialRefused,
  kLongWait,
  kSliceUnproven,
  kLedgerContradiction,
  kTaskGivenUp,
  kSliceFailed,
  kSecretEchoed,
  kClockAhead,
  kClockBehind,
  kNoClock,
  kWatermarkAhead,
  kFuseBlown,
  kPausedByHealing,
  kCursorHeld,
  kHealingReview,
  kExecutorsMissing,
  kGoneDoubted,
  kWindowIgnored,
  kAskedOtherwise,
  kDatesFiner,
  kFieldsUnmet,
  kGateAway,
  kNewerNeeded,
  kStoreSlow,
  kRetentionFailing,
  kArchiveLost,
};

struct AlertRow {
  AlertKind kind;
  std::string_view key;  // before what it is about
  Severity severity;
  std::string_view message;  // {reason}; {at}: source and endpoint, {step_at} inside of a step
  // The event of the log that raises it, the detail of that which names the trouble within the source, and the event
  // that ends it. Empty: it is raised, and ended, by hand.
  std::string_view raised_by{};
  std::string_view named_by{};
  std::string_view ended_by{};
};

// In the order of the kinds.
inline constexpr auto kAlertRows = std::to_array<AlertRow>({
    {.kind = AlertKind::kCredentialRefused,
     .key = "credential",
     .severity = Severity::kCritical,
     .message = "the provider refuses a credential, which is not used any more: put it right, then "
                "`‹gate.reset KEY›`, or `‹fuse.reset›` where the source stopped",
     .raised_by = "credential.refused",
     .named_by = "credential"},
    {.kind = AlertKind::kLongWait,
     .key = "wait",
     .severity = Severity::kWarn,
     .message =
         "the provider asks for a longer wait than the definition's retry_after_cap: its tasks are "
         "parked",
     .raised_by = "wait.too_long",
     .named_by = "endpoint",
     .ended_by = "slice.recovered"},
    {.kind = AlertKind::kSliceUnproven,
     .key = "unproven",
     .severity = Severity::kWarn,
     .message = "a slice was read to its end and is not called complete: `‹verify.run›` names it",
     .raised_by = "slice.unproven",
     .named_by = "endpoint"},
    {.kind = AlertKind::kLedgerContradiction,
     .key = "ledger",
     .severity = Severity::kCritical,
     .message = "the idempotency keys of a batch name different batches: nothing of it was stored",
     .raised_by = "ledger.contradiction",
     .named_by = "endpoint"},
    {.kind = AlertKind::kTaskGivenUp,
     .key = "task",
     .severity = Severity::kCritical,
     .message =
         "a task was given up without knowing what else to do about it: `‹task.list›` names it, "
         "`‹task.requeue›` tries it again",
     .raised_by = "task.given_up",
     .named_by = "endpoint"},
    {.kind = AlertKind::kSliceFailed,
     .key = "failed",
     .severity = Severity::kWarn,
     .message =
         "a slice was given up: `‹verify.run›` names what is missing, `‹task.requeue›` tries it "
         "again",
     .raised_by = "slice.failed",
     .named_by = "endpoint",
     .ended_by = "slice.recovered"},
    {.kind = AlertKind::kSecretEchoed,
     .key = "secret",
     .severity = Severity::kWarn,
     .message = "the provider's data holds a credential of ours that is too short to be told from "
                "ordinary words: it is stored with the data; use one of eight bytes or more",
     .raised_by = "secret.echoed",
     .named_by = "endpoint"},
    {.kind = AlertKind::kClockAhead,
     .key = "clock",
     .severity = Severity::kCritical,
     .message = "our clock is ahead of the provider's: nothing after the provider's now is proven, "
                "and slices that reach beyond it stay PARTIAL; put the clock right, then harvest "
                "again",
     .raised_by = "clock.ahead",
     .named_by = "clock",
     .ended_by = "clock.agrees"},
    {.kind = AlertKind::kClockBehind,
     .key = "clock",
     .severity = Severity::kInfo,
     .message =
         "our clock is behind the provider's: nothing is lost, but records come late; put it right",
     .raised_by = "clock.behind",
     .named_by = "clock"},
    {.kind = AlertKind::kNoClock,
     .key = "clock",
     .severity = Severity::kWarn,
     .message = "what the provider sends as its date is no clock: ours alone says what is "
                "complete, so see that it is right",
     .raised_by = "clock.none",
     .named_by = "clock"},
    {.kind = AlertKind::kWatermarkAhead,
     .key = "watermark",
     .severity = Severity::kCritical,
     .message = "{reason}"},
    {.kind = AlertKind::kFuseBlown,
     .key = "fuse",
     .severity = Severity::kCritical,
     .message = "the fuse of {at} has blown, nothing is planned or sent: {reason}"},
    {.kind = AlertKind::kPausedByHealing,
     .key = "pause",
     .severity = Severity::kCritical,
     .message = "nothing new of {at} is planned until `‹source.resume {step_at}›`: {reason}"},
    {.kind = AlertKind::kCursorHeld,
     .key = "cursor",
     .severity = Severity::kWarn,
     .message = "the cursor of {at} is held until records are good again, or "
                "`‹heal.release {step_at} CURSOR_HOLD›`: {reason}"},
    {.kind = AlertKind::kHealingReview,
     .key = "heal/REVIEW",
     .severity = Severity::kWarn,
     .message = "{reason}"},
    {.kind = AlertKind::kExecutorsMissing,
     .key = "heal/WAKE_EXECUTORS",
     .severity = Severity::kWarn,
     .message = "{reason}"},
    {.kind = AlertKind::kGoneDoubted,
     .key = "gone",
     .severity = Severity::kWarn,
     .message = "records are missing from a list that was read whole, and are not marked as "
                "deleted",
     .raised_by = "list.doubted",
     .named_by = "endpoint",
     .ended_by = "list.compared"},
    {.kind = AlertKind::kWindowIgnored,
     .key = "outside",
     .severity = Severity::kWarn,
     .message = "many records lie outside what was asked for; their slice is not called complete",
     .raised_by = "window.ignored",
     .named_by = "endpoint"},
    {.kind = AlertKind::kAskedOtherwise,
     .key = "asked",
     .severity = Severity::kWarn,
     .message = "{reason}"},
    {.kind = AlertKind::kDatesFiner,
     .key = "finer",
     .severity = Severity::kWarn,
     .message =
         "records have dates finer than the window's granularity, whose last step is the end that "
         "is asked for: if the provider compares dates as they are, those between it and the "
         "next step are never asked for; let `granularity` be as fine as they are, or leave "
         "out `ends: inclusive`",
     .raised_by = "dates.finer",
     .named_by = "endpoint"},
    {.kind = AlertKind::kFieldsUnmet,
     .key = "fields",
     .severity = Severity::kWarn,
     .message = "{reason}",
     .raised_by = "fields.unmet",
     .named_by = "endpoint",
     .ended_by = "fields.met"},
    {.kind = AlertKind::kGateAway,
     .key = "gate",
     .severity = Severity::kWarn,
     .message = "the rate gate that machines share does not answer: every executor goes on with "
                "its part of the allowance until it does",
     .raised_by = "gate.away",
     .named_by = "gate",
     .ended_by = "gate.shared"},
    {.kind = AlertKind::kNewerNeeded,
     .key = "newer",
     .severity = Severity::kWarn,
     .message =
         "a newer program has planned what an executor cannot read: its tasks stay queued for "
         "executors that can; upgrade all of them",
     .raised_by = "task.needs_newer",
     .named_by = "endpoint",
     .ended_by = "task.readable"},
    {.kind = AlertKind::kStoreSlow,
     .key = "store",
     .severity = Severity::kWarn,
     .message = "the store takes half a second or more for a small statement, or fails: executors "
                "work at fewer tasks at a time until it is quick again; see what else its machine "
                "does, and whether its disk is full",
     .raised_by = "store.slow",
     .named_by = "store",
     .ended_by = "store.quick"},
    {.kind = AlertKind::kRetentionFailing,
     .key = "retention",
     .severity = Severity::kWarn,
     .message = "what is old is neither archived nor deleted, and the store grows: {reason}",
     .raised_by = "retention.failed",
     .ended_by = "retention.done"},
    {.kind = AlertKind::kArchiveLost,
     .key = "archive",
     .severity = Severity::kCritical,
     .message = "a file of the archive cannot be read any more, and some of its rows are nowhere "
                "else: put it back into the folder of the archive",
     .raised_by = "archive.lost",
     .named_by = "file"},
});

static_assert(
    [] {
      for (std::size_t i = 0; i < kAlertRows.size(); ++i)
        if (kAlertRows[i].kind != static_cast<AlertKind>(i)) return false;
      return true;
    }(),
    "the rows are not in the order of the kinds");

// What the trouble is about. The same trouble of the same source and name is one alert.
struct AlertAbout {
  std::string source;
  std::string endpoint;
  std::string name{};  // within the source, such as a credential's; the endpoint where it is empty
};

std::string AlertKey(AlertKind kind, const AlertAbout& about);

// `reason` is what is known beyond the kind. `details` are JSON.
Alert AlertOf(AlertKind kind, const AlertAbout& about, std::string_view reason,
              std::string details = "{}");

// Of healing, which looks again in every round and ends what it does not find again.
inline constexpr std::string_view kHealingAlerts = "heal/";

}  // namespace patra::domain
