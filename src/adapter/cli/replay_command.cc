#include "adapter/cli/replay_command.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/table.h"

namespace patra::adapter::cli {
namespace {

using app::ReplayMode;
using app::ReplayReport;
using app::ReplayVerdict;

constexpr std::size_t kDifferencesShown = 10;
constexpr std::size_t kDifferencesInJson = 1'000;
constexpr std::size_t kRequestBytesShown = 1'000;

Result<app::ReplayRequest> RequestOf(const ReplayCommand& command) {
  auto request = command.request;
  const auto slash = command.target.find('/');
  if (slash == std::string::npos) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' is no RUN/BATCH", command.target), {},
                "two ids, as `patra batch list` shows them, such as 7012/7013");
  }
  request.run = PATRA_TRY(ParseId(std::string_view(command.target).substr(0, slash)));
  request.batch = PATRA_TRY(ParseId(std::string_view(command.target).substr(slash + 1)));
  if (command.mode == "isolate") request.mode = ReplayMode::kIsolate;
  if (command.mode == "commit") request.mode = ReplayMode::kCommit;
  return request;
}

std::string OrDash(const std::string& text) { return text.empty() ? "-" : text; }

// Beside each other: what the account says and what came.
void PrintComparison(const ReplayReport& report, const Console& console) {
  const auto& [recorded, got] = std::tie(report.recorded, report.got);
  const bool came = report.verdict != ReplayVerdict::kNoPage;
  const auto number = [&](std::int64_t value) { return came ? Thousands(value) : "-"; };
  Table table({"", "recorded", "replayed"});
  table.Add({"status", recorded.status, came ? fmt::format("HTTP {}", got.status) : "no page"});
  table.Add({"at", When(recorded.committed_at), came ? When(got.fetched_at) : "-"});
  table.Add({"records", Thousands(recorded.records), number(got.records)});
  table.Add({"bad", Thousands(recorded.bad), number(got.bad)});
  table.Add({"announced", "", got.announced ? Thousands(*got.announced) : "-"});
  table.Add({"next", Short(recorded.next), came ? Short(got.next) : "-"});
  table.Add(
      {"body", OrDash(recorded.body_hash.substr(0, 16)), OrDash(got.body_hash.substr(0, 16))});
  fmt::print(console.out, "{}", table.Print(console));
}

std::string Counts(const ReplayReport& report) {
  using Kind = app::RecordDifference::Kind;
  auto text = fmt::format("{} same", Thousands(report.same));
  for (const auto kind : {Kind::kChanged, Kind::kNew, Kind::kGone, Kind::kOlder, Kind::kBad}) {
    if (const auto count = report.Count(kind); count > 0)
      text += fmt::format(", {} {}", Thousands(count), Name(kind));
  }
  if (report.superseded > 0)
    text += fmt::format(", {} replaced by newer versions since", Thousands(report.superseded));
  if (report.got.filtered > 0)
    text += fmt::format(", {} outside the window", Thousands(report.got.filtered));
  return text;
}

void PrintRecords(const ReplayReport& report, const Console& console) {
  fmt::print(console.out, "\nrecords: {}\n", Counts(report));
  std::size_t shown = 0;
  for (const auto& difference : report.differences) {
    if (shown++ == kDifferencesShown) break;
    fmt::print(
        console.out, "  {:<8} {}{}{}\n", Name(difference.kind),
        difference.id.empty() ? "without an id" : difference.id,
        difference.fields.empty() ? "" : fmt::format(": {}", fmt::join(difference.fields, ", ")),
        difference.is_since ? " (changed since)" : "");
  }
  if (report.differences.size() > kDifferencesShown)
    fmt::print(console.out, "  and {} more; --json has them\n",
               report.differences.size() - kDifferencesShown);
}

void PrintOutcome(const ReplayReport& report, const Console& console) {
  if (report.mode == ReplayMode::kIsolate) {
    fmt::print(console.out, "{} records put into quarantine\n", Thousands(report.isolated));
    if (report.isolated > 0 && !console.quiet)
      fmt::print(console.err, "`patra quarantine list --rule replay` shows them\n");
  }
  if (report.mode != ReplayMode::kCommit || report.verdict == ReplayVerdict::kNoPage) return;
  if (report.refusal) return Report(console, *report.refusal);
  if (report.replay_run == 0) {
    fmt::print(console.out, "everything is stored like this already; nothing was written\n");
    return;
  }
  const auto& counts = report.committed;
  fmt::print(console.out, "committed as run {}: {} new, {} updated, {} as they were, {} older\n",
             report.replay_run, Thousands(counts.inserted), Thousands(counts.updated),
             Thousands(counts.unchanged), Thousands(counts.stale));
}

// As much of each as a person compares.
std::string Hashes(const ReplayReport& report) {
  constexpr std::size_t kDigits = 12;
  std::string text;
  for (const auto& hash : report.hashes)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", hash.of, hash.now.substr(0, kDigits));
  return text;
}

void Print(const ReplayReport& report, const Console& console) {
  const auto& lane = report.lane;
  fmt::print(console.out, "{}/{} {}  batch {} of run {} (number {})\n", lane.provenance,
             lane.endpoint, Code(lane.operation), report.batch, report.run, report.batch_no);
  fmt::print(console.out, "window   {}\nfrom     {}\n", report.window, Short(report.position, 200));
  fmt::print(console.out, "made of  {}: as recorded\n", Hashes(report));
  if (report.recorded.error)
    fmt::print(console.out, "error    {}\n", Short(*report.recorded.error, 200));
  if (report.from_raw) {
    fmt::print(console.out, "asked    nobody: the page is the raw vault's\n");
  } else if (!report.got.request.empty()) {
    const bool is_known = !report.recorded.request.empty();
    fmt::print(console.out, "asked    {}{}\n", Short(report.got.request, kRequestBytesShown),
               is_known && !report.is_same_request() ? "  (not as recorded)" : "");
  }
  fmt::print(console.out, "\n");
  PrintComparison(report, console);
  if (report.verdict != ReplayVerdict::kNoPage) PrintRecords(report, console);
  fmt::print(console.out, "\n{}{}{}\n", Name(report.verdict), report.reason.empty() ? "" : ": ",
             Short(report.reason, 500));
  if (!report.hint.empty()) fmt::print(console.err, "  {}\n", report.hint);
  if (report.try_at) fmt::print(console.err, "  the gate opens at {}\n", When(report.try_at));
  PrintOutcome(report, console);
}

int CodeOf(const ReplayReport& report) {
  if (report.try_at) return kTryLater;
  if (report.refusal || report.verdict == ReplayVerdict::kNoPage) return kFailed;
  switch (report.mode) {
    case ReplayMode::kCommit:
      return kComplete;
    case ReplayMode::kIsolate:
      if (report.isolated > 0) return kQuarantined;
      break;
    case ReplayMode::kReport:
      break;
  }
  return report.verdict == ReplayVerdict::kAgrees ? kComplete : kFailed;
}

Result<int> Replay(const ReplayCommand& command, app::Operations& engine,
                   const domain::Actor& actor, const Console& console) {
  const auto request = RequestOf(command);
  if (!request) {
    Report(console, request.error());
    return kUsage;
  }
  const auto report = PATRA_TRY(engine.Replay(*request, actor));
  if (command.as_json) {
    PrintJsonLine(console, ToValue(report, kDifferencesInJson));
  } else {
    Print(report, console);
  }
  return CodeOf(report);
}

}  // namespace

int RunReplay(const ReplayCommand& command, app::Operations& engine, const domain::Actor& actor,
              const Console& console) {
  return PrintError(console, Replay(command, engine, actor, console));
}

}  // namespace patra::adapter::cli
