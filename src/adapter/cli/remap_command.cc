#include "adapter/cli/remap_command.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/progress_bar.h"
#include "adapter/cli/table.h"

namespace patra::adapter::cli {
namespace {

constexpr std::size_t kFieldsShown = 50;
constexpr std::size_t kSampleShown = 60;

std::string Or(const std::string& text, const char* otherwise) {
  return text.empty() ? otherwise : Short(text, kSampleShown);
}

void PrintFields(const app::RemapLook& look, const Console& console) {
  if (look.fields.empty()) return;
  Table table({"field", "records", "such as", "before", "after"});
  for (std::size_t i = 0; i < std::min(look.fields.size(), kFieldsShown); ++i) {
    const auto& [name, change] = look.fields[i];
    bool is_first = true;
    for (const auto& sample : change.samples) {
      table.Add({is_first ? name : "", is_first ? Thousands(change.records) : "",
                 Short(sample.id, kSampleShown), Or(sample.before, "nothing"),
                 Or(sample.after, "nothing")});
      is_first = false;
    }
  }
  fmt::print(console.out, "\n{}", table.Print(console));
  if (look.fields.size() > kFieldsShown)
    fmt::print(console.out, "and {} more fields; --json has them\n",
               look.fields.size() - kFieldsShown);
}

std::string Lost(std::int64_t pages, const std::string& why) {
  auto text = fmt::format(
      "{} that the vault does not have or that cannot be read: their records "
      "stay as they are",
      Several(pages, "page"));
  if (!why.empty()) text += fmt::format("; the first: {}", Short(why, 300));
  return text;
}

void PrintLook(const app::RemapReport& report, const Console& console) {
  const auto& look = report.look;
  const NamedLines lines(console);
  fmt::print(console.out, "{}/{}{}\n", report.source, report.endpoint,
             look.is_whole ? "" : "  a first look");
  lines.Add("pages", fmt::format("{} looked at", Thousands(look.pages)));
  lines.Add("records", fmt::format("{} would change, {} stay the same, {} are new, {} another page "
                                   "decides about",
                                   Thousands(look.changed), Thousands(look.same),
                                   Thousands(look.fresh), Thousands(look.left_alone)));
  if (!look.first_fresh.empty())
    lines.Add("new", Short(fmt::format("{}", fmt::join(look.first_fresh, ", ")), 200));
  if (look.bad > 0)
    lines.Add("bad", fmt::format("{} of which the definition makes nothing: they stay as they are",
                                 Several(look.bad, "record")));
  for (const auto& bad : look.first_bad) lines.Add("", Short(bad, 200));
  if (look.pages_lost > 0) lines.Add("lost", Lost(look.pages_lost, look.why_lost));
  PrintFields(look, console);
}

void PrintOutcome(const app::RemapReport& report, const Console& console) {
  const NamedLines lines(console);
  fmt::print(console.out, "\n{}/{}  mapped anew{}\n", report.source, report.endpoint,
             report.is_taken_up ? ", going on where it was interrupted" : "");
  lines.Add("pages", Thousands(report.pages));
  lines.Add("records", fmt::format("{} new, {} updated, {} the same, {} another page decides about",
                                   Thousands(report.inserted), Thousands(report.updated),
                                   Thousands(report.unchanged), Thousands(report.left_alone)));
  if (report.bad > 0)
    lines.Add("bad", fmt::format("{} stay as they are, {} of them new in quarantine",
                                 Several(report.bad, "record"), Thousands(report.isolated)));
  if (report.pages_lost > 0) lines.Add("lost", Lost(report.pages_lost, report.why_lost));
}

int CodeOf(const app::RemapReport& report) {
  const auto lost = report.dry_run ? report.look.pages_lost : report.pages_lost;
  const auto bad = report.dry_run ? report.look.bad : report.bad;
  if (lost > 0) return kFailed;
  return bad > 0 ? kQuarantined : kComplete;
}

}  // namespace

int RunRemap(const RemapCommand& command, app::Remapping& remapping, const domain::Actor& actor,
             const Clock& clock, const Console& console) {
  ProgressBar bar(console, clock);
  const auto report = remapping.Run(
      command.request, actor,
      [&](const app::RemapReport& look) {
        if (!command.as_json) PrintLook(look, console);
      },
      [&](const app::RemapProgress& progress) {
        bar.Show(command.request.target, progress.records, 0,
                 fmt::format("{} pages", Thousands(progress.pages)));
      });
  bar.Finish();
  if (!report) return PrintError(console, report.error());
  if (command.as_json) {
    PrintJsonLine(console, ToValue(*report));
  } else if (!report->dry_run) {
    PrintOutcome(*report, console);
  }
  return CodeOf(*report);
}

}  // namespace patra::adapter::cli
