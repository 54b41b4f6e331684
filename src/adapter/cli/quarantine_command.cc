#include "adapter/cli/quarantine_command.h"

#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/table.h"
#include "app/api/report_facts.h"
#include "base/canonical_json.h"
#include "base/time.h"
#include "base/value.h"
#include "domain/word/source_target.h"

namespace patra::adapter::cli {
namespace {

constexpr std::size_t kFieldsBytesMax = std::size_t{16} << 20;

std::string Where(const domain::Lane& lane) { return lane.provenance + "/" + lane.endpoint; }

void Narrow(const std::string& target, domain::QuarantineFilter& filter) {
  if (target.empty()) return;
  const auto named = domain::TargetOf(target);
  filter.provenance = named.source;
  filter.endpoint = named.endpoint.value_or("");
}

int PrintCounts(const QuarantineListing& listing, app::Quarantine& quarantine,
                const Console& console) {
  const auto kinds = quarantine.Count(listing.filter);
  if (!kinds) return PrintError(console, kinds.error());
  Table table({"source", "rule", "path", "records"});
  for (const auto& kind : *kinds) {
    if (listing.as_json) {
      fmt::print(console.out, "{}\n", CanonicalJson(ToObject(app::FactsOf(kind))));
    }
    table.Add({kind.provenance + "/" + kind.endpoint, kind.rule, kind.path, Thousands(kind.count)});
  }
  if (!listing.as_json) fmt::print(console.out, "{}", table.Print(console));
  return kComplete;
}

std::string Outcome(const app::QuarantineReport& report) {
  if (report.problem) return report.problem->message;
  const auto& decided = report.decided;
  if (!decided.is_new) return "was decided like this before";
  if (decided.is_signalled) return "UPDATE will fetch it: `patra update SOURCE --signals`";
  if (!decided.outcome) return "archived";
  switch (*decided.outcome) {
    case domain::Overwrite::kInsert:
      return "taken in";
    case domain::Overwrite::kUpdate:
      return "taken in, over an older version";
    case domain::Overwrite::kUnchanged:
      return "the same is stored already";
    case domain::Overwrite::kStale:
      break;
  }
  return "a newer version is stored already";
}

Result<std::string> ReadFields(const std::string& file, const Console& console) {
  std::ifstream stream;
  if (file != "-") {
    stream.open(file, std::ios::binary);
    if (!stream) return Fail(ErrorCode::kNotFound, fmt::format("{} cannot be read", file));
  }
  std::istream& in = file == "-" ? console.in : stream;
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (text.size() > kFieldsBytesMax)
    return Fail(ErrorCode::kLimit, fmt::format("{} is too large for one record", file));
  return text;
}

Result<app::QuarantineRequest> Complete(QuarantineDecision decision, const Console& console) {
  auto& request = decision.request;
  for (const auto& text : decision.ids) request.ids.push_back(PATRA_TRY(ParseId(text)));
  Narrow(decision.target, request.filter);
  if (!decision.fields_file.empty())
    request.fields = PATRA_TRY(ReadFields(decision.fields_file, console));
  return std::move(request);
}

}  // namespace

int RunQuarantineList(const QuarantineListing& given, app::Quarantine& quarantine,
                      const Console& console) {
  auto listing = given;
  const auto status = domain::QuarantineStatusOf(listing.status);
  if (!status) {
    return PrintError(console, {ErrorCode::kInvalidInput,
                                fmt::format("'{}' is no state", listing.status),
                                {},
                                "OPEN, APPROVED, REJECTED or RETRIED"});
  }
  listing.filter.status = *status;
  Narrow(listing.target, listing.filter);
  if (listing.counts) return PrintCounts(listing, quarantine, console);
  const auto entries = quarantine.List(listing.filter, listing.entries_max);
  if (!entries) return PrintError(console, entries.error());
  if (listing.as_json) {
    for (const auto& entry : *entries)
      fmt::print(console.out, "{}\n", CanonicalJson(ToObject(app::FactsOf(entry))));
    return kComplete;
  }
  if (entries->empty()) {
    fmt::print(console.out, "nothing is quarantined here\n");
    return kComplete;
  }
  Table table({"id", "when", "source", "record", "rule", "path", "reason"});
  for (const auto& entry : *entries) {
    table.Add({fmt::to_string(entry.id), When(entry.created_at), Where(entry.lane),
               entry.item_id.value_or(entry.level == "BATCH" ? "(a whole page)" : "-"), entry.rule,
               entry.path, Short(entry.reason)});
  }
  fmt::print(console.out, "{}", table.Print(console));
  if (!console.quiet)
    fmt::print(console.err, "`patra quarantine show ID` shows one; approve, reject or retry it\n");
  return kComplete;
}

int RunQuarantineShow(const std::string& id, bool as_json, app::Quarantine& quarantine,
                      const Console& console) {
  const auto number = ParseId(id);
  if (!number) return PrintError(console, number.error());
  const auto found = quarantine.Show(*number);
  if (!found) return PrintError(console, found.error());
  const auto& entry = found->entry;
  if (as_json) {
    auto described = ToObject(app::FactsOf(entry));
    described["body"] = found->bytes;
    PrintRecordLine(console, described);
    return kComplete;
  }
  const auto line = [&](std::string_view name, const std::string& value) {
    fmt::print(console.out, "{:<10} {}\n", name, value);
  };
  line("id", fmt::to_string(entry.id));
  line("state", std::string(domain::Code(entry.status)));
  if (entry.decided_by)
    line("decided", fmt::format("by {}: {}", *entry.decided_by, entry.decided_reason.value_or("")));
  line("source", fmt::format("{} {}", Where(entry.lane), Code(entry.lane.operation)));
  line("record", entry.item_id.value_or("without an id"));
  line("level", entry.level);
  line("path", entry.path);
  line("rule", entry.rule);
  line("reason", entry.reason);
  line("fetched", When(found->fetched_at));
  line("lineage",
       fmt::format("plan {} slice {} task {} run {} batch {} (number {}, record {})",
                   entry.lineage.plan, entry.lineage.slice, entry.lineage.task, entry.lineage.run,
                   entry.lineage.batch, entry.batch_no, entry.record_no));
  line("snapshot", entry.expr_hash);
  line("bytes", Thousands(entry.body_size));
  fmt::print(console.out, "\n{}\n", found->bytes);
  return kComplete;
}

int RunQuarantineDecide(QuarantineDecision decision, app::Quarantine& quarantine,
                        const domain::Actor& actor, const Console& console) {
  const bool as_json = decision.as_json;
  const auto request = Complete(std::move(decision), console);
  if (!request) return PrintError(console, request.error());
  const auto reports = quarantine.Decide(*request, actor);
  if (!reports) return PrintError(console, reports.error());
  int exit = kComplete;
  for (const auto& report : *reports) {
    if (as_json) {
      fmt::print(console.out, "{}\n",
                 CanonicalJson(Value::Object{{"id", fmt::to_string(report.id)},
                                             {"done", !report.problem.has_value()},
                                             {"new", report.decided.is_new},
                                             {"signalled", report.decided.is_signalled},
                                             {"outcome", Outcome(report)}}));
    } else if (!console.quiet || report.problem) {
      fmt::print(console.out, "{}: {}\n", report.id, Outcome(report));
    }
    if (!report.problem) continue;
    exit = ExitCodeOf(report.problem->code);
    if (!as_json && !report.problem->hint.empty())
      fmt::print(console.err, "  {}\n", report.problem->hint);
  }
  if (reports->empty() && !as_json) fmt::print(console.out, "nothing matches\n");
  return exit;
}

}  // namespace patra::adapter::cli
