#include "boot/demo.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "base/time.h"
#include "boot/demo_source.h"
#include "boot/engine.h"
#include "infra/definitions/yaml_files.h"
#include "sim/simulator.h"

namespace patra::boot {
namespace {

using namespace std::chrono_literals;

// The simulated world's time: it stands still but for the jump between the two harvests, so that everything in the window
// is known when the result is compared; and while somebody waits for it to pass.
class WorldClock final : public Clock {
 public:
  explicit WorldClock(const sim::Simulator& simulator) : simulator_(simulator) {}
  Instant Now() const override { return simulator_.WorldNow() + Duration(slept_.load()); }
  Duration Elapsed() const override { return real_.Elapsed(); }
  void SleepFor(Duration duration) override {
    real_.SleepFor(duration);
    slept_ += duration.count();
  }

 private:
  const sim::Simulator& simulator_;
  SystemClock real_;
  std::atomic<Duration::rep> slept_{0};
};

Result<StoreAddress> AddressFor(const adapter::cli::DemoRequest& request) {
  if (request.database.starts_with("sqlite:")) return StoreAddress::Parse(request.database);
  if (!request.database.empty()) return StoreAddress::OfFile(request.database);
  auto folder = (std::filesystem::temp_directory_path() / "patra-demo-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr)
    return Fail(ErrorCode::kUnavailable, "no temporary folder can be made");
  return StoreAddress::OfFile(folder + "/demo.db");
}

// The one definition that the demo goes by.
class DemoDefinitions final : public app::DefinitionFiles {
 public:
  DemoDefinitions(const std::string& url, Instant begin) : text_(DemoDefinition(url, begin)) {}

  Result<std::vector<app::DefinitionFile>> ReadFolder(const std::string& folder) override {
    return std::vector{PATRA_TRY(ReadFile(folder))};
  }
  Result<app::DefinitionFile> ReadFile(const std::string& /*path*/) override {
    return infra::definitions::ParseYaml(text_, "demo.yaml");
  }
  Result<std::string> ReadText(const std::string& /*path*/) override { return text_; }
  std::string Print(const domain::DefinitionNode& tree) override {
    return infra::definitions::YamlFiles().Print(tree);
  }

 private:
  const std::string text_;
};

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
                                                          .late_by = kDemoLatestArrival}));
  const auto address = PATRA_TRY(AddressFor(request));
  WorldClock clock(*simulator);
  DemoDefinitions definitions(simulator->url(), begin);
  const auto engine = PATRA_TRY(Engine::Open(
      {.database = address.url(), .allow_loopback = true, .files = &definitions}, clock));
  auto operations = engine->operations("demo");

  adapter::cli::DemoReport report{.url = simulator->url(), .database = address.name()};
  const auto harvest = [&](const std::string& title, std::int64_t expected) -> Result<void> {
    adapter::cli::DemoStage stage{.title = title};
    stage.summary = PATRA_TRY(operations.Run(
        {.source = {.target = "demo"}}, {.workers = 1},
        [&](const app::OperationProgress& progress) { on_progress(title, progress, expected); }));
    if (!stage.summary.plan.problems.empty())
      return std::unexpected(stage.summary.plan.problems.front());
    if (stage.summary.watermark) {
      const auto difference = PATRA_TRY(CompareWithTruth(*simulator, engine->store().read().items(),
                                                         begin, *stage.summary.watermark));
      stage.truth = difference.truth;
      stage.missing = difference.missing;
      stage.wrong = difference.wrong;
    }
    report.stages.push_back(std::move(stage));
    return {};
  };

  PATRA_TRY(harvest("first harvest", request.records));
  simulator->Advance(std::chrono::days(7));
  PATRA_TRY(harvest("a week later", 0));
  return report;
}

}  // namespace patra::boot
