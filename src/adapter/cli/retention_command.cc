#include "adapter/cli/retention_command.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/table.h"
#include "base/duration.h"

namespace patra::adapter::cli {
namespace {

// For people.
std::string KindWords(domain::ArchivedKind kind) {
  switch (kind) {
    case domain::ArchivedKind::kRawPages:
      return "raw pages";
    case domain::ArchivedKind::kBatches:
      return "batches";
    case domain::ArchivedKind::kCursorEvents:
      break;
  }
  return "cursor events";
}

Result<std::optional<Duration>> AgeIn(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto age = PATRA_TRY(ParseDuration(text));
  if (age >= Duration::zero()) return age;
  return Fail(ErrorCode::kInvalidInput, fmt::format("an age of {} is none", text), {},
              "such as 90d");
}

void PrintArchive(const app::ArchiveReport& report, const Console& console) {
  Table table({"kind", "archived", "files", "size", "needed", "waiting"});
  for (const auto& kind : report.kinds)
    table.Add({KindWords(kind.kind), Thousands(kind.rows), Thousands(kind.files),
               BytesCell(kind.bytes), Thousands(kind.needed), Thousands(kind.waiting)});
  fmt::print(console.out, "{}", table.Print(console));
  if (console.quiet) return;
  fmt::print(console.err, "what is older than {} is in {}\n", When(report.before), report.folder);
  if (report.vault && report.vault->dropped + report.vault->archived > 0)
    fmt::print(console.err, "the vault has {} instead of {}: {} were {}\n",
               BytesCell(report.vault->bytes_after), BytesCell(report.vault->bytes_before),
               Several(report.vault->dropped + report.vault->archived, "raw page"),
               report.vault->dropped > 0 ? "deleted" : "archived");
  if (report.finished > 0)
    fmt::print(console.err, "{} finished that was begun before\n",
               Several(report.finished, "file"));
}

Value Describe(const app::ArchivedOfKind& kind) {
  return Value::Object{{"kind", domain::LowerCode(domain::CodeOf(kind.kind))},
                       {"rows", kind.rows},
                       {"files", kind.files},
                       {"bytes", kind.bytes},
                       {"needed", kind.needed},
                       {"waiting", kind.waiting}};
}

Result<int> Archive(const ArchiveCommand& command, app::Retention& retention,
                    const Services& services, const Console& console) {
  const auto report =
      PATRA_TRY(retention.Archive({.older_than = PATRA_TRY(AgeIn(command.older_than))},
                                  [](domain::ArchivedKind, std::int64_t) {}));
  if (command.as_json) {
    for (const auto& kind : report.kinds) PrintJsonLine(console, Describe(kind));
  } else {
    PrintArchive(report, console);
  }
  for (const auto& file : report.lost)
    Report(console, {ErrorCode::kCorruption,
                     fmt::format("{} cannot be read any more; some of its rows were deleted from "
                                 "the store, and the others are archived anew",
                                 file),
                     {},
                     "put it back into the folder of the archive"});
  if (report.is_stopped) return StopCode(services.StoppedBySignal());
  return report.lost.empty() ? kComplete : kFailed;
}

// For people.
std::string KindWords(domain::OldKind kind) {
  using enum domain::OldKind;
  switch (kind) {
    case kChanges:
      return "changes of records";
    case kRelayLog:
      return "attempts to relay them";
    case kAudit:
      return "decisions (audit)";
    case kHealLog:
      return "healing journal";
    case kAlerts:
      return "alerts that have ended";
    case kExecutions:
      return "executions of jobs";
    case kAnswers:
      return "answers of the API";
    case kWalks:
      return "memory of walks";
    case kRefusals:
      return "refused cursor moves";
    case kSignals:
      return "signals acted upon";
    case kRollup:
      break;
  }
  return "sums of batches";
}

std::string KeptWords(Duration kept_for) {
  return kept_for == Duration{} ? "for ever" : FormatDuration(kept_for);
}

void PrintCollected(const app::CollectReport& report, const Console& console) {
  Table table({"what", "kept for", report.is_dry_run ? "would go" : "deleted"});
  for (const auto& kind : report.kinds)
    table.Add({KindWords(kind.kind), KeptWords(kind.kept_for),
               Thousands(kind.rows) + (kind.is_cut ? " and more" : "")});
  fmt::print(console.out, "{}", table.Print(console));
  if (console.quiet) return;
  if (report.added_up > 0)
    fmt::print(console.err, "{} of sums of batches were added up into hours and days\n",
               Several(report.added_up, "row"));
  if (report.is_dry_run) fmt::print(console.err, "nothing was deleted\n");
}

Result<int> Collect(const CollectCommand& command, app::Retention& retention,
                    const Services& services, const Console& console) {
  const auto report = PATRA_TRY(retention.Collect({.is_dry_run = command.is_dry_run}));
  if (command.as_json) {
    for (const auto& kind : report.kinds)
      PrintJsonLine(console,
                    Value::Object{{"what", domain::LowerCode(domain::CodeOf(kind.kind))},
                                  {"keptForSeconds", kind.kept_for / std::chrono::seconds(1)},
                                  {"rows", kind.rows},
                                  {"isCut", kind.is_cut},
                                  {"deleted", !report.is_dry_run}});
  } else {
    PrintCollected(report, console);
  }
  return report.is_stopped ? StopCode(services.StoppedBySignal()) : kComplete;
}

Result<int> Forget(const ForgetCommand& command, app::Retention& retention,
                   const Services& services, const Console& console) {
  const auto report = PATRA_TRY(retention.Forget(command.source, command.reason, services.actor()));
  Table table({"table", "rows"});
  for (const auto& one : report.tables) {
    table.Add({one.table, Thousands(one.rows)});
    if (command.as_json)
      PrintJsonLine(console, Value::Object{{"table", one.table}, {"rows", one.rows}});
  }
  if (!command.as_json) fmt::print(console.out, "{}", table.Print(console));
  if (report.is_stopped) return StopCode(services.StoppedBySignal());
  if (!console.quiet)
    fmt::print(console.err,
               "{} is forgotten, with {} of the archive; it is paused until `patra source resume "
               "{}`\n",
               report.source, Several(report.files, "file"), report.source);
  return kComplete;
}

}  // namespace

int RunDbForget(const ForgetCommand& command, app::Retention& retention, const Services& services,
                const Console& console) {
  return PrintError(console, Forget(command, retention, services, console));
}

int RunDbGc(const CollectCommand& command, app::Retention& retention, const Services& services,
            const Console& console) {
  return PrintError(console, Collect(command, retention, services, console));
}

int RunDbArchive(const ArchiveCommand& command, app::Retention& retention, const Services& services,
                 const Console& console) {
  return PrintError(console, Archive(command, retention, services, console));
}

}  // namespace patra::adapter::cli
