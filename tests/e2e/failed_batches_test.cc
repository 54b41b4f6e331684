// Whatever a provider does instead of answering: every request that it saw is counted wherever requests are shown, and each
// batch that came to nothing says what was asked and what came.
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include "base/utf8.h"
#include "domain/task/evidence.h"
#include "tests/e2e/sim_rest.h"
#include "tests/e2e/sim_world.h"
#include "tests/run_harvest.h"

namespace patra::failed_batches_test {

using namespace std::chrono_literals;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 12 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
constexpr std::size_t kBytesMax = 16'384;  // of what a batch keeps, whatever came

class FailedBatches : public testing::SimWorld, public ::testing::Test {
 protected:
  // `fault` is JSON; without one the provider is well.
  void Begin(const char* fault) {
    Value::Array faults;
    if (fault != nullptr) faults.push_back(*ParseJson(fault));
    Start({.seed = 9,
           .size = 1'500,
           .providers = {"rest"},
           .begin = kBegin,
           .now = kNow,
           .faults = Value::Object{{"seed", 1}, {"faults", std::move(faults)}}});
    spec_ = testing::SimRest("items", simulator_->url(), kBegin);
    spec_.retry.attempts_max = 2;
    spec_.retry.first_delay = spec_.retry.delay_max = 10ms;
  }

  testing::HarvestSummary Harvest() {
    auto summary = testing::Harvest(*engine_, {.spec = spec_}, {.workers = 0});
    EXPECT_TRUE(summary) << summary.error().Describe();
    return summary ? *std::move(summary) : testing::HarvestSummary{};
  }

  std::int64_t Seen() {
    return *simulator_->Stats().Find("sources")->Find("rest")->Find("requests")->AsInteger();
  }

  std::vector<contract::RunRow> Runs() {
    auto runs = engine_->store().read().ledger().Runs({.rows_max = 1'000});
    EXPECT_TRUE(runs);
    return runs.value_or(std::vector<contract::RunRow>{});
  }

  std::vector<contract::BatchRow> BatchesIn(const std::string& status) {
    std::vector<contract::BatchRow> found;
    for (const auto& run : Runs()) {
      const auto batches =
          engine_->store().read().ledger().Batches({.run = run.id, .rows_max = 1'000});
      EXPECT_TRUE(batches);
      if (!batches) continue;
      std::ranges::copy_if(*batches, std::back_inserter(found),
                           [&](const auto& batch) { return batch.status == status; });
    }
    return found;
  }

  static Value Json(const std::string& text) { return ParseJson(text).value_or(Value()); }

  static std::int64_t Number(const std::string& stats, std::string_view name) {
    const auto value = Json(stats);
    const auto* member = value.Find(name);
    return member == nullptr || member->AsInteger() == nullptr ? -1 : *member->AsInteger();
  }

  // By the provider's own count, of this summary's harvest alone.
  void ExpectAllCounted(const testing::HarvestSummary& summary) {
    std::int64_t by_runs = 0;
    for (const auto& run : Runs())
      by_runs += std::max<std::int64_t>(Number(run.stats, "reqCount"), 0);
    EXPECT_EQ(by_runs, Seen()) << "by the accounts of runs";
    EXPECT_EQ(Count("SELECT sum(requests) FROM ing_batch_rollup"), Seen()) << "by the rollup";
    EXPECT_EQ(summary.work.totals.requests, Seen()) << "by what people are told";
  }

  // What speaks for itself, without a look at the log.
  void ExpectSaid(const contract::BatchRow& batch) {
    const auto request = Json(batch.request_digest);
    ASSERT_NE(request.Find("urlTemplate"), nullptr) << batch.id;
    EXPECT_THAT(*request.Find("urlTemplate")->AsString(), HasSubstr("/rest/page/items"));
    EXPECT_FALSE(batch.response_digest.empty());
    EXPECT_LT(batch.response_digest.size() + batch.stats.size() + batch.request_digest.size(),
              kBytesMax);
    const auto stats = Json(batch.stats);
    const auto* errors = stats.Find("errors");
    ASSERT_NE(errors, nullptr);
    EXPECT_FALSE(errors->AsArray()->empty());
    EXPECT_LE(errors->AsArray()->size(), domain::FailedTries::kKeptMax);
    EXPECT_GT(Number(batch.stats, "reqCount"), 0);
  }

  domain::SpecSnapshot spec_;
};

struct Trouble {
  const char* name;
  const char* fault;
  int status;             // of the answer; 0: none came
  const char* says = "";  // somewhere in what is kept of it
};
void PrintTo(const Trouble& trouble, std::ostream* out) { *out << trouble.name; }

class EveryTrouble : public FailedBatches, public ::testing::WithParamInterface<Trouble> {};

TEST_P(EveryTrouble, LeavesItsEvidenceAndIsCounted) {
  const auto& trouble = GetParam();
  Begin(trouble.fault);
  if (std::string_view(trouble.name) == "Timeout") spec_.http.total_timeout = 50ms;
  const auto summary = Harvest();
  EXPECT_FALSE(summary.complete());
  EXPECT_GT(Seen(), 0);
  ExpectAllCounted(summary);
  const auto failed = BatchesIn("FAILED");
  ASSERT_FALSE(failed.empty());
  for (const auto& batch : failed) {
    // A batch at which the gate was shut already was not asked for.
    if (Number(batch.stats, "reqCount") == 0) continue;
    ExpectSaid(batch);
    const auto response = Json(batch.response_digest);
    const auto* status = response.Find("status");
    EXPECT_EQ(status == nullptr ? 0 : *status->AsInteger(), trouble.status);
    EXPECT_THAT(batch.response_digest + batch.stats, HasSubstr(trouble.says));
    EXPECT_EQ(FindInvalidUtf8(batch.response_digest), std::string::npos);
    EXPECT_EQ(response.Find("firstBytes") != nullptr, trouble.status != 0);
  }
  EXPECT_EQ(BatchesIn("RUNNING").size(), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Faults, EveryTrouble,
    ::testing::Values(
        Trouble{"ServerError", R"({"kind":"server_error","status":502})", 502, "HTTP 502"},
        Trouble{"Timeout", R"({"kind":"latency","delay":"120ms"})", 0, "error"},
        Trouble{"NoByte", R"({"kind":"reset_before_head"})", 0, "error"},
        Trouble{"HalfABody", R"({"kind":"truncated"})", 0, "error"},
        Trouble{"ForBrowsers", R"({"kind":"html"})", 200, "html"},
        Trouble{"TooDeep", R"({"kind":"deep_json"})", 200, "firstBytes"},
        Trouble{"TooLarge", R"({"kind":"gzip_bomb","amount":80})", 0, "larger"},
        Trouble{"Refused", R"({"kind":"auth_expired"})", 401, "L4"},
        Trouble{"HugeHeaders", R"({"kind":"huge_headers","amount":400})", 0, "error"}),
    [](const auto& trouble) { return std::string(trouble.param.name); });

TEST_F(FailedBatches, WhoIsToldToWaitIsGivenBackWithWhatTheGateMadeOfIt) {
  Begin(R"({"kind":"too_many_requests","retry_after":"2h"})");
  const auto summary = Harvest();
  ExpectAllCounted(summary);
  const auto given_back = BatchesIn("GIVEN_BACK");
  ASSERT_FALSE(given_back.empty());
  const auto& batch = given_back.back();
  ExpectSaid(batch);
  EXPECT_EQ(Number(batch.stats, "429Count"), 1);
  EXPECT_EQ(Number(batch.stats, "retryAfterHits"), 1);
  EXPECT_EQ(Number(batch.stats, "demoteEvents"), 1);
  const auto response = Json(batch.response_digest);
  EXPECT_EQ(*response.Find("status"), Value(429));
  ASSERT_NE(response.Find("rate")->Find("cooldownUntil"), nullptr);
  EXPECT_GE(*response.Find("rate")->Find("cooldownUntil")->AsString(), FormatRfc3339(kNow + 2h));
  const auto plan = engine_->store().read().ledger().Plan(batch.plan);
  ASSERT_TRUE(plan);
  EXPECT_THAT(plan->remarks, HasSubstr(R"("slowDowns":[{)"));
  EXPECT_THAT(Runs().back().stats, HasSubstr(R"("qpsDownshift":true)"));
}

TEST_F(FailedBatches, ASliceThatCameThroughTroubleSaysWhatItWas) {
  Begin(R"({"kind":"server_error","positions":[2,4]})");
  const auto summary = Harvest();
  EXPECT_TRUE(summary.complete());
  ExpectAllCounted(summary);
  int told = 0;
  for (const auto& batch : BatchesIn("SUCCEEDED")) {
    if (Number(batch.stats, "retryCount") == 0) continue;
    ++told;
    EXPECT_THAT(batch.stats, HasSubstr("HTTP 503"));
    EXPECT_GT(Number(batch.stats, "backoffTotalMs"), 0);
  }
  EXPECT_EQ(told, 2);
}

TEST_F(FailedBatches, WhoIsKilledLeavesABatchOfWhichNobodyClaimsToKnowAnything) {
  Begin(nullptr);
  spec_.paging.size = 50;
  engine_.reset();
  const pid_t pid = fork();
  if (pid == 0) {
    auto engine = boot::Engine::Open({.database = database_, .allow_loopback = true}, *clock_);
    if (!engine) _exit(1);
    (void)testing::Harvest(**engine, {.spec = spec_}, {.workers = 0}, [](const auto& progress) {
      if (progress.work.counts.received >= 150) _exit(9);
    });
    _exit(2);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 9);
  const auto seen_then = Seen();
  clock_->SleepFor(1min);
  auto engine = boot::Engine::Open({.database = database_, .allow_loopback = true}, *clock_);
  ASSERT_TRUE(engine);
  engine_ = *std::move(engine);
  const auto summary = Harvest();
  EXPECT_TRUE(summary.complete());
  const auto given_back = BatchesIn("GIVEN_BACK");
  ASSERT_THAT(given_back, SizeIs(1));
  EXPECT_THAT(given_back[0].error.value_or(""), HasSubstr("its executor stopped"));
  EXPECT_EQ(given_back[0].request_digest, "");
  EXPECT_EQ(BatchesIn("RUNNING").size(), 0u);
  EXPECT_EQ(summary.work.totals.requests, Seen() - seen_then);
  const auto counted = Count("SELECT sum(requests) FROM ing_batch_rollup");
  EXPECT_THAT(Seen() - counted, AnyOf(0, 1)) << "no more than the one that was under way is lost";
}

}  // namespace patra::failed_batches_test
