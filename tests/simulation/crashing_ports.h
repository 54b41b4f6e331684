// Ports of which every call may be the last: before it has done anything, or after it is durable and before
// anybody was told.
#pragma once

#include "app/port/id_ledger.h"
#include "app/port/run_ledger.h"
#include "app/port/task_queue.h"
#include "tests/simulation/stage.h"

namespace patra::testing {

template <typename Call>
auto Around(Stage& stage, Call call) {
  stage.Step();
  auto result = call();
  stage.Step();
  return result;
}

class CrashingQueue final : public app::TaskQueue {
 public:
  CrashingQueue(app::TaskQueue& inner, Stage& stage) : inner_(inner), stage_(stage) {}
  Result<std::vector<app::LeasedTask>> Claim(const app::ClaimRequest& request) override {
    return Around(stage_, [&] { return inner_.Claim(request); });
  }
  std::int64_t TakeLostClaims() override { return inner_.TakeLostClaims(); }
  Result<std::vector<Id>> Renew(const std::string& owner, Duration lease) override {
    return Around(stage_, [&] { return inner_.Renew(owner, lease); });
  }
  Result<void> Release(const app::LeasedTask& task, Instant at, const std::string& why) override {
    return Around(stage_, [&] { return inner_.Release(task, at, why); });
  }
  Result<int> RescueExpired() override {
    return Around(stage_, [&] { return inner_.RescueExpired(); });
  }
  Result<void> Requeue(Id task, const app::Decision& decision) override {
    return Around(stage_, [&] { return inner_.Requeue(task, decision); });
  }
  Result<bool> TryAgain(const domain::UnfinishedSlice& slice,
                        const app::Decision& decision) override {
    return Around(stage_, [&] { return inner_.TryAgain(slice, decision); });
  }
  Result<std::int64_t> FreeParked(const std::string& provenance, const std::string& gate_key,
                                  const app::Decision& decision) override {
    return Around(stage_, [&] { return inner_.FreeParked(provenance, gate_key, decision); });
  }
  Result<void> TakeAway(Id task, const app::Decision& decision) override {
    return Around(stage_, [&] { return inner_.TakeAway(task, decision); });
  }
  Result<app::OpenTasks> LookAt(const std::optional<domain::Lane>& only,
                                const app::ShutLanes& shut) override {
    return Around(stage_, [&] { return inner_.LookAt(only, shut); });
  }
  Result<std::optional<domain::TaskWait>> FirstParked(
      const std::optional<domain::Lane>& only) override {
    return Around(stage_, [&] { return inner_.FirstParked(only); });
  }
  Result<std::int64_t> CountOpen(const domain::Lane& lane) override {
    return Around(stage_, [&] { return inner_.CountOpen(lane); });
  }
  Result<app::LaneLatencies> Latencies() override {
    return Around(stage_, [&] { return inner_.Latencies(); });
  }
  Result<app::OpenRequests> CountRequests(const std::string& rate_key, int priority) override {
    return Around(stage_, [&] { return inner_.CountRequests(rate_key, priority); });
  }

 private:
  app::TaskQueue& inner_;
  Stage& stage_;
};

class CrashingLedger final : public app::RunLedger {
 public:
  CrashingLedger(app::RunLedger& inner, Stage& stage) : inner_(inner), stage_(stage) {}
  Result<app::RunOpened> Open(const app::LeasedTask& task, const app::Position& first) override {
    return Around(stage_, [&] { return inner_.Open(task, first); });
  }
  // Now and then the answer of the store is lost, and it is asked again.
  Result<app::BatchCommitted> Commit(const app::BatchCommit& batch) override {
    return Around(stage_, [&] {
      if (stage_.random().Chance(0.02)) (void)inner_.Commit(batch);
      return inner_.Commit(batch);
    });
  }
  Result<void> GiveBack(const app::RunEnd& end) override {
    return Around(stage_, [&] { return inner_.GiveBack(end); });
  }
  Result<void> GiveUp(const app::LeasedTask& task, const std::string& reason) override {
    return Around(stage_, [&] { return inner_.GiveUp(task, reason); });
  }
  Result<app::SliceClosed> Close(const app::SliceClose& close) override {
    return Around(stage_, [&] { return inner_.Close(close); });
  }

 private:
  app::RunLedger& inner_;
  Stage& stage_;
};

}  // namespace patra::testing
