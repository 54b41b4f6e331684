#include "adapter/cli/init_command.h"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/source_command.h"
#include "adapter/cli/text_file.h"

namespace patra::adapter::cli {
namespace {

constexpr std::string_view kConfiguration =
    R"yaml(# What patra goes by in this folder. Flags and PATRA_* in the environment count more.
# `patra config show` prints every setting, its value and where it came from.

database: patra.db            # the store: a file; it is made by the first harvest
sources: sources              # the folder of the definitions

# log:
#   level: warn               # debug, info, warn or error
#   format: auto              # text on a terminal, elsewhere JSON, one object a line
#   sample: 1%                # of a service: runs whose batches are logged where they are well
#   slow_statement: 500ms     # statements of the store that take that long are logged

# trace:
#   endpoint: http://127.0.0.1:4318/v1/traces    # a collector that takes spans by OTLP

# network:
#   loopback: false           # whether providers may be on this machine
#   allowed: 10.1.0.0/16      # networks that are not public, divided by commas

# plan:                       # `patra plan policy` names them all
#   tries_max: 3

# heal:                       # `patra heal policy` names them all
#   pause: 15m

# gate:                       # `patra gate policy` names them all
#   rate: 2/s                 # every operation at most so fast, beside what definitions allow
#   url: redis://HOST/0       # one allowance for everybody who uses that Redis

# work:
#   tasks_per_lane: 8         # at once, of one operation at one endpoint; usually what its limits allow
#   tasks_in_all: 64          # at once, in all processes on this store

# retention:                  # what a service moves away and deletes by itself
#   archive_daily: true       # batches, cursor events and raw pages that are old
#   archive_after: 90d
#   gc_daily: true            # what is older than the ages of `keep`
#   keep:
#     changes: 30d
)yaml";

Result<int> Init(const std::filesystem::path& folder, const Console& console) {
  const auto configuration = folder / "patra.yaml";
  const auto example = folder / "sources" / "example.yaml";
  for (const auto& path : {configuration, example}) {
    if (std::filesystem::exists(path)) {
      return Fail(ErrorCode::kConflict, fmt::format("{} is there already", path.string()), {},
                  "nothing was written; choose another folder");
    }
  }
  std::error_code failed;
  std::filesystem::create_directories(folder / "sources", failed);
  if (failed)
    return Fail(ErrorCode::kUnavailable,
                fmt::format("{} cannot be made: {}", folder.string(), failed.message()));
  PATRA_TRY(WriteTextFile(configuration.string(), kConfiguration));
  PATRA_TRY(WriteTextFile(example.string(), SourceSkeleton("example")));
  if (console.quiet) return kComplete;
  const auto there = folder.lexically_normal() == "." ? "" : "cd " + folder.string() + "\n  ";
  fmt::print(console.out,
             "{} and {} are written. Next:\n"
             "  {}patra source check          # the example is right, but its provider does not "
             "exist\n"
             "  patra config show           # what patra goes by here\n",
             configuration.lexically_normal().string(), example.lexically_normal().string(), there);
  return kComplete;
}

}  // namespace

int RunInit(const std::string& folder, const Console& console) {
  return PrintError(console, Init(folder, console));
}

}  // namespace patra::adapter::cli
