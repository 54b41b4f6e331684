#include "adapter/cli/preview_command.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/steps.h"
#include "adapter/cli/table.h"
#include "app/api/report_facts.h"
#include "base/plain_text.h"

namespace patra::adapter::cli {
namespace {

constexpr std::size_t kRawBytesShown = 2'000;

// What a provider wrote, on one line.
std::string ForeignLine(const std::string& text, std::size_t bytes_max) {
  return Short(WithoutSteps(text), bytes_max);
}

std::string RecordsLine(const app::PreviewedPage& page) {
  auto line =
      fmt::format("{} mapped, {} bad", Thousands(page.records), Thousands(page.bad_records));
  if (page.ids > 0) line += fmt::format(", {} ids", Thousands(page.ids));
  if (page.announced) line += fmt::format(", {} announced", Thousands(*page.announced));
  return line;
}

// The same request for a POSIX shell.
std::string CurlLine(const app::PreviewedPage& page) {
  std::string line = "curl --compressed";
  if (page.method != "GET") line += " -X " + page.method;
  for (const auto& [name, value] : page.headers)
    line += " -H " + ForShell(fmt::format("{}: {}", name, value));
  if (!page.body.empty()) line += " --data-raw " + ForShell(page.body);
  return line + " " + ForShell(page.url);
}

void PrintPage(const app::PreviewedPage& page, const Console& console) {
  const NamedLines lines(console);
  fmt::print(console.out, "\n{}\n", page.what);
  lines.Add("request", page.method + " " + page.url);
  if (!page.body.empty()) lines.Add("body", page.body);
  lines.Add("curl", CurlLine(page));
  if (!page.answer.empty()) lines.Add("answer", page.answer);
  for (const auto& line : page.outline)
    fmt::print(console.out, "    {}\n", WithoutSteps(SpelledOnOneLine(line)));
  if (!page.verdict.empty()) {
    lines.Add("verdict", page.verdict);
    return;
  }
  lines.Add("records", RecordsLine(page));
  if (!page.next.empty()) lines.Add("next page", ForeignLine(page.next, 500));
  for (const auto& record : page.first_records) {
    fmt::print(console.out, "  {} {}{}\n", SpelledOnOneLine(WithoutSteps(record.id)),
               record.updated, record.is_deleted ? " (deleted)" : "");
    if (!record.raw.empty())
      fmt::print(console.out, "    raw     {}\n", ForeignLine(record.raw, kRawBytesShown));
    fmt::print(console.out, "    mapped  {}\n", ForeignLine(record.mapped, kRawBytesShown));
  }
  for (const auto& bad : page.first_bad)
    fmt::print(console.out, "  bad: {}\n", ForeignLine(bad, kRawBytesShown));
  if (!page.first_ids.empty())
    fmt::print(console.out, "  ids: {}\n",
               ForeignLine(fmt::format("{}", fmt::join(page.first_ids, ", ")), kRawBytesShown));
}

Value ValueOf(const app::PreviewReport& report, const app::PreviewedPage& page) {
  return ToObject(contract::Joined({{{"source", report.source},
                                     {"endpoint", report.endpoint},
                                     {"window", report.window},
                                     {"curl", CurlLine(page)}},
                                    FactsOf(page, std::string::npos)}));
}

}  // namespace

int RunPreview(const PreviewCommand& command, app::Operations& engine, const Console& console) {
  const auto prepared = PreparePlan(command.plan, console);
  if (!prepared) return PrintError(console, prepared.error());
  const auto preview = engine.Preview(*prepared, command.wish);
  if (!preview) return PrintError(console, preview.error());
  for (const auto& problem : preview->problems) Report(console, problem);
  if (!preview->problems.empty()) return kInvalidConfiguration;
  for (const auto& warning : preview->warnings) fmt::print(console.err, "warning: {}\n", warning);
  if (!command.as_json)
    fmt::print(console.out, "{}/{}\n  window      {}\n", preview->source, preview->endpoint,
               preview->window);
  for (const auto& page : preview->pages) {
    if (command.as_json) {
      PrintRecordLine(console, ValueOf(*preview, page));
    } else {
      PrintPage(page, console);
    }
  }
  if (!command.as_json) fmt::print(console.out, "\nnothing was stored\n");
  if (!preview->saved.empty() && !console.quiet)
    fmt::print(console.err, "the exchanges are in {}; `patra source test {}` compares them\n",
               preview->saved, preview->source);
  const auto has = [&](const auto& condition) {
    return std::ranges::any_of(preview->pages, condition);
  };
  if (has([](const auto& page) { return page.is_later; })) return kTryLater;
  if (has([](const auto& page) { return !page.verdict.empty(); })) return kFailed;
  return has([](const auto& page) { return page.bad_records > 0; }) ? kQuarantined : kComplete;
}

}  // namespace patra::adapter::cli
