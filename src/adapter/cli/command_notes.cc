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
constexpr auto kRemapExits = std::to_array<ExitNote>({
    {0, "every page that brought records was read"},
    {1, "some pages are not in the vault, or cannot be read; their records stay as they are"},
    {10,
     "the definition makes nothing of some records; they stay as they are, and stand in "
     "quarantine"},
});
constexpr auto kCheckExits = std::to_array<ExitNote>({
    {0, "nothing is wrong"},
    {78, "something is; all of it is told with file and line"},
});
constexpr auto kJobExits = std::to_array<ExitNote>({
    {0, "done"},
    {78, "something is wrong with a job, and nothing was changed; all of it is told"},
});
constexpr auto kTriggerExits = std::to_array<ExitNote>({
    {0, "it waits for a planner"},
    {1, "an earlier execution of the job is not over"},
    {78, "there is no such job"},
});
constexpr auto kFoundExits = std::to_array<ExitNote>({
    {0, "as it should be"},
    {1, "it is not; what is wrong is told"},
});
constexpr auto kPromoteExits = std::to_array<ExitNote>({
    {0, "all of it is in the other database, and the same"},
    {1, "the other is not empty, or not the same; what differs is told"},
    {75, "an executor works on the store, or a server is away; the same command goes on"},
    {78, "the store has moved already, or a name is wrong"},
});
constexpr auto kServeExits = std::to_array<ExitNote>({
    {0, "it was told to end, and did"},
    {1, "what was under way did not end in time; others go on with it"},
    {2, "an option is wrong"},
    {78, "the configuration is wrong"},
});
constexpr auto kDoctorExits = std::to_array<ExitNote>({
    {0, "nothing is wrong; some of it may have to be looked into"},
    {1, "something is wrong"},
});
constexpr auto kPreviewExits = std::to_array<ExitNote>({
    {0, "a page came, and all of its records can be mapped"},
    {1, "the answer is no page"},
    {10, "some records cannot be mapped"},
    {75, "the provider gives no answer, or may not be asked yet: try later"},
    {78, "the definition or a name is wrong"},
});
constexpr auto kEvalExits = std::to_array<ExitNote>({
    {0, "done"},
    {1, "the input cannot be read"},
    {78, "the expression is wrong"},
});

}  // namespace

std::span<const ExitNote> ExitsOf(std::string_view command) {
  struct CommandExits {
    std::string_view command;
    std::span<const ExitNote> exits;
  };
  static constexpr auto kExits = std::to_array<CommandExits>({
      {"", kAllExits},
      {"demo", kFoundExits},
      {"harvest", kRunExits},
      {"backfill", kRunExits},
      {"update", kRunExits},
      {"work", kRunExits},
      {"serve", kServeExits},
      {"doctor", kDoctorExits},
      {"plan harvest", kPlanExits},
      {"plan backfill", kPlanExits},
      {"plan update", kPlanExits},
      {"replay", kReplayExits},
      {"remap", kRemapExits},
      {"verify", kVerifyExits},
      {"source check", kCheckExits},
      {"source test", kFoundExits},
      {"source preview", kPreviewExits},
      {"registry apply", kCheckExits},
      {"schedule set", kJobExits},
      {"schedule apply", kJobExits},
      {"schedule trigger", kTriggerExits},
      {"db check", kFoundExits},
      {"db promote", kPromoteExits},
      {"config show", kCheckExits},
      {"eval jsonpath", kEvalExits},
      {"eval xpath", kEvalExits},
      {"eval canonical", kEvalExits},
      {"eval template", kEvalExits},
      {"eval cron", kEvalExits},
  });
  const auto* found = std::ranges::find(kExits, command, &CommandExits::command);
  return found == kExits.end() ? std::span<const ExitNote>() : found->exits;
}

const std::vector<CommandGroup>& CommandGroups() {
  static const std::vector<CommandGroup> groups{
      {"Start here", {"demo", "init", "source", "config"}},
      {"Harvest", {"harvest", "backfill", "update", "plan", "work"}},
      {"Serve", {"serve", "schedule", "doctor"}},
      {"Look", {"status", "verify", "items", "slice", "task", "run", "batch", "cursor"}},
      {"Trouble",
       {"alerts", "quarantine", "fuse", "signal", "heal", "replay", "remap", "gate", "audit"}},
      {"Store", {"db", "registry", "token"}},
      {"More", {"eval", "help", "completion", "manual"}},
  };
  return groups;
}

}  // namespace patra::adapter::cli
