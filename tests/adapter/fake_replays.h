// Replays nothing: answers with what the test prepared and remembers what it was asked.
#pragma once

#include "adapter/cli/replay_services.h"

namespace patra::adapter::cli {

class FakeReplays final : public ReplayServices {
 public:
  Result<app::ReplayReport> Replay(const ReplayRequest& given) override {
    request = given;
    ++asked;
    if (problem) return std::unexpected(*problem);
    return report;
  }

  ReplayRequest request{};
  int asked = 0;
  app::ReplayReport report{.run = 12,
                           .batch = 13,
                           .lane = {.provenance = "demo", .endpoint = "items"},
                           .got = {.status = 200, .records = 3},
                           .same = 3,
                           .verdict = app::ReplayVerdict::kAgrees};
  std::optional<Error> problem{};
};

}  // namespace patra::adapter::cli
