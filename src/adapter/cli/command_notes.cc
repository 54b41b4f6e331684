#include "adapter/cli/command_notes.h"

#include <algorithm>
#include <array>

namespace patra::adapter::cli {
namespace {

constexpr auto kAllExits = std::to_array<ExitNote>({
    {0, "complete"},
    {1, "failed"},
    {2, "the command line is wrong"},
    {10, "finished, with records in quarantine"},
    {11, "stopped by a limit; the same command goes on"},
    {75, "try later"},
    {77, "refused by the provider's authentication, or a fuse has blown"},
    {78, "the configuration, a definition, a name or an expression is wrong"},
    {130, "interrupted (143: terminated); the same command goes on"},
});
constexpr auto kRunExits = std::to_array<ExitNote>({
    {0, "what was asked for is there and proven, or there is nothing to do"},
    {1, "some of it failed or is not proven; the summary names it"},
    {10, "done, but something stands open in quarantine"},
    {11, "more is left than a limit took; the same command goes on"},
    {75, "not yet: paused, waiting, or somebody else is at it"},
    {77, "the provider refuses us, or a fuse has blown"},
    {78, "the definition, the configuration or a name is wrong"},
    {130, "interrupted (143: terminated); the same command goes on"},
});
constexpr auto kPlanExits = std::to_array<ExitNote>({
    {0, "planned, or there is nothing to plan"},
    {11, "a limit left some of it unplanned"},
    {75, "the source is paused"},
    {77, "a fuse has blown"},
    {78, "the definition, the configuration or a name is wrong"},
});
constexpr auto kVerifyExits = std::to_array<ExitNote>({
    {0, "complete"},
    {1, "there are gaps"},
    {10, "complete, but records are in quarantine"},
    {78, "there is no such source or endpoint"},
});
constexpr auto kReplayExits = std::to_array<ExitNote>({
    {0, "the records are those that are stored"},
    {1, "something differs, or there was no page"},
    {10, "--mode isolate put something into quarantine"},
    {75, "the gate is shut"},
});
constexpr auto kCheckExits = std::to_array<ExitNote>({
    {0, "nothing is wrong"},
    {78, "something is; all of it is told with file and line"},
});
constexpr auto kFoundExits = std::to_array<ExitNote>({
    {0, "as it should be"},
    {1, "it is not; what is wrong is told"},
});
constexpr auto kPreviewExits = std::to_array<ExitNote>({
    {0, "a page came, and all of its records can be mapped"},
    {1, "the answer is no page"},
    {10, "some records cannot be mapped"},
    {78, "the definition or a name is wrong"},
});
constexpr auto kEvalExits = std::to_array<ExitNote>({
    {0, "done"},
    {1, "the input cannot be read"},
    {78, "the expression is wrong"},
});

const std::vector<CommandNotes>& Work() {
  static const std::vector<CommandNotes> notes{
      {"", kAllExits, {"patra demo", "patra init myproject", "patra help harvest"}},
      {"demo", kFoundExits, {"patra demo", "patra demo --db demo.db --records 5000"}},
      {"init", {}, {"patra init", "patra init myproject"}},
      {"harvest",
       kRunExits,
       {"patra harvest crossref/works --to 2026-01-01 --dry-run",
        "patra harvest pubmed --max-requests 500",
        "patra harvest oai-pmh --base-url https://repository.example.org/oai"}},
      {"backfill",
       kRunExits,
       {"patra backfill crossref/works --from 2025-01-01 --to 2025-02-01",
        "patra backfill crossref/works --gaps"}},
      {"update",
       kRunExits,
       {"patra update crossref/works --stale 30d", "patra update crossref/works --ids ids.txt"}},
      {"work", kRunExits, {"patra work --drain", "patra work --concurrency 8"}},
      {"plan harvest", kPlanExits, {"patra plan harvest crossref/works --priority 2"}},
      {"plan backfill",
       kPlanExits,
       {"patra plan backfill crossref/works --auto --until 2020-01-01"}},
      {"plan update", kPlanExits, {"patra plan update crossref/works --signals"}},
      {"plan policy", {}, {"patra plan policy"}},
      {"plan cancel", {}, {"patra plan cancel 17 --reason 'wrong query'"}},
      {"slice cancel", {}, {"patra slice cancel 17 --reason 'not needed'"}},
      {"task cancel", {}, {"patra task cancel 17 --reason 'not needed'"}},
      {"replay",
       kReplayExits,
       {"patra replay 12/34", "patra replay 12/34 --from-raw --mode isolate"}},
      {"verify",
       kVerifyExits,
       {"patra verify crossref/works", "patra verify crossref/works --from 2025-01-01 --repair"}},
  };
  return notes;
}

const std::vector<CommandNotes>& Looking() {
  static const std::vector<CommandNotes> notes{
      {"status", {}, {"patra status", "patra status --json"}},
      {"plan list", {}, {"patra plan list --source crossref --limit 10"}},
      {"plan show", {}, {"patra plan show 17", "patra plan show 17 --origins"}},
      {"plan timeline", {}, {"patra plan timeline 17"}},
      {"slice list", {}, {"patra slice list --plan 17 --status failed"}},
      {"slice show", {}, {"patra slice show 17"}},
      {"slice timeline", {}, {"patra slice timeline 17"}},
      {"task list",
       {},
       {"patra task list --source crossref --status failed",
        "patra task list --error retries_exhausted --json"}},
      {"task show", {}, {"patra task show 17"}},
      {"task timeline", {}, {"patra task timeline 17"}},
      {"task requeue", {}, {"patra task requeue 17 --reason 'the key works again'"}},
      {"run list", {}, {"patra run list --task 17"}},
      {"run show", {}, {"patra run show 17"}},
      {"run timeline", {}, {"patra run timeline 17"}},
      {"batch list", {}, {"patra batch list --run 17 --limit 5"}},
      {"batch show", {}, {"patra batch show 17"}},
      {"batch timeline", {}, {"patra batch timeline 17"}},
      {"cursor list", {}, {"patra cursor list"}},
      {"cursor show", {}, {"patra cursor show 17"}},
      {"cursor timeline", {}, {"patra cursor timeline 17"}},
      {"cursor set",
       {},
       {"patra cursor set crossref/works 2026-01-01 --reason 'a clock was ahead'"}},
      {"items list",
       {},
       {"patra items list --source crossref --updated-from -7d",
        "patra items list --id-prefix 10.1000/ --json"}},
      {"items show", {}, {"patra items show 10.1000/182"}},
      {"items why", {}, {"patra items why 10.1000/182"}},
      {"items export",
       {},
       {"patra items export --source crossref --format csv --out works.csv",
        "patra items export --source crossref --format parquet --out works.parquet",
        "patra items export --source crossref --fields title,issued"}},
      {"gate list", {}, {"patra gate list"}},
      {"gate show", {}, {"patra gate show crossref"}},
      {"gate reset", {}, {"patra gate reset crossref"}},
      {"gate policy", {}, {"patra gate policy"}},
      {"alerts list", {}, {"patra alerts list", "patra alerts list --all --json"}},
      {"alerts silence", {}, {"patra alerts silence 'credential/*' --for 2d --reason 'known'"}},
      {"alerts resolve", {}, {"patra alerts resolve credential/crossref"}},
  };
  return notes;
}

const std::vector<CommandNotes>& Trouble() {
  static const std::vector<CommandNotes> notes{
      {"quarantine list",
       {},
       {"patra quarantine list --counts", "patra quarantine list --source crossref/works"}},
      {"quarantine show", {}, {"patra quarantine show 17"}},
      {"quarantine approve",
       {},
       {"patra quarantine approve 17 --reason 'an empty title is right'"}},
      {"quarantine reject", {}, {"patra quarantine reject 17 18 --reason 'test records'"}},
      {"quarantine retry",
       {},
       {"patra quarantine retry 17",
        "patra quarantine retry --all --source crossref --rule required"}},
      {"quarantine release-id",
       {},
       {"patra quarantine release-id pubmed/articles 123 --reason 'it is back'"}},
      {"fuse list", {}, {"patra fuse list"}},
      {"fuse reset", {}, {"patra fuse reset crossref --reason 'a new key'"}},
      {"signal add",
       {},
       {"patra signal add crossref/works 10.1000/182 --note 'a reader doubts it'"}},
      {"signal list", {}, {"patra signal list --status PLANNED"}},
      {"heal log", {}, {"patra heal log --since -7d"}},
      {"heal run", {}, {"patra heal run"}},
      {"heal policy", {}, {"patra heal policy"}},
      {"heal adjustments", {}, {"patra heal adjustments"}},
      {"heal release",
       {},
       {"patra heal release crossref/works PAGE_SIZE --reason 'the provider is well again'"}},
  };
  return notes;
}

const std::vector<CommandNotes>& Machinery() {
  static const std::vector<CommandNotes> notes{
      {"source list", {}, {"patra source list"}},
      {"source show", {}, {"patra source show crossref", "patra source show crossref --compiled"}},
      {"source check", kCheckExits, {"patra source check", "patra source check crossref"}},
      {"source test", kFoundExits, {"patra source test pubmed"}},
      {"source preview",
       kPreviewExits,
       {"patra source preview crossref/works --from -1d --records 1",
        "patra source preview crossref/works --pages 3 --save-exchange"}},
      {"source schema", {}, {"patra source schema"}},
      {"source init",
       {},
       {"patra source init myapi",
        "patra source init --from-url 'https://api.example.org/items?page=1&size=50'"}},
      {"source pause", {}, {"patra source pause crossref --reason maintenance --until +6h"}},
      {"source resume", {}, {"patra source resume crossref"}},
      {"registry apply", kCheckExits, {"patra registry apply"}},
      {"registry diff", {}, {"patra registry diff"}},
      {"registry export", {}, {"patra registry export", "patra registry export copies"}},
      {"db migrate", {}, {"patra db migrate --db new.db"}},
      {"db check", kFoundExits, {"patra db check --db demo.db"}},
      {"db backup", {}, {"patra db backup copy.db --db demo.db"}},
      {"db restore", {}, {"patra db restore copy.db --db restored.db"}},
      {"config show", kCheckExits, {"patra config show", "patra config show --json"}},
      {"eval jsonpath", kEvalExits, {"patra eval jsonpath '$.items[?@.n > 6].id' page.json"}},
      {"eval xpath", kEvalExits, {"patra eval xpath '//oai:header' page.xml --ns oai=urn:oai"}},
      {"eval canonical", kEvalExits, {"patra eval canonical page.json"}},
      {"eval template",
       kEvalExits,
       {"patra eval template '${now() | formatDateTime(\"yyyy/MM\")}'"}},
      {"eval cron", kEvalExits, {"patra eval cron '30 2 * * *' --tz Europe/Berlin --count 3"}},
      {"help", {}, {"patra help harvest", "patra help task list"}},
      {"completion",
       {},
       {"source <(patra completion bash)",
        "patra completion fish > ~/.config/fish/completions/patra.fish"}},
      {"manual", {}, {"patra manual | man -l -", "patra manual harvest | man -l -"}},
  };
  return notes;
}

}  // namespace

const CommandNotes& NotesOf(std::string_view command) {
  static const CommandNotes none{};
  for (const auto* notes : {&Work(), &Looking(), &Trouble(), &Machinery()}) {
    const auto found = std::ranges::find(*notes, command, &CommandNotes::command);
    if (found != notes->end()) return *found;
  }
  return none;
}

const std::vector<CommandGroup>& CommandGroups() {
  static const std::vector<CommandGroup> groups{
      {"Start here", {"demo", "init", "source", "config"}},
      {"Harvest", {"harvest", "backfill", "update", "plan", "work"}},
      {"Look", {"status", "verify", "items", "slice", "task", "run", "batch", "cursor"}},
      {"Trouble", {"alerts", "quarantine", "fuse", "signal", "heal", "replay", "gate"}},
      {"Store", {"db", "registry"}},
      {"More", {"eval", "help", "completion", "manual"}},
  };
  return groups;
}

}  // namespace patra::adapter::cli
