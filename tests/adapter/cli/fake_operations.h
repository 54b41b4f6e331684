// Plans, works and replays nothing: answers with what the test prepared and remembers what it was asked.
#pragma once

#include <functional>

#include "app/api/operations.h"

namespace patra::adapter::cli {

class FakeOperations final : public app::Operations {
 public:
  Result<app::PlanReport> Plan(const app::PlanRequest& request) override {
    asked = request;
    if (const auto meanwhile = while_planning) meanwhile();
    return report;
  }
  Result<app::OperationSummary> Run(const app::PlanRequest& plan, const app::WorkRequest& work,
                                    const OnProgress& tell) override {
    asked = plan;
    asked_work = work;
    tell({.slices = 2});
    return summary;
  }
  Result<app::WorkSummary> Work(const app::WorkRequest& request, const OnWork&) override {
    asked_work = request;
    return summary ? Result<app::WorkSummary>(summary->work) : std::unexpected(summary.error());
  }
  Result<app::PreviewReport> Preview(const app::PlanRequest& request,
                                     const app::PreviewWish& wish) override {
    asked = request;
    asked_preview = wish;
    return preview;
  }
  Result<app::ProposedSource> Propose(const std::string& source, const std::string& url) override {
    asked_url = url;
    return app::ProposedSource{source.empty() ? "host" : source, "source: x  # guess: y\n"};
  }
  Result<app::ReplayReport> Replay(const app::ReplayRequest& request,
                                   const domain::Actor&) override {
    asked_replay = request;
    ++replays;
    if (replay_problem) return std::unexpected(*replay_problem);
    return replay;
  }
  Result<std::vector<domain::HealEntry>> Heal() override {
    return std::vector<domain::HealEntry>{};
  }
  Result<app::RepairReport> Repair(const contract::Certificate&,
                                   const std::vector<std::string>&) override {
    return repair;
  }

  std::function<void()> while_planning{};
  app::PlanRequest asked;
  app::PreviewWish asked_preview;
  std::string asked_url;
  app::WorkRequest asked_work;
  app::ReplayRequest asked_replay;
  int replays = 0;
  Result<app::PlanReport> report = app::PlanReport{};
  Result<app::OperationSummary> summary = app::OperationSummary{};
  app::PreviewReport preview;
  app::RepairReport repair{};
  app::ReplayReport replay{.run = 12,
                           .batch = 13,
                           .lane = {.provenance = "demo", .endpoint = "items"},
                           .got = {.status = 200, .records = 3},
                           .same = 3,
                           .verdict = app::ReplayVerdict::kAgrees};
  std::optional<Error> replay_problem{};
};

}  // namespace patra::adapter::cli
