#include "adapter/cli/plan_command.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/table.h"
#include "app/api/report_facts.h"
#include "base/canonical_json.h"
#include "base/duration.h"
#include "base/time.h"

namespace patra::adapter::cli {
namespace {

using app::Planned;
using PlannedKind = app::Planned::Kind;

constexpr std::size_t kIdBytesMax = 2'000;

// What editors put before the first line of a text.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t\r";

std::string_view WithoutBlanks(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  return line.substr(0, line.find_last_not_of(kBlanks) + 1);
}

// One id a line; blanks around it are no part of it, and blank lines and those that begin with # are left out.
Result<std::vector<std::string>> ReadIds(const std::string& file, const Console& console) {
  std::ifstream stream;
  if (file != "-") {
    stream.open(file);
    if (!stream) return Fail(ErrorCode::kNotFound, fmt::format("{} cannot be read", file));
  }
  std::istream& lines = file == "-" ? console.in : stream;
  std::vector<std::string> ids;
  std::string read;
  for (int number = 1; std::getline(lines, read); ++number) {
    std::string_view line = read;
    if (number == 1 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    line = WithoutBlanks(line);
    if (line.empty() || line.front() == '#') continue;
    const Place place{.file = file, .line = number};
    if (line.size() > kIdBytesMax)
      return Fail(ErrorCode::kInvalidInput, "this is too long for an id", place, "one id a line");
    if (ids.size() >= app::kListedIdsMax)
      return Fail(ErrorCode::kLimit, fmt::format("more than {} ids", app::kListedIdsMax), place,
                  "split the list");
    ids.emplace_back(line);
  }
  if (ids.empty())
    return Fail(ErrorCode::kInvalidInput, fmt::format("there are no ids in {}", file));
  return ids;
}

// A price is no measurement.
std::string About(Duration duration) {
  const auto rounded = std::chrono::ceil<std::chrono::seconds>(duration);
  return rounded <= std::chrono::seconds(1) ? "a second" : FormatDuration(rounded);
}

void PrintPrice(const domain::PriceTag& price, const NamedLines& lines) {
  lines.Add("requests", fmt::format("{}{}", price.requests_are_least ? "at least " : "about ",
                                    Thousands(price.requests)));
  lines.Add("records", price.records ? "about " + Thousands(*price.records) : "unknown");
  if (price.bytes) lines.Add("bytes", "about " + BytesCell(*price.bytes));
  if (price.quota_part)
    lines.Add("quota", fmt::format("{:.1f} % of the tightest", *price.quota_part * 100));
  if (price.takes && price.rate_per_second)
    lines.Add("takes", fmt::format("{}{} at {:g}/s", price.requests_are_least ? "at least " : "",
                                   About(*price.takes), *price.rate_per_second));
  lines.Add("rests on", price.basis);
}

void PrintFirstSlices(const Planned& planned, const Console& console) {
  if (planned.stretches.empty()) return;
  Table table({"slice", "from", "to"});
  for (std::size_t i = 0; i < planned.stretches.size(); ++i) {
    table.Add({std::to_string(i + 1), FormatRfc3339(planned.stretches[i].from()),
               FormatRfc3339(planned.stretches[i].to())});
  }
  fmt::print(console.out, "\n{}", table.Print(console));
  const auto more = planned.slices - static_cast<int>(planned.stretches.size());
  if (more > 0) fmt::print(console.out, "and {} more\n", Thousands(more));
}

// Of slices that earlier commands left without success.
void PrintTriesAgain(const Planned& planned, const Console& console) {
  if (planned.tried_again > 0)
    fmt::print(console.out, "{} slices that were not finished are tried again\n",
               Thousands(planned.tried_again));
  for (const auto& slice : planned.given_up)
    fmt::print(console.out, "given up: {}, tried {} times; `patra task requeue {} --reason WHY`\n",
               slice.window.Describe(), Thousands(slice.tries), slice.task);
}

}  // namespace

void PrintOlder(const Planned& planned, const NamedLines& lines) {
  for (const auto id : planned.replaced)
    lines.Add("replaced", fmt::format("plan {}, which brought nothing by an earlier definition: "
                                      "planned anew by the present one",
                                      id));
  for (const auto id : planned.older)
    lines.Add("older", fmt::format("plan {} goes on by an earlier definition; `patra plan cancel "
                                   "{} --reason WHY`, then the same command, has it planned anew",
                                   id, id));
}

namespace {

void PrintForPeople(const app::PlanReport& report, domain::Operation operation,
                    const Console& console) {
  const auto& planned = report.planned;
  const auto name = fmt::format("{}/{}", report.source, report.endpoint);
  switch (planned.kind) {
    case PlannedKind::kHeld:
      fmt::print(console.out, "nothing planned: {}\n", planned.reason);
      if (!console.quiet) fmt::print(console.err, "next: {}\n", planned.hint);
      return;
    case PlannedKind::kNothingDue:
      fmt::print(console.out, "{}: nothing to do: {}\n", name, planned.reason);
      return PrintTriesAgain(planned, console);
    case PlannedKind::kAlreadyPlanned:
      fmt::print(console.out, "{}: planned before: {}\n", name, planned.reason);
      PrintOlder(planned, NamedLines(console));
      PrintTriesAgain(planned, console);
      if (!console.quiet) fmt::print(console.err, "--again makes a new plan\n");
      return;
    case PlannedKind::kPriced:
      if (planned.is_continued) {
        fmt::print(console.out, "plan {} would go on: {} {}, {} slices left; nothing was written\n",
                   planned.plan, domain::Code(operation), name, Thousands(planned.slices));
      } else {
        fmt::print(console.out, "{} {} would have {} slices; nothing was written\n",
                   domain::Code(operation), name, Thousands(planned.slices));
      }
      break;
    case PlannedKind::kCreated:
      fmt::print(console.out, "plan {}{}: {} {}, {} new slices\n", planned.plan,
                 planned.is_continued ? " continued" : "", domain::Code(operation), name,
                 Thousands(planned.slices));
      break;
  }
  const NamedLines lines(console);
  if (planned.window) lines.Add("window", planned.window->Describe());
  if (planned.watermark) lines.Add("watermark", FormatRfc3339(*planned.watermark));
  if (planned.price) PrintPrice(*planned.price, lines);
  if (planned.is_partial) lines.Add("rest waits", planned.reason);
  if (planned.stops_after)
    lines.Add("rest waits",
              fmt::format("after {} slices: {}", Thousands(std::int64_t{*planned.stops_after}),
                          planned.reason));
  if (planned.keeps_wishes)
    lines.Add("note",
              "the plan goes on as it began: other wishes or definitions need --again or a window");
  for (const auto& note : planned.notes) lines.Add("note", note);
  for (const auto& warning : report.warnings) lines.Add("note", warning);
  PrintOlder(planned, lines);
  PrintFirstSlices(planned, console);
  PrintTriesAgain(planned, console);
  if (console.quiet || planned.kind == PlannedKind::kPriced) return;
  if (!report.applied.empty())
    fmt::print(console.err, "{} changed fields of definitions went into the registry\n",
               report.applied.size());
  fmt::print(console.err, "next: patra work --drain\n");
}

int ExitCodeOfPlan(const Planned& planned) {
  if (planned.kind == PlannedKind::kHeld) return planned.is_fused ? kRefused : kTryLater;
  if (!planned.given_up.empty()) return kFailed;
  return planned.is_partial ? kStoppedByLimit : kComplete;
}

}  // namespace

Result<app::PlanRequest> PreparePlan(const PlanCommand& command, const Console& console) {
  auto request = command.request;
  if (command.ids_file) request.ids = PATRA_TRY(ReadIds(*command.ids_file, console));
  return request;
}

int RunPlan(const PlanCommand& command, app::Operations& engine, const Console& console) {
  const auto prepared = PreparePlan(command, console);
  if (!prepared) return PrintError(console, prepared.error());
  const auto& request = *prepared;
  const auto report = engine.Plan(request);
  if (!report) return PrintError(console, report.error());
  for (const auto& problem : report->problems) Report(console, problem);
  if (!report->problems.empty()) return kInvalidConfiguration;
  const auto operation = request.source.operation;
  if (command.as_json) {
    fmt::print(console.out, "{}\n", CanonicalJson(ToObject(FactsOf(*report, operation))));
  } else {
    PrintForPeople(*report, operation, console);
  }
  return ExitCodeOfPlan(report->planned);
}

int RunCancel(const app::CancelRequest& request, app::Corrections& corrections,
              const domain::Actor& actor, const Console& console) {
  const auto report = corrections.Cancel(request, actor);
  if (!report) return PrintError(console, report.error());
  if (!console.quiet)
    fmt::print(console.out, "cancelled: {} tasks, {} slices\n", Thousands(report->tasks),
               Thousands(report->slices));
  return kComplete;
}

}  // namespace patra::adapter::cli
