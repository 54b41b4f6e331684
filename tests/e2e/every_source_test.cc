// Every shipped definition against the simulator: harvest, let the world change, harvest again. After each
// the store holds the truth, and every slice is green.
#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/e2e/sim_rest.h"
#include "tests/e2e/sim_world.h"
#include "tests/run_harvest.h"

namespace patra::every_source_test {

using namespace std::chrono_literals;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 6 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

struct Case {
  const char* name;
  const char* target;    // SOURCE/ENDPOINT
  const char* provider;  // of the simulator
  const char* truth;
  const char* base_url;  // below the simulator's
  std::int64_t size = 3'000;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.target; }

class EverySource : public testing::SimWorld, public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    setenv("TUSHARE_TOKEN", "simulated", 1);  // NOLINT(concurrency-mt-unsafe): before any thread
    Start({.seed = 5,
           .size = GetParam().size,
           .providers = {GetParam().provider},
           .begin = kBegin,
           .now = kNow});
  }

  void HarvestAndCompare(std::optional<Instant> to = std::nullopt) {
    auto spec =
        testing::Shipped(GetParam().target, simulator_->url() + GetParam().base_url, kBegin);
    spec.window.width = std::max(spec.window.width, std::min(spec.window.width_max, Duration(24h)));
    const auto summary = testing::Harvest(*engine_, {.spec = spec, .to = to}, {.workers = 0});
    ASSERT_TRUE(summary) << summary.error().Describe();
    EXPECT_TRUE(summary->complete())
        << summary->work.failed << " failed, " << summary->work.partial << " partial, "
        << summary->work.left
        << " left: " << (summary->work.first_error ? summary->work.first_error->Describe() : "");
    ASSERT_TRUE(summary->watermark);
    const auto slash = std::string_view(GetParam().target).find('/');
    const auto difference = boot::CompareWithTruth(
        *simulator_, engine_->store().read().items(), kBegin, *summary->watermark,
        {.truth = GetParam().truth,
         .provenance = std::string(GetParam().target).substr(0, slash),
         .endpoint = std::string(GetParam().target).substr(slash + 1)});
    ASSERT_TRUE(difference) << difference.error().Describe();
    EXPECT_TRUE(difference->empty())
        << difference->missing << " missing, " << difference->wrong << " wrong of "
        << difference->truth << ", such as " << difference->first;
    EXPECT_GT(difference->truth, 100);
  }
};

// Clocks differ: whatever ours says, what the provider lists as changed is fetched.
TEST_P(EverySource, ClockThatIsFarAheadLosesNothing) {
  clock_->SleepFor(std::chrono::days(200));
  HarvestAndCompare(kNow - std::chrono::days(2));
  simulator_->Advance(std::chrono::days(10));
  HarvestAndCompare(kNow + std::chrono::days(8));
}

TEST_P(EverySource, StoreHoldsTheTruthAfterEveryHarvest) {
  HarvestAndCompare();
  simulator_->Advance(std::chrono::days(10));
  HarvestAndCompare();
}

INSTANTIATE_TEST_SUITE_P(
    Shipped, EverySource,
    ::testing::Values(
        Case{"RestPage", "sim-rest/items", "rest", "rest/deleted", ""},
        Case{"RestOffset", "sim-rest/by-offset", "rest", "rest/deleted", ""},
        Case{"RestToken", "sim-rest/by-token", "rest", "rest/deleted", ""},
        Case{"RestContinue", "sim-rest/by-continue", "rest", "rest/deleted", ""},
        Case{"RestHeader", "sim-rest/by-header", "rest", "rest/deleted", ""},
        Case{"RestScroll", "sim-rest/by-scroll", "rest", "rest/deleted", ""},
        Case{"RestUrl", "sim-rest/by-url", "rest", "rest/deleted", ""},
        Case{"RestTime", "sim-rest/by-time", "rest", "rest/deleted", ""},
        Case{"RestWhole", "sim-rest/whole", "rest", "rest/deleted", ""},
        Case{"RestWholeByOffset", "sim-rest/whole-by-offset", "rest", "rest/deleted", ""},
        Case{"RestIds", "sim-rest/by-ids", "rest", "rest", ""},
        Case{"RestKey", "sim-rest/by-key", "rest", "rest/deleted", ""},
        Case{"RestTotalInHeader", "sim-rest/total-in-header", "rest", "rest/deleted", ""},
        Case{"RestUsage", "sim-rest/usage", "rest", "rest/usage", ""},
        Case{"Crossref", "crossref/works", "crossref", "crossref", "/crossref"},
        Case{"PubMed", "pubmed/articles", "pubmed", "pubmed", "/pubmed"},
        Case{"Arxiv", "arxiv/records", "oai", "oai", "/oai/standard"},
        Case{"TuShare", "tushare/daily", "tushare", "tushare", "/tushare"}),
    [](const auto& test) { return test.param.name; });

}  // namespace patra::every_source_test
