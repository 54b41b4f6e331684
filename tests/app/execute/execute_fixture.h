// One run over a slice with ledgers in memory, and every part of the executor, on a provider made of a function.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/execute/execute_task.h"
#include "tests/app/send/send_fixture.h"

namespace patra::testing {

// Remembers what it was told, and goes on wherever a batch wants to, unless an outcome was prepared.
class FakeRunLedger final : public app::RunLedger {
 public:
  Result<app::RunOpened> Open(const app::LeasedTask& task, const app::Position& first) override {
    auto run = opened;
    run.lineage = task.lineage;
    if (!run.is_resumed) run.start = first;
    return run;
  }
  Result<app::BatchCommitted> Commit(const app::BatchCommit& batch) override {
    if (on_commit) on_commit(batch);
    if (!outcomes.empty()) {
      auto outcome = std::move(outcomes.front());
      outcomes.pop_front();
      return outcome;
    }
    commits.push_back(batch);
    const auto good = static_cast<std::int64_t>(batch.records.size() + batch.found_ids.size());
    const auto bad = static_cast<std::int64_t>(batch.bad_records.size());
    return app::BatchCommitted{.counts = {.received = good + bad + batch.filtered,
                                          .inserted = good,
                                          .quarantined = bad,
                                          .filtered = batch.filtered,
                                          .repeated = batch.repeated},
                               .next_batch = static_cast<Id>(commits.size()) + 1,
                               .after = batch.after};
  }
  Result<void> GiveBack(const app::RunEnd& end) override {
    given_back.push_back(end);
    return {};
  }
  Result<void> GiveUp(const app::RunGivenUp& end) override {
    given_up.push_back(end.reason);
    return {};
  }
  Result<app::SliceClosed> Close(const app::SliceClose& close) override {
    if (close_error && !close.children.empty()) return std::unexpected(*close_error);
    if (short_whole && close.is_read) {
      auto whole = *short_whole;
      if (!close.wholes.empty()) {
        whole.sum.now = close.wholes.back().announced;
        whole.sum.parts_now = close.wholes.back().parts;
      }
      whole.verdict = domain::Judge(whole.sum, close.may_gain);
      if (whole.verdict != domain::PartsVerdict::kReach)
        return app::SliceClosed{.short_whole = whole};
    }
    closed.push_back(close);
    return app::SliceClosed{};
  }

  app::RunOpened opened{};
  std::deque<Result<app::BatchCommitted>> outcomes;  // of the next commits
  std::function<void(const app::BatchCommit&)> on_commit;
  std::optional<Error> close_error;            // for slices that are cut
  std::optional<app::ShortWhole> short_whole;  // that the next slice is the last part of

  std::vector<app::BatchCommit> commits;
  std::vector<app::RunEnd> given_back;
  std::vector<app::SliceClose> closed;
  std::vector<std::string> given_up;
};

class FakeIdLedger final : public app::IdLedger {
 public:
  Result<std::vector<std::string>> NextOpen(Id, int ids_max) override {
    std::vector<std::string> next;
    for (const auto& id : open) {
      if (static_cast<int>(next.size()) < ids_max) next.push_back(id);
    }
    return next;
  }
  Result<std::vector<std::string>> Known(const domain::Lane&, int) override { return known; }

  // A batch that is committed.
  void Answer(const app::BatchCommit& batch) {
    for (const auto& id : batch.answered_ids) open.erase(id);
    for (const auto& bad : batch.bad_ids) open.erase(bad.id);
  }

  std::set<std::string> open;
  std::vector<std::string> known;
};

class FakeHolds final : public app::HoldRepository {
 public:
  Result<void> Pause(const domain::Hold&, const app::Decision&) override { return {}; }
  Result<void> Resume(const std::string&, const std::string&, const app::Decision&) override {
    return {};
  }
  Result<void> Forgive(const std::string&, const std::string&, const app::Decision&) override {
    return {};
  }
  Result<void> Blow(const domain::Hold& fuse, const std::string&) override {
    blown.push_back(fuse);
    return {};
  }
  Result<void> Reset(const std::string&, const std::string&, const app::Decision&) override {
    if (reset_error) return std::unexpected(*reset_error);
    return {};
  }
  Result<std::vector<domain::Fuse>> Fuses(const domain::FuseFilter&) override {
    return std::vector<domain::Fuse>{};
  }
  Result<std::vector<domain::Hold>> Holds(domain::Role) override { return blown; }

  std::vector<domain::Hold> blown;
  std::optional<Error> reset_error;
};

inline std::string ParameterOf(const app::HttpRequest& request, const std::string& name) {
  for (const auto* separator : {"?", "&"}) {
    const auto at = request.url.find(separator + name + "=");
    if (at == std::string::npos) continue;
    const auto begin = at + name.size() + 2;
    return request.url.substr(begin, request.url.find('&', begin) - begin);
  }
  return {};
}

inline std::int64_t NumberOf(const app::HttpRequest& request, const std::string& name) {
  return std::stoll(ParameterOf(request, name));
}

// A page of records with these ids.
inline app::HttpResponse PageOf(const std::vector<std::string>& ids,
                                std::optional<std::int64_t> total = std::nullopt) {
  std::string items;
  for (const auto& id : ids) {
    items += fmt::format(R"({}{{"id":"{}","title":"of {}","updated":"2025-12-31T01:00:00Z"}})",
                         items.empty() ? "" : ",", id, id);
  }
  const auto body = total ? fmt::format(R"({{"total":{},"items":[{}]}})", *total, items)
                          : fmt::format(R"({{"items":[{}]}})", items);
  return {.status = 200, .content_type = "application/json", .body = body};
}

inline app::HttpResponse Refusal(int status) {
  return {.status = status, .content_type = "application/json", .body = R"({"error":"no"})"};
}

template <typename Records>
std::vector<std::string> IdsIn(const Records& records) {
  std::vector<std::string> ids;
  for (const auto& record : records) ids.push_back(record.id);
  return ids;
}

// What fails, fails for good at once: retries and breakers have tests of their own (fetch_page, gate).
class ExecuteRoom : public SenderTest {
 protected:
  ExecuteRoom() {
    spec_.http.path = "/items";
    spec_.http.query = {{"from", "${window.from}"},
                        {"to", "${window.to}"},
                        {"page", "${page.number}"},
                        {"size", "${page.size}"}};
    spec_.paging = {.size = 4, .ends = {domain::WalkEnd::kShortPage}};
    spec_.window.settles = true;
    spec_.response = {.items = "$.items", .id = {"$.id"}, .updated = "$.updated"};
    spec_.fields = {{.name = "title", .path = "$.title", .required = true}};
    spec_.retry.attempts_max = 1;
    spec_.retry.circuit_failures_max = 1'000;
    runs_.opened.was_any_empty = true;
    runs_.on_commit = [this](const auto& batch) { ids_.Answer(batch); };
  }

  // What the provider answers from here on.
  void Serve(std::function<app::HttpResponse(const app::HttpRequest&)> provider) {
    transport_.script = [this, provider = std::move(provider)](const app::HttpRequest& request) {
      auto answer = provider(request);
      answer.received_at = clock_.Now();
      return answer;
    };
  }
  void CountExactly() {
    spec_.response.total = "$.total";
    spec_.response.total_kind = domain::TotalKind::kExact;
  }

  // The run that `runs_.opened` describes. What the test changes of spec, task and policy has to be changed before.
  app::SliceRun& Open() {
    auto opened = *runs_.Open(task_, domain::Walk(spec_, task_.slice).Start());
    run_.emplace(task_, on_batch_, on_wait_, app::HoldsLease{}, **sources_.Of(spec_),
                 std::move(opened), policy_.failures_max);
    run_->started = clock_.Elapsed();
    return *run_;
  }

  bool HasLogged(const std::string& event) const {
    return std::ranges::any_of(log_.lines, [&](const auto& line) { return line.event == event; });
  }

  const Instant from_{std::chrono::sys_days{std::chrono::year{2025} / 12 / 31}};
  app::LeasedTask task_{
      .lineage = {.trigger = 1, .plan = 2, .slice = 3, .task = 4, .run = 5, .batch = 6},
      .lane = {.provenance = "demo", .endpoint = "items"},
      .plan_window = *domain::Window::Between(from_, from_ + std::chrono::hours(8)),
      .slice = {.window = *domain::Window::Between(from_, from_ + std::chrono::hours(8))}};
  app::ExecutePolicy policy_{.fetch_ahead = false};
  FakeRunLedger runs_;
  FakeIdLedger ids_;
  FakeHolds holds_;
  app::StopRequest stop_;
  app::CompiledSources sources_;
  std::vector<app::BatchReport> reports_;
  const app::OnBatch on_batch_ = [this](const auto& report) { reports_.push_back(report); };
  const app::OnGateWait on_wait_ = [](const auto&) {};

  const app::ExecutePorts ports_{runs_, ids_, holds_, clock_, log_, stop_};
  app::FetchPage fetch_{sender_, clock_, log_, stop_};
  app::FindBlame blame_{fetch_, ports_, policy_};
  const app::CommitPage commit_{ports_, policy_};
  const app::CloseSlice close_{fetch_, ports_, policy_};
  app::WalkPages walk_pages_{fetch_, blame_, commit_, ports_, policy_};
  app::FetchDetails fetch_details_{fetch_, blame_, commit_, ports_, policy_};
  std::optional<app::SliceRun> run_;
};

}  // namespace patra::testing
