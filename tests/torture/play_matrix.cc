// Every shipped definition, played by real `patra` processes against the simulator: harvest, let the world
// change, harvest again, back-fill the past, spoil records and update them. After each step the store holds the
// truth and every slice balances, whether one executor worked, or four, or four that were killed
// without warning again and again (I12).
//
//   patra_matrix --programs DIR [--short] [--case NAME] [--seconds N] [--seed N]
//
// --short plays each definition in one way only; otherwise every way, and on with the next seed until the
// seconds are over.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "base/random.h"
#include "base/time.h"
#include "infra/sqlite/connection.h"
#include "infra/sqlite/store.h"
#include "sim/program/diff.h"
#include "sim/simulator.h"
#include "tests/child_process.h"
#include "tests/temporary_folder.h"

namespace patra {
namespace {

using namespace std::chrono_literals;
using infra::sqlite::Connection;
using testing::ChildProcess;

constexpr int kComplete = 0;
constexpr int kQuarantined = 10;
constexpr int kTryLater = 75;
constexpr int kExecutors = 4;
constexpr Duration kStepTakesMax = 180s;

enum class Way { kAlone, kFour, kKilled };
constexpr Way kWays[] = {Way::kAlone, Way::kFour, Way::kKilled};

const char* Name(Way way) {
  return way == Way::kAlone  ? "one executor"
         : way == Way::kFour ? "four executors"
                             : "four, killed";
}

struct Case {
  const char* name;
  const char* source;
  const char* endpoint;
  const char* provider;  // of the simulator
  const char* truth;
  const char* base_url;  // below the simulator's
  Way short_way;
  std::vector<std::string> settings{};
  bool can_update = false;
  bool can_resume = true;  // tokens may be sent twice
};

const Case kCases[] = {
    {"rest-page", "sim-rest", "items", "rest", "rest/deleted", "", Way::kKilled, {}, true},
    {"rest-offset", "sim-rest", "by-offset", "rest", "rest/deleted", "", Way::kFour},
    {"rest-token", "sim-rest", "by-token", "rest", "rest/deleted", "", Way::kKilled},
    {"rest-continue", "sim-rest", "by-continue", "rest", "rest/deleted", "", Way::kKilled},
    {"rest-header", "sim-rest", "by-header", "rest", "rest/deleted", "", Way::kAlone},
    {"rest-scroll",
     "sim-rest",
     "by-scroll",
     "rest",
     "rest/deleted",
     "",
     Way::kFour,
     {},
     false,
     false},
    {"rest-url", "sim-rest", "by-url", "rest", "rest/deleted", "", Way::kAlone},
    {"rest-time",
     "sim-rest",
     "by-time",
     "rest",
     "rest/deleted",
     "",
     Way::kFour,
     {"paging.size=1000"}},
    {"rest-ids", "sim-rest", "by-ids", "rest", "rest", "", Way::kFour, {}, true},
    {"crossref",
     "crossref",
     "works",
     "crossref",
     "crossref",
     "/crossref",
     Way::kFour,
     {},
     true,
     false},
    {"pubmed", "pubmed", "articles", "pubmed", "pubmed", "/pubmed", Way::kFour, {}, true},
    {"arxiv", "arxiv", "records", "oai", "oai", "/oai/standard", Way::kAlone},
    {"tushare", "tushare", "daily", "tushare", "tushare", "/tushare", Way::kFour},
};

// The world: three months of history, of which the first harvest leaves the first one to the back-fill.
const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 11 / 1}};
const Instant kMiddle{std::chrono::sys_days{std::chrono::year{2025} / 12 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
constexpr auto kLater = std::chrono::days(10);
constexpr std::int64_t kRecords = 1'500;

constexpr std::string_view kUnbalanced = R"sql(
    SELECT coalesce(group_concat(id || ' ' || status_code || ' announced ' || coalesce(announced, '-') ||
                                 ' received ' || received || ' ' || coalesce(gap, ''), '; '), '')
    FROM (SELECT * FROM ing_plan_slice AS slice
          WHERE received <> inserted + updated + unchanged + stale + quarantined + filtered
             OR (status_code <> 'SUCCEEDED'
                 AND NOT EXISTS (SELECT 1 FROM ing_plan_slice AS child WHERE child.parent_slice_id = slice.id))
          LIMIT 5))sql";
// Every record of the store is told as new by exactly one message of the outbox.
constexpr std::string_view kUntold = R"sql(
    SELECT coalesce(group_concat(id, ', '), '')
    FROM (SELECT item.provider_item_id AS id FROM ing_item AS item
          LEFT JOIN (SELECT told.value AS id, count(*) AS times
                     FROM ing_outbox_message, json_each(payload_json, '$.inserted') AS told
                     WHERE op_type = 'ITEMS_CHANGED' GROUP BY told.value) AS told ON told.id = item.provider_item_id
          WHERE coalesce(told.times, 0) <> 1 LIMIT 5))sql";
// Runs beyond the first of their task: each was cut off by a kill, or lost its lease on a busy machine.
constexpr std::string_view kAccount = R"sql(
    SELECT (SELECT count(*) FROM ing_task_run_batch WHERE status_code IN ('SUCCEEDED', 'SKIPPED')) AS batches,
           (SELECT count(*) - count(DISTINCT task_id) FROM ing_task_run) AS runs_again,
           (SELECT count(DISTINCT parent_slice_id) FROM ing_plan_slice) AS cut)sql";
constexpr std::string_view kLivingIds = R"sql(
    SELECT provider_item_id FROM ing_item WHERE deleted_at IS NULL AND merged_into IS NULL
    ORDER BY provider_item_id LIMIT 100000)sql";
constexpr std::string_view kSpoil = R"sql(
    UPDATE ing_item SET updated_at = updated_at - 1000000, fields = '{}', content_hash = zeroblob(32)
    WHERE rowid % 7 = 0 AND deleted_at IS NULL AND merged_into IS NULL)sql";

std::string Tail(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  return text.size() > 1500 ? text.substr(text.size() - 1500) : text;
}

// One definition, played once.
class Play {
 public:
  static Result<int> Run(const Case& c, Way way, const std::string& programs, std::uint64_t seed) {
    auto simulator = PATRA_TRY(sim::Simulator::Start({.seed = seed,
                                                      .size = kRecords,
                                                      .providers = {c.provider},
                                                      .begin = kBegin,
                                                      .now = kNow,
                                                      // The programs go by real time.
                                                      .clock_offset = Duration::zero(),
                                                      .late_by = Duration::zero(),
                                                      .enforce_limits = false}));
    Play play(c, way, programs, seed, std::move(simulator));
    const auto played = play.All();
    if (played) return play.kills_;
    return Fail(ErrorCode::kCorruption,
                fmt::format("{}, {}, seed {}, {} kills: {}\n{}", c.name, Name(way), seed,
                            play.kills_, played.error().Describe(), Tail(play.log_)));
  }

 private:
  Play(const Case& c, Way way, std::string programs, std::uint64_t seed,
       std::unique_ptr<sim::Simulator> simulator)
      : case_(c),
        way_(way),
        programs_(std::move(programs)),
        simulator_(std::move(simulator)),
        random_(seed),
        source_(fmt::format("played-{}", c.source)) {}

  Result<void> All() {
    PATRA_TRY(WriteDefinitions());
    // The world stands still: up to its own moment nothing is on its way.
    const auto second = kNow + kLater;
    PATRA_TRY(Step("harvest", {"--to", FormatRfc3339(kNow)}, kMiddle, kNow));
    simulator_->Advance(kLater);
    PATRA_TRY(Step("harvest", {"--to", FormatRfc3339(second)}, kMiddle, second));
    PATRA_TRY(Step("backfill", {"--from", FormatRfc3339(kBegin), "--to", FormatRfc3339(kMiddle)},
                   kBegin, second));
    if (!case_.can_update) return {};
    PATRA_TRY(SpoilAndList());
    return Step("update", {"--ids", folder_.Path("ids")}, kBegin, second);
  }

  // The shipped definition, at another address and without a rate to wait for.
  Result<void> WriteDefinitions() {
    const auto folder = folder_.Path("sources");
    std::filesystem::create_directory(folder);
    for (const auto& entry : std::filesystem::directory_iterator(PATRA_SOURCE_DIR "/sources")) {
      if (entry.is_regular_file())
        std::filesystem::copy_file(entry.path(), folder / entry.path().filename());
    }
    std::ofstream(folder + "/played.yaml") << fmt::format(
        "source: {}\nname: played\nextends: {}\n"
        "http: {{base_url: '{}{}', allow_http: true}}\nlimits: [{{rate: 1000/s}}]\n",
        source_, case_.source, simulator_->url(), case_.base_url);
    return {};
  }

  std::vector<std::string> Patra(std::vector<std::string> arguments) const {
    std::vector<std::string> command{programs_ + "/patra", "--quiet", "--db",
                                     "sqlite:" + database_};
    std::ranges::move(arguments, std::back_inserter(command));
    return command;
  }

  std::vector<std::string> Executor(std::vector<std::string> command) const {
    for (const auto* option : {"--allow-loopback", "--concurrency", "1", "--lease", "1s"})
      command.emplace_back(option);
    return command;
  }

  std::vector<std::string> Operation(const std::string& operation,
                                     const std::vector<std::string>& options) const {
    std::vector<std::string> command{operation,   fmt::format("{}/{}", source_, case_.endpoint),
                                     "--sources", folder_.Path("sources"),
                                     "--set",     "window.start=" + FormatRfc3339(kMiddle)};
    for (const auto& setting : case_.settings) {
      command.emplace_back("--set");
      command.push_back(setting);
    }
    command.insert(command.end(), options.begin(), options.end());
    return command;
  }

  Result<void> Step(const std::string& operation, const std::vector<std::string>& options,
                    Instant from, Instant to) {
    simulator_->ClearStats();
    const auto before = PATRA_TRY(Account());
    const auto command = Operation(operation, options);
    const auto done = way_ == Way::kAlone  ? Await(Patra(Executor(command)))
                      : way_ == Way::kFour ? PlanAndWork(command)
                                           : KillUntilDone(command);
    const auto checked = done ? Check(before, from, to) : done;
    if (checked) return {};
    return Fail(checked.error().code, fmt::format("{}: {}", operation, checked.error().message));
  }

  Result<void> Await(const std::vector<std::string>& command) const {
    auto child = PATRA_TRY(ChildProcess::Start(command, log_));
    return Good(child.AwaitUntil(SystemClock().Elapsed() + kStepTakesMax));
  }

  Result<void> Good(std::optional<int> code) const {
    const bool may_quarantine =
        case_.can_update;  // ids that are gone when their details are asked for
    if (code == kComplete || (may_quarantine && code == kQuarantined)) return {};
    return Fail(ErrorCode::kInternal, code ? fmt::format("a process ended with {}", *code)
                                           : "a process does not come to an end");
  }

  Result<void> PlanAndWork(std::vector<std::string> command) const {
    command.insert(command.begin(), "plan");
    PATRA_TRY(Await(Patra(command)));
    std::vector<ChildProcess> executors;
    for (int i = 0; i < kExecutors; ++i)
      executors.push_back(
          PATRA_TRY(ChildProcess::Start(Patra(Executor({"work", "--drain"})), log_)));
    const auto deadline = SystemClock().Elapsed() + kStepTakesMax;
    for (auto& executor : executors) PATRA_TRY(Good(executor.AwaitUntil(deadline)));
    return {};
  }

  // The first process plans, too. Lives grow, so that there is an end.
  Result<void> KillUntilDone(const std::vector<std::string>& command) {
    struct Life {
      ChildProcess child;
      Duration ends;
    };
    SystemClock clock;
    const auto deadline = clock.Elapsed() + kStepTakesMax;
    int killed = 0;
    const auto start = [&](int index) -> Result<Life> {
      const auto life = std::chrono::milliseconds(random_.Between(20, 300 + 100 * killed));
      return Life{
          PATRA_TRY(ChildProcess::Start(
              Patra(Executor(index == 0 ? command : std::vector<std::string>{"work", "--drain"})),
              log_)),
          clock.Elapsed() + life};
    };
    std::vector<Life> lives;
    for (int i = 0; i < kExecutors; ++i) lives.push_back(PATRA_TRY(start(i)));
    while (clock.Elapsed() < deadline) {
      for (int i = 0; i < kExecutors; ++i) {
        auto& life = lives[static_cast<std::size_t>(i)];
        const auto code = life.child.Ended();
        if (code && i == 0) return Good(code);
        // An executor may leave just before the next tasks are planned, and say so.
        if (code && code != kTryLater) PATRA_TRY(Good(code));
        if (!code && clock.Elapsed() < life.ends) continue;
        if (!code) {
          life.child.Kill();
          ++killed;
          ++kills_;
        }
        life = PATRA_TRY(start(i));
      }
      clock.SleepFor(1ms);
    }
    return Fail(ErrorCode::kUnavailable, "the killed executors do not come to an end");
  }

  struct Sums {
    std::int64_t batches = 0;
    std::int64_t runs_again = 0;
    std::int64_t cut = 0;
  };

  Result<Sums> Account() const {
    SystemClock clock;
    const auto store = PATRA_TRY(infra::sqlite::Store::Open({.path = database_}, clock));
    return store->Read([](infra::sql::Session& connection) -> Result<Sums> {
      auto rows = PATRA_TRY(connection.Query(kAccount));
      PATRA_TRY(rows.Next());
      return Sums{rows.Integer("batches"), rows.Integer("runs_again"), rows.Integer("cut")};
    });
  }

  Result<void> Check(const Sums& before, Instant from, Instant to) const {
    const auto difference = PATRA_TRY(sim::Compare({.database = database_,
                                                    .source = case_.truth,
                                                    .url = simulator_->url(),
                                                    .provenance = source_,
                                                    .endpoint = case_.endpoint,
                                                    .from = FormatRfc3339(from),
                                                    .to = FormatRfc3339(to)}));
    if (!difference.empty())
      return Fail(ErrorCode::kCorruption,
                  "the store is not the truth: " + PrintJson(difference.Describe()));
    if (difference.expected < 100) return Fail(ErrorCode::kInternal, "there was nothing to find");
    const auto unbalanced = PATRA_TRY(Text(kUnbalanced));
    if (!unbalanced.empty())
      return Fail(ErrorCode::kCorruption, "slices that do not balance: " + unbalanced);
    const auto untold = PATRA_TRY(Text(kUntold));
    if (!untold.empty())
      return Fail(ErrorCode::kCorruption, "records that were not told exactly once: " + untold);
    return CheckRequests(before);
  }

  // A run that was cut off costs at most the page it had asked for, the one ahead of it, and the page before the
  // pause, by which its successor sees whether the list stood still. A slice that smaller ones take over from costs the page that
  // told so.
  Result<void> CheckRequests(const Sums& before) const {
    if (!case_.can_resume) return {};
    const auto after = PATRA_TRY(Account());
    const auto stats = simulator_->Stats();
    const auto* source = stats.Find("sources")->Find(case_.provider);
    const auto requests = source == nullptr ? 0 : *source->Find("requests")->AsInteger();
    const auto least = after.batches - before.batches;
    const auto most = least + 3 * (after.runs_again - before.runs_again) + after.cut - before.cut;
    if (requests >= least && requests <= most) return {};
    return Fail(ErrorCode::kCorruption,
                fmt::format("{} requests for {} batches in runs of which {} were cut off", requests,
                            least, after.runs_again - before.runs_again));
  }

  Result<std::string> Text(std::string_view sql) const {
    SystemClock clock;
    const auto store = PATRA_TRY(infra::sqlite::Store::Open({.path = database_}, clock));
    return store->Read([&](infra::sql::Session& connection) -> Result<std::string> {
      auto rows = PATRA_TRY(connection.Query(sql));
      PATRA_TRY(rows.Next());
      return rows.Text(infra::sql::kOnly);
    });
  }

  // Every seventh record becomes older and emptier than the provider's; all are listed for the update.
  Result<void> SpoilAndList() const {
    SystemClock clock;
    const auto store = PATRA_TRY(infra::sqlite::Store::Open({.path = database_}, clock));
    return store->Write([&](infra::sql::Session& connection) -> Result<void> {
      std::ofstream ids(folder_.Path("ids"));
      auto rows = PATRA_TRY(connection.Query(kLivingIds));
      while (PATRA_TRY(rows.Next())) ids << rows.View(infra::sql::kOnly) << '\n';
      PATRA_TRY(connection.Run(kSpoil));
      return {};
    });
  }

  const Case& case_;
  const Way way_;
  const std::string programs_;
  const std::unique_ptr<sim::Simulator> simulator_;
  SeededRandom random_;
  const std::string source_;
  testing::TemporaryFolder folder_;
  const std::string database_ = folder_.Path("patra.db");
  const std::string log_ = folder_.Path("log");
  int kills_ = 0;
};

struct Options {
  std::string programs;
  std::string only;
  bool is_short = false;
  std::chrono::seconds seconds{0};
  std::uint64_t seed = 1;
};

int PlayAll(const Options& options) {
  SystemClock clock;
  const auto deadline = clock.Elapsed() + options.seconds;
  auto seed = options.seed;
  int plays = 0, kills = 0;
  do {
    for (const auto& c : kCases) {
      if (!options.only.empty() && options.only != c.name) continue;
      for (const auto way : kWays) {
        if (options.is_short && way != c.short_way) continue;
        const auto begin = clock.Elapsed();
        const auto played = Play::Run(c, way, options.programs, seed);
        if (!played) {
          fmt::print(stderr, "matrix: {}\n", played.error().message);
          return 1;
        }
        fmt::print("matrix: {:<12} {:<15} {:5.1f} s, {} kills\n", c.name, Name(way),
                   std::chrono::duration<double>(clock.Elapsed() - begin).count(), *played);
        std::fflush(stdout);
        ++plays;
        kills += *played;
      }
    }
    ++seed;
  } while (clock.Elapsed() < deadline);
  fmt::print("matrix: {} plays, killed {} times: the store was the truth after every step\n", plays,
             kills);
  return 0;
}

}  // namespace
}  // namespace patra

int main(int argc, char** argv) {
  setenv("TUSHARE_TOKEN", "simulated", 1);  // NOLINT(concurrency-mt-unsafe): before any thread
  patra::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    if (name == "--short") {
      options.is_short = true;
      continue;
    }
    ++i;
    if (name == "--programs") options.programs = value;
    if (name == "--case") options.only = value;
    if (name == "--seconds") options.seconds = std::chrono::seconds(std::atoi(value));
    if (name == "--seed") options.seed = static_cast<std::uint64_t>(std::atoll(value));
  }
  return patra::PlayAll(options);
}
