// One process over a store and a provider in memory, in virtual time; and the source that it harvests.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/heal/heal_rounds.h"
#include "infra/gate/rate_gate.h"
#include "infra/sql/adjustment_repository.h"
#include "infra/sql/cursor_repository.h"
#include "infra/sql/duty_roster.h"
#include "infra/sql/gate_ledger.h"
#include "infra/sql/heal_journal.h"
#include "infra/sql/health_reader.h"
#include "infra/sql/hold_repository.h"
#include "infra/sql/id_ledger.h"
#include "infra/sql/plan_history.h"
#include "infra/sql/plan_repository.h"
#include "infra/sql/query_book.h"
#include "infra/sql/run_ledger.h"
#include "infra/sql/signal_repository.h"
#include "infra/sql/task_queue.h"
#include "infra/sql/update_candidates.h"
#include "infra/sqlite/backup.h"
#include "infra/sqlite/store.h"
#include "tests/run_harvest.h"
#include "tests/simulation/crashing_ports.h"
#include "tests/simulation/model_provider.h"
#include "tests/temporary_folder.h"

namespace patra::testing {

inline const Instant kModelBegin{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

inline domain::SpecSnapshot SourceIn(const std::string& style) {
  using namespace std::chrono_literals;
  domain::SpecSnapshot spec{.provenance = "model",
                            .endpoint = "items",
                            .http = {.base_url = "https://model.example.org",
                                     .path = "/items",
                                     .query = {{"style", style},
                                               {"from", "${window.from}"},
                                               {"to", "${window.to}"},
                                               {"size", "${page.size}"},
                                               {"page", "${page.number}"},
                                               {"offset", "${page.offset}"},
                                               {"token", "${page.token}"}}},
                            .paging = {.size = 5},
                            .window = {.start = kModelBegin,
                                       .safety_lag = 10min,
                                       .width = 2h,
                                       .width_max = 2h,
                                       .updated_is_filtered = true,
                                       .settles = true},
                            .response = {.items = "$.items",
                                         .id = {"$.id"},
                                         .updated = "$.updated",
                                         .total = "$.total",
                                         .total_kind = domain::TotalKind::kExact},
                            .fields = {{.name = "title", .path = "$.title", .required = true}},
                            .limits = {{.rate = domain::RateSpec{.requests = 100, .per = 1s}}}};
  auto& paging = spec.paging;
  paging.ends = {domain::WalkEnd::kShortPage};
  if (style == "offset") paging.style = domain::PagingStyle::kOffset;
  if (style == "token" || style == "scroll") {
    paging.style = domain::PagingStyle::kToken;
    paging.next = "$.next";
    paging.replayable = style == "token";
    paging.ends = {style == "token" ? domain::WalkEnd::kNoToken : domain::WalkEnd::kShortPage};
  }
  if (style == "members" || style == "header") {
    paging.style = domain::PagingStyle::kToken;
    paging.ends = {domain::WalkEnd::kNoToken};
    std::erase_if(spec.http.query, [](const auto& named) { return named.first == "token"; });
    if (style == "members") {
      paging.next = "$.continue";
      paging.token_kind = domain::TokenKind::kParameters;
    } else {
      paging.next_header = "X-Continuation";
      spec.http.headers = {{"X-Continuation", "${page.token}"}};
    }
  }
  if (style == "time") paging.style = domain::PagingStyle::kTime;
  return spec;
}

// Everything that one process has; it is made anew after every crash.
struct Process {
  Process(const std::string& database, Stage& stage, Clock& clock, app::Transport& transport,
          std::uint64_t incarnation,
          const app::ExecutePolicy& policy = {.fetch_ahead = false, .failures_max = 50})
      : store(*infra::sqlite::Store::Open(
            {.path = database, .migrate = false, .synchronous_full = false}, clock)),
        gate_ledger(*store, clock),
        gate(*infra::gate::RateGate::Open(database + "-gate", gate_ledger, clock, incarnation)),
        ids(clock, incarnation),
        plans(*store, clock, ids),
        cursors(*store, clock, ids),
        real_queue(*store, clock, ids),
        real_runs(*store, clock, ids),
        id_ledger(*store),
        holds(*store, clock, ids),
        history(*store, clock),
        queries(*store, clock),
        signals(*store, clock, ids),
        candidates(*store),
        queue(real_queue, stage),
        runs(real_runs, stage),
        adjustments(*store, clock, ids),
        health(*store, clock),
        journal(*store, ids),
        duties(*store, clock),
        plan_ports{.plans = plans,
                   .cursors = cursors,
                   .queue = queue,
                   .holds = holds,
                   .history = history,
                   .queries = queries,
                   .signals = signals,
                   .candidates = candidates,
                   .gate = gate.get(),
                   .clock = clock,
                   .ids = ids,
                   .adjustments = &adjustments},
        plan(plan_ports),
        backfill(plan_ports),
        sender(*gate, transport, clock),
        execute(runs, id_ledger, holds, sender, sources, clock, log, stop, policy),
        heal({.health = health,
              .journal = journal,
              .holds = holds,
              .plans = plans,
              .queue = queue,
              .adjustments = adjustments,
              .clock = clock,
              .gate = gate.get(),
              .quotas = &gate_ledger,
              .backfill = &backfill}),
        rounds(heal, duties, clock, log, "process-" + std::to_string(incarnation)),
        work(execute, queue, clock, stop, "process-" + std::to_string(incarnation),
             {.heal = &rounds}),
        harvest(plan, work) {}

  std::unique_ptr<infra::sqlite::Store> store;
  infra::sql::GateLedger gate_ledger;
  std::unique_ptr<infra::gate::RateGate> gate;
  IdGenerator ids;
  infra::sql::PlanRepository plans;
  infra::sql::CursorRepository cursors;
  infra::sql::TaskQueue real_queue;
  infra::sql::RunLedger real_runs;
  infra::sql::IdLedger id_ledger;
  infra::sql::HoldRepository holds;
  infra::sql::PlanHistory history;
  infra::sql::QueryBook queries;
  infra::sql::SignalRepository signals;
  infra::sql::UpdateCandidates candidates;
  CrashingQueue queue;
  CrashingLedger runs;
  infra::sql::AdjustmentRepository adjustments;
  infra::sql::HealthReader health;
  infra::sql::HealJournal journal;
  infra::sql::DutyRoster duties;
  app::NoLog log;
  app::StopRequest stop;
  app::CompiledSources sources;
  app::PlanPorts plan_ports;
  app::PlanHarvest plan;
  app::PlanBackfill backfill;
  app::Sender sender;
  app::ExecuteTask execute;
  app::HealOnce heal;
  app::HealRounds rounds;
  app::Work work;
  testing::RunHarvest harvest;
};

// The path of an empty store in that folder. It is a copy: migrating costs more than a whole simulation.
inline std::string EmptyStoreIn(const TemporaryFolder& into) {
  static TemporaryFolder folder;
  static const std::string prepared = [] {
    SystemClock clock;
    EXPECT_TRUE(infra::sqlite::Store::Open({.path = folder.Path("empty.db")}, clock));
    EXPECT_TRUE(infra::sqlite::Backup(folder.Path("empty.db"), folder.Path("copy.db")));
    return folder.Path("copy.db");
  }();
  auto path = into.Path("patra.db");
  std::filesystem::copy_file(prepared, path);
  return path;
}

// r0, r1, … from the beginning on, one after each step.
inline std::vector<ModelRecord> RecordsEvery(Duration step, int count) {
  std::vector<ModelRecord> records;
  for (int i = 0; i < count; ++i)
    records.push_back({fmt::format("r{}", i), kModelBegin + i * step});
  return records;
}

}  // namespace patra::testing
