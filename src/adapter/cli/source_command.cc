#include "adapter/cli/source_command.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/table.h"
#include "adapter/cli/text_file.h"
#include "app/api/report_facts.h"

namespace patra::adapter::cli {
namespace {

void ReportAll(const Console& console, const std::vector<Error>& problems) {
  for (const auto& problem : problems) Report(console, problem);
}

void ReportWarnings(const Console& console, const std::vector<Error>& warnings) {
  if (console.quiet) return;
  for (const auto& warning : warnings) {
    fmt::print(console.err, "patra: warning: {}: {}{}{}\n", warning.place.Describe(),
               warning.message, warning.hint.empty() ? "" : "; ", warning.hint);
  }
}

void PrintFindings(const Console& console, const std::vector<Error>& findings,
                   std::string_view severity) {
  for (const auto& finding : findings) {
    PrintJsonLine(console, ToObject(app::FactsOfFinding(finding, severity)));
  }
}

Result<void> CheckFree(const std::string& file) {
  if (!std::filesystem::exists(file)) return {};
  return Fail(ErrorCode::kConflict, fmt::format("{} is there already", file), {},
              "choose another name, or write to it yourself");
}

// Before a provider is asked in vain, where the name is known by then.
Result<void> CheckFree(const SourceCommand& command) {
  if (!command.file.empty()) return CheckFree(command.file);
  return command.target.empty() ? Result<void>{} : CheckFree(command.target + ".yaml");
}

int WriteDefinition(const SourceCommand& command, const std::string& source,
                    const std::string& text, const Console& console) {
  const auto file = command.file.empty() ? source + ".yaml" : command.file;
  if (const auto free = CheckFree(file); !free) return PrintError(console, free.error());
  if (const auto written = WriteTextFile(file, text); !written)
    return PrintError(console, written.error());
  fmt::print(console.out, "{} is written; check it with `patra source check --sources DIR {}`\n",
             file, source);
  if (!command.url.empty() && !console.quiet)
    fmt::print(console.err,
               "its guesses are marked; `patra source preview {}` shows what they bring\n", source);
  return kComplete;
}

}  // namespace

int RunSourceList(const SourceCommand& command, app::SourceLibrary& library,
                  const Console& console) {
  const auto sources = library.List();
  if (!sources) return PrintError(console, sources.error());
  Table table({"source", "name", "endpoints", "state", "file"});
  for (const auto& source : *sources) {
    const auto state = source.problems > 0  ? Several(source.problems, "problem")
                       : source.is_abstract ? "to be extended"
                                            : "ok";
    if (command.as_json) {
      PrintJsonLine(console, ToObject(FactsOf(source)));
    } else {
      table.Add({source.source, source.name, fmt::format("{}", fmt::join(source.endpoints, " ")),
                 state, source.file});
    }
  }
  if (!command.as_json) fmt::print(console.out, "{}", table.Print(console));
  return kComplete;
}

int RunSourceShow(const SourceCommand& command, app::SourceLibrary& library,
                  const Console& console) {
  if (!command.compiled) {
    const auto text = library.ReadDefinition(command.target.substr(0, command.target.find('/')));
    if (!text) return PrintError(console, text.error());
    fmt::print(console.out, "{}", *text);
    return kComplete;
  }
  const auto report = library.Compile(command.target, command.overrides);
  if (!report) return PrintError(console, report.error());
  ReportAll(console, report->problems);
  if (!report->problems.empty()) return kInvalidConfiguration;
  ReportWarnings(console, report->warnings);

  Table table({"value", "is", "from", "where"});
  for (const auto& origin : report->origins) {
    table.Add({origin.path, origin.text, origin.layer, origin.place});
  }
  fmt::print(console.out, "{}/{}\nspec_fingerprint {}\nexpr_proto_hash  {}\n\n{}\n{}\n",
             report->source, report->endpoint, report->spec_fingerprint, report->expr_proto_hash,
             table.Print(console), report->snapshot);
  return kComplete;
}

int RunSourceCheck(const SourceCommand& command, app::SourceLibrary& library,
                   const Console& console) {
  const auto source = command.target.empty() ? std::nullopt : std::optional(command.target);
  const auto check = library.Check(source);
  if (!check) return PrintError(console, check.error());
  const int code = check->problems.empty() ? kComplete : kInvalidConfiguration;
  if (command.as_json) {
    PrintFindings(console, check->problems, "error");
    PrintFindings(console, check->warnings, "warning");
    return code;
  }
  ReportWarnings(console, check->warnings);
  ReportAll(console, check->problems);
  fmt::print(console.out, "{}, {}: {}, {}\n", Several(check->definitions, "definition"),
             Several(check->endpoints, "endpoint"), Several(std::ssize(check->problems), "problem"),
             Several(std::ssize(check->warnings), "warning"));
  return code;
}

int RunSourceTest(const SourceCommand& command, app::SourceLibrary& library,
                  const Console& console) {
  const auto exchanges = library.Test(command.target);
  if (!exchanges) return PrintError(console, exchanges.error());
  std::size_t failures = 0;
  for (const auto& exchange : *exchanges) {
    const bool is_ok = exchange.differences.empty();
    failures += is_ok ? 0 : 1;
    fmt::print(console.out, "{} {}\n", is_ok ? "ok    " : "FAILED", exchange.name);
    for (const auto& difference : exchange.differences)
      fmt::print(console.out, "       {}\n", difference);
  }
  fmt::print(console.out, "{} exchanges, {} not as expected\n", exchanges->size(), failures);
  return failures == 0 ? kComplete : kFailed;
}

int RunSourceInit(const SourceCommand& command, app::SourceLibrary& library,
                  const Console& console) {
  if (const auto named = library.CheckName(command.target); !named)
    return PrintError(console, named.error());
  return WriteDefinition(command, command.target, SourceSkeleton(command.target), console);
}

int RunSourcePropose(const SourceCommand& command, app::Operations& engine,
                     const Console& console) {
  if (const auto free = CheckFree(command); !free) return PrintError(console, free.error());
  const auto proposed = engine.Propose(command.target, command.url);
  if (!proposed) return PrintError(console, proposed.error());
  for (const auto& note : proposed->notes) fmt::print(console.err, "warning: {}\n", note);
  return WriteDefinition(command, proposed->source, proposed->text, console);
}

int RunSourceSchema(const SourceCommand& command, app::SourceLibrary& library,
                    const Console& console) {
  fmt::print(console.out, "{}", command.as_markdown ? library.Guide() : library.Schema());
  return kComplete;
}

int RunSourcePause(const app::PauseRequest& request, app::Holds& holds, const domain::Actor& actor,
                   const Console& console) {
  const auto paused = holds.Pause(request, actor);
  if (!paused) return PrintError(console, paused.error());
  fmt::print(console.out, "{} is paused: no new plans, no new tasks\n", request.target);
  return kComplete;
}

int RunSourceResume(const app::PauseRequest& request, app::Holds& holds, const domain::Actor& actor,
                    const Console& console) {
  const auto resumed = holds.Resume(request.target, request.reason, actor);
  if (!resumed) return PrintError(console, resumed.error());
  fmt::print(console.out, "{} {}\n", request.target, *resumed ? "goes on" : "was not paused");
  return kComplete;
}

std::string SourceSkeleton(const std::string& source) {
  constexpr std::string_view kText =
      R"yaml(# yaml-language-server: $schema=../schema/source.schema.json
# A source of patra. Keys are explained by `patra source schema`; an editor that knows YAML schemas
# completes them.
source: SOURCE
name: What people call it
docs: https://example.org/api/docs        # the page that the numbers below come from
timezone: UTC                             # of dates that name none

http:
  base_url: https://api.example.org
  # contact: ${env:PATRA_CONTACT}         # where the provider asks for an address

# auth:                                   # references, never the secret itself
#   {type: api_key, in: query, name: api_key, keys: "${env:EXAMPLE_KEY}"}

limits:
  - {rate: 1/s}                           # what the provider allows

endpoints:
  items:
    request:
      path: /items
      query:
        from: ${window.from}              # [from, to)
        to: ${window.to}                  # with `ends: inclusive` below, the last moment before
        page: ${page.number}
        size: ${page.size}
    paging: {style: page, first_page: 1, size_max: 100}
    window:
      by: updated_at
      start: 2024-01-01                   # where the first harvest begins
      # ends: inclusive                   # the filter includes `to`, in steps of `granularity`
      safety_lag: 10m                     # how late a record may show up
      # settles: true                     # nothing shows up later: then an exact total proves one walk, else two have to agree
      width: 1h..1d
    response:
      items: $.items
      id: $.id
      updated: $.updated                  # or `none`
      total: $.total
    fields:
      title: {path: $.title, required: true}
    # errors:                             # what answers mean that are no pages
    #   - {status: 404, then: empty}        # only where the provider says so when there is nothing
)yaml";
  std::string text(kText);
  text.replace(text.find("SOURCE"), std::string_view("SOURCE").size(), source);
  return text;
}

}  // namespace patra::adapter::cli
