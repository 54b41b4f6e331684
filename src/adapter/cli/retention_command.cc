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

}  // namespace

int RunDbArchive(const ArchiveCommand& command, app::Retention& retention, const Services& services,
                 const Console& console) {
  return PrintError(console, Archive(command, retention, services, console));
}

}  // namespace patra::adapter::cli
