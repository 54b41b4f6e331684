#include "adapter/cli/demo_command.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/progress_bar.h"
#include "adapter/cli/table.h"
#include "base/time.h"

namespace patra::adapter::cli {
namespace {

void PrintStages(const DemoReport& report, const Console& console) {
  Table table({"harvest", "slices", "requests", "received", "new", "updated", "unchanged",
               "quarantined", "watermark"});
  for (const auto& stage : report.stages) {
    const auto& totals = stage.summary.work.totals;
    const auto& counts = totals.counts;
    table.Add({stage.title, Thousands(stage.summary.work.succeeded), Thousands(totals.requests),
               Thousands(counts.received), Thousands(counts.inserted), Thousands(counts.updated),
               Thousands(counts.unchanged), Thousands(counts.quarantined),
               stage.summary.watermark ? FormatRfc3339(*stage.summary.watermark) : "-"});
  }
  fmt::print(console.out, "\n{}\n", table.Print(console));
}

// Whether everything that the provider has is in the store, and right.
bool PrintTruth(const DemoReport& report, const Console& console) {
  bool correct = true;
  for (const auto& stage : report.stages) {
    correct = correct && stage.summary.complete() && stage.missing == 0 && stage.wrong == 0;
    fmt::print(console.out, "{}: the provider has {} records; {} are missing here, {} are wrong\n",
               stage.title, Thousands(stage.truth), Thousands(stage.missing),
               Thousands(stage.wrong));
  }
  return correct;
}

}  // namespace

int RunDemo(const DemoRequest& request, Services& services, const Clock& clock,
            const Console& console) {
  ProgressBar bar(console, clock);
  const auto report = services.Demo(
      request,
      [&](const std::string& stage, const app::OperationProgress& progress, std::int64_t expected) {
        const auto& work = progress.work;
        bar.Show(stage, progress.Done(), progress.Total().value_or(expected),
                 fmt::format("{} requests, {} of {} slices", Thousands(work.requests),
                             Thousands(work.slices_done),
                             Thousands(std::max<std::int64_t>(progress.slices, work.slices_done))));
      });
  bar.Finish();
  if (!report) return PrintError(console, report.error());

  PrintStages(*report, console);
  const bool correct = PrintTruth(*report, console);
  for (const auto& stage : report->stages) {
    if (stage.summary.work.first_error) Report(console, *stage.summary.work.first_error);
  }
  const bool is_file = !report->database.starts_with("mysql://");
  fmt::print(console.out,
             "\nEverything is in {}. Look at it:\n"
             "  {} \"SELECT provider_item_id, fields FROM v_ing_item LIMIT 3\"\n",
             report->database, is_file ? "sqlite3 " + report->database : "mariadb … -e");
  return correct ? kComplete : kFailed;
}

}  // namespace patra::adapter::cli
