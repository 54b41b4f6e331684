#include "boot/demo.h"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "base/time.h"
#include "boot/engine.h"
#include "sim/simulator.h"

namespace patra::boot {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLatestArrival = 1h;  // how late a record may show up, after its own update time

// The simulated world's time: it stands still but for the jump between the two harvests, so that
// everything in the window is known when the result is compared.
class WorldClock final : public Clock {
 public:
  explicit WorldClock(const sim::Simulator& simulator) : simulator_(simulator) {}
  Instant Now() const override { return simulator_.WorldNow(); }
  Duration Elapsed() const override { return real_.Elapsed(); }
  void SleepFor(Duration duration) override { real_.SleepFor(duration); }

 private:
  const sim::Simulator& simulator_;
  SystemClock real_;
};

domain::SpecSnapshot DemoSource(const std::string& url, Instant begin) {
  return {.provenance = "demo",
          .endpoint = "items",
          .request = {.base_url = url,
                      .path = "/rest/page/items",
                      .query = {{"from", "${window.from}"},
                                {"to", "${window.to}"},
                                {"page", "${page.number}"},
                                {"size", "${page.size}"},
                                {"deleted", "include"}}},
          .paging = {.size = 100},
          .window = {.start = begin,
                     .safety_lag = 2 * kLatestArrival,
                     .width = 24h * 30,
                     .align = 1min,
                     .watermark_key = "updated_at"},
          .response = {.items = "$.items",
                       .id = "$.id",
                       .updated = "$.updated",
                       .total = "$.total",
                       .deleted = "$.deleted"},
          .fields = {{.name = "title", .path = "$.title", .required = true},
                     {.name = "authors", .path = "$.authors"},
                     {.name = "year", .path = "$.year"},
                     {.name = "kind", .path = "$.kind"},
                     {.name = "abstract", .path = "$.abstract"}},
          .rate = {.requests = 100, .per = 1s}};
}

Result<std::string> DatabaseFile(const adapter::cli::DemoRequest& request) {
  if (!request.database.empty()) {
    const std::string_view prefix = "sqlite:";
    return request.database.starts_with(prefix) ? request.database.substr(prefix.size())
                                                : request.database;
  }
  auto folder = (std::filesystem::temp_directory_path() / "patra-demo-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr)
    return Fail(ErrorCode::kUnavailable, "no temporary folder can be made");
  return folder + "/demo.db";
}

constexpr std::string_view kStoredItem = R"sql(
    SELECT content_hash, deleted_at FROM ing_item
    WHERE provenance_code = 'demo' AND endpoint_name = 'items' AND provider_item_id = :id LIMIT 1)sql";

struct Harvested {
  const sim::Simulator& simulator;
  Engine& engine;
  Instant begin;
};

// Looks every record of the truth up in the store.
Result<void> CompareWithTruth(const Harvested& world, adapter::cli::DemoStage& stage) {
  if (!stage.summary.watermark) return {};
  const auto truth =
      PATRA_TRY(world.simulator.Truth("rest", world.begin, *stage.summary.watermark));
  return world.engine.store().Read([&](infra::sqlite::Connection& connection) -> Result<void> {
    while (const auto entry = truth->Next()) {
      if (entry->silent) continue;
      ++stage.truth;
      auto rows = PATRA_TRY(connection.Query(kStoredItem, entry->id));
      if (!PATRA_TRY(rows.Next())) {
        ++stage.missing;
      } else if (rows.IsNull(1) == entry->deleted ||
                 (!entry->deleted && rows.View(0) != entry->hash)) {
        ++stage.wrong;
      }
    }
    return {};
  });
}

}  // namespace

Result<adapter::cli::DemoReport> RunDemo(
    const adapter::cli::DemoRequest& request,
    const adapter::cli::Services::OnDemoProgress& on_progress) {
  const auto now = std::chrono::floor<std::chrono::hours>(SystemClock().Now());
  const Instant begin = now - std::chrono::days(365 * 2);
  const auto simulator = PATRA_TRY(sim::Simulator::Start({.seed = request.seed,
                                                          .size = request.records,
                                                          .providers = {"rest"},
                                                          .begin = begin,
                                                          .now = now,
                                                          .late_by = kLatestArrival}));
  const auto file = PATRA_TRY(DatabaseFile(request));
  WorldClock clock(*simulator);
  const auto engine = PATRA_TRY(Engine::Open(file, clock));

  adapter::cli::DemoReport report{.url = simulator->url(), .database = file};
  const Harvested world{*simulator, *engine, begin};
  const auto harvest = [&](const std::string& title, std::int64_t expected) -> Result<void> {
    adapter::cli::DemoStage stage{.title = title};
    stage.summary = PATRA_TRY(engine->harvest().Run(
        {.spec = DemoSource(simulator->url(), begin)},
        [&](const app::HarvestProgress& progress) { on_progress(title, progress, expected); }));
    PATRA_TRY(CompareWithTruth(world, stage));
    report.stages.push_back(std::move(stage));
    return {};
  };

  PATRA_TRY(harvest("first harvest", request.records));
  simulator->Advance(std::chrono::days(7));
  PATRA_TRY(harvest("a week later", 0));
  return report;
}

}  // namespace patra::boot
