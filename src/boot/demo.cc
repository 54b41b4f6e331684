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
  if (!request.database.empty()) return StoreAddress::Parse(request.database);
  auto folder = (std::filesystem::temp_directory_path() / "patra-demo-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr)
    return Fail(ErrorCode::kUnavailable, "no temporary folder can be made");
  return StoreAddress::OfFile(folder + "/demo.db");
}

// The one definition that the demo goes by.
class DemoDefinitions final : public app::DefinitionFiles {
 public:
  DemoDefinitions(const std::string& url, const DemoWorld& world)
      : text_(DemoDefinition(url, world)) {}

  Result<std::vector<app::DefinitionFile>> ReadFolder(const std::string& folder) override {
    return std::vector{PATRA_TRY(ReadFile(folder))};
  }
  Result<app::DefinitionFile> ReadFile(const std::string& /*path*/) override {
    return infra::definitions::ParseYaml(text_, "demo.yaml");
  }
  Result<std::string> ReadText(const std::string& /*path*/) override { return text_; }
  app::DefinitionFile Parse(const std::string& text, const std::string& path) override {
    return infra::definitions::ParseYaml(text, path);
  }
  Result<void> Write(const std::string& path, const std::string& text) override {
    return infra::definitions::YamlFiles().Write(path, text);
  }
  std::string Print(const domain::DefinitionNode& tree) override {
    return infra::definitions::YamlFiles().Print(tree);
  }

 private:
  const std::string text_;
};

constexpr auto kHistory = std::chrono::days(365 * 2);  // before the first harvest
constexpr auto kStep = std::chrono::days(7);           // between two harvests
// The first harvest was this long ago, so that a few demos pass before a world's weeks lie in the future.
constexpr auto kBehind = 8 * kStep;

// How far a demo is.
struct Standing {
  DemoWorld world;
  int steps = 0;  // of time that passed since the first harvest
};

// A demo in a store that has one goes on in the same world: another one would contradict what is stored.
Result<std::optional<Standing>> StandingIn(const StoreAddress& address) {
  if (!address.Exists()) return std::nullopt;
  SystemClock clock;
  const auto store = PATRA_TRY(OpenStore(address, StoreUse::kLook, clock));
  const auto status = PATRA_TRY(store->read().status().Status(clock.Now()));
  for (const auto& endpoint : status.endpoints) {
    if (endpoint.source != "demo") continue;
    // The world's time runs ahead of ours, and with it the time from which definitions are valid.
    const auto at = std::max(endpoint.watermark.value_or(clock.Now()), clock.Now()) + kStep;
    for (const auto& definition : PATRA_TRY(store->registry().Export(at))) {
      const auto* source = definition.Find("source");
      const auto world = WorldOf(definition);
      if (source == nullptr || source->text != "demo" || !world) continue;
      const auto after_first = endpoint.watermark.value_or(world->begin) - world->begin - kHistory;
      const auto steps = (after_first + kStep / 2) / Duration(kStep);
      return Standing{.world = *world, .steps = static_cast<int>(std::max<std::int64_t>(steps, 0))};
    }
    return Fail(ErrorCode::kConflict,
                fmt::format("{} has a source 'demo' that no demo made", address.name()), {},
                "name another file, or none");
  }
  return std::nullopt;
}

Result<Standing> StandingFor(const adapter::cli::DemoRequest& request,
                             const StoreAddress& address) {
  const auto found = PATRA_TRY(StandingIn(address));
  auto standing = found.value_or(Standing{});
  const auto records = request.records.value_or(standing.world.records);
  const auto seed = request.seed.value_or(standing.world.seed);
  if (found && (records != standing.world.records || seed != standing.world.seed)) {
    return Fail(ErrorCode::kConflict,
                fmt::format("{} has a demo of {} records with seed {}", address.name(),
                            standing.world.records, standing.world.seed),
                {}, "the same command without numbers goes on with it; or name another file");
  }
  if (!found) {
    const auto now = std::chrono::floor<std::chrono::hours>(SystemClock().Now());
    standing.world = {.records = records, .seed = seed, .begin = now - kBehind - kHistory};
  }
  return standing;
}

}  // namespace

Result<adapter::cli::DemoReport> RunDemo(
    const adapter::cli::DemoRequest& request,
    const adapter::cli::Services::OnDemoProgress& on_progress) {
  const auto address = PATRA_TRY(AddressFor(request));
  const auto standing = PATRA_TRY(StandingFor(request, address));
  const auto& world = standing.world;
  const auto simulator = PATRA_TRY(sim::Simulator::Start({.seed = world.seed,
                                                          .size = world.records,
                                                          .providers = {"rest"},
                                                          .begin = world.begin,
                                                          .now = world.begin + kHistory,
                                                          .late_by = kDemoLatestArrival}));
  simulator->Advance(standing.steps * kStep);
  WorldClock clock(*simulator);
  DemoDefinitions definitions(simulator->url(), world);
  const auto engine = PATRA_TRY(Engine::Open({.database = address.url(),
                                              .allow_loopback = true,
                                              .log = request.log,
                                              .files = &definitions},
                                             clock));
  app::SecretMask mask(engine->mask_ports({}));
  auto operations = engine->operations("demo", mask);

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
                                                         world.begin, *stage.summary.watermark));
      stage.truth = difference.truth;
      stage.missing = difference.missing;
      stage.wrong = difference.wrong;
    }
    report.stages.push_back(std::move(stage));
    return {};
  };

  if (standing.steps == 0) PATRA_TRY(harvest("first harvest", world.records));
  simulator->Advance(kStep);
  PATRA_TRY(harvest(standing.steps == 0 ? "a week later" : "another week", 0));
  return report;
}

}  // namespace patra::boot
