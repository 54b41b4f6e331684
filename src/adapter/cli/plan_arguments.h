// The command-line arguments of planning and cancelling.
#pragma once

#include "adapter/cli/plan_command.h"
#include "adapter/cli/scene.h"

namespace CLI {
class App;
}

namespace patra::adapter::cli {

inline constexpr const char* kAboutHarvest = "From the watermark to now: what is new and changed";
inline constexpr const char* kAboutBackfill = "The past, newest first";
inline constexpr const char* kAboutUpdate = "Fetch known records again by their ids";

inline constexpr std::int64_t kRequestsMost = 1'000'000'000;  // of one command
inline constexpr int kPageSizeMost = 1'000'000;

// What every operation understands, and what each does.
using AddOptions = void(CLI::App& sub, PlanCommand& command);
AddOptions AddPlanOptions;
AddOptions AddHarvestOptions;
AddOptions AddBackfillOptions;
AddOptions AddUpdateOptions;

// harvest, backfill, update, policy and cancel of `plan`, and cancel of `slice` and `task`: commands that are made
// where they are not there yet.
void AddPlan(CLI::App& app, const Scene& scene);

}  // namespace patra::adapter::cli
