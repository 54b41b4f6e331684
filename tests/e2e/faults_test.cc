// What providers do wrong, one fault at a time, on every way of paging. Whatever happens, nothing is silent:
// the store holds the truth, or what is missing stands in quarantine or in a named gap (I10).
#include <gtest/gtest.h>

#include "boot/demo_source.h"
#include "boot/engine.h"
#include "sim/simulator.h"
#include "tests/e2e/sim_rest.h"
#include "tests/temporary_folder.h"
#include "tests/world_clock.h"

namespace patra {
namespace {

using namespace std::chrono_literals;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 10 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

enum class Leaves {
  kNothing,     // the store holds the whole truth
  kQuarantine,  // some records stand apart, and only those are missing
};

struct Case {
  const char* name;
  const char* fault;
  Leaves leaves = Leaves::kNothing;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.fault; }

using Parameters = std::tuple<Case, const char*>;

class OneFault : public ::testing::TestWithParam<Parameters> {};

TEST_P(OneFault, LosesNothingSilently) {
  const auto& [fault, endpoint] = GetParam();
  testing::TemporaryFolder folder;
  const auto faults = ParseJson(fault.fault);
  ASSERT_TRUE(faults);
  auto simulator = sim::Simulator::Start(
      {.seed = 9,
       .size = 1'500,
       .providers = {"rest"},
       .begin = kBegin,
       .now = kNow,
       .late_by = boot::kDemoLatestArrival,
       .enforce_limits = false,
       .faults = Value::Object{{"seed", 1}, {"faults", Value::Array{*faults}}}});
  ASSERT_TRUE(simulator) << simulator.error().Describe();
  testing::WorldClock clock(**simulator);
  const auto engine =
      boot::Engine::Open({.database_file = folder.Path("patra.db"), .allow_loopback = true}, clock);
  ASSERT_TRUE(engine);
  const auto spec = testing::SimRest(endpoint, (*simulator)->url(), kBegin);
  const auto summary = (*engine)->harvest().Run({.spec = spec}, {.workers = 0}, [](const auto&) {});
  ASSERT_TRUE(summary) << summary.error().Describe();
  EXPECT_TRUE(summary->complete())
      << summary->work.failed << " failed, " << summary->work.partial << " partial, "
      << summary->work.left
      << " left: " << (summary->work.first_error ? summary->work.first_error->Describe() : "");
  ASSERT_TRUE(summary->watermark);
  const auto difference = boot::CompareWithTruth(
      **simulator, (*engine)->store(), kBegin, *summary->watermark,
      {.truth = std::string_view(endpoint) == "by-ids" ? "rest" : "rest/deleted",
       .provenance = "sim-rest",
       .endpoint = endpoint});
  ASSERT_TRUE(difference);
  const auto quarantined = summary->work.totals.counts.quarantined;
  if (fault.leaves == Leaves::kNothing) {
    EXPECT_TRUE(difference->empty()) << difference->missing << " missing, " << difference->wrong
                                     << " wrong, such as " << difference->first;
  } else {
    EXPECT_GT(quarantined, 0);
    EXPECT_LE(difference->missing + difference->wrong, quarantined);
  }
}

std::string NameOf(const ::testing::TestParamInfo<Parameters>& test) {
  std::string endpoint = std::get<1>(test.param);
  std::erase(endpoint, '-');
  return std::string(std::get<0>(test.param).name) + "_" + endpoint;
}

INSTANTIATE_TEST_SUITE_P(
    Alone, OneFault,
    ::testing::Combine(
        ::testing::Values(
            Case{"TooManyRequests",
                 R"({"kind":"too_many_requests","positions":[2,3],"retry_after":"2s"})"},
            Case{"ServerError", R"({"kind":"server_error","positions":[2,5,6]})"},
            Case{"ResetBeforeHead", R"({"kind":"reset_before_head","positions":[2]})"},
            Case{"ResetMidBody", R"({"kind":"reset_mid_body","positions":[3]})"},
            Case{"Truncated", R"({"kind":"truncated","positions":[3]})"},
            Case{"TruncatedSilently", R"({"kind":"truncated_silently","positions":[3]})"},
            Case{"WrongLength", R"({"kind":"wrong_length","amount":40,"positions":[3]})"},
            Case{"ErrorBody", R"({"kind":"error_body","positions":[3]})"},
            Case{"Html", R"({"kind":"html","positions":[2]})"},
            Case{"DeepJson", R"({"kind":"deep_json","positions":[2]})"},
            Case{"RepeatedPage", R"({"kind":"repeated_page","positions":[4]})"},
            Case{"RepeatedToken", R"({"kind":"repeated_token","positions":[3]})"},
            Case{"DeadToken", R"({"kind":"dead_token","positions":[3]})"},
            Case{"MissingNext", R"({"kind":"missing_next","positions":[2]})"},
            Case{"EmptyPage", R"({"kind":"empty_page","positions":[3]})"},
            Case{"MovingTotal", R"({"kind":"moving_total","positions":[3]})"},
            Case{"ShuffledItems", R"({"kind":"shuffled_items","positions":[2,3]})"},
            Case{"DuplicateItems", R"({"kind":"duplicate_items","positions":[2]})"}),
        ::testing::Values("items", "by-offset", "by-token", "by-scroll", "by-url", "by-ids")),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    BadRecord, OneFault,
    ::testing::Combine(
        ::testing::Values(
            Case{"InvalidUtf8", R"({"kind":"invalid_utf8","positions":[2]})", Leaves::kQuarantine},
            Case{"HugeInteger", R"({"kind":"huge_integer","positions":[2]})", Leaves::kQuarantine},
            Case{"MissingId", R"({"kind":"missing_id","positions":[2]})", Leaves::kQuarantine},
            Case{"UnparsableDate", R"({"kind":"unparsable_date","positions":[2]})",
                 Leaves::kQuarantine},
            Case{"MissingField", R"({"kind":"missing_field","positions":[2]})",
                 Leaves::kQuarantine},
            Case{"TypeChange", R"({"kind":"type_change","positions":[2]})", Leaves::kQuarantine}),
        ::testing::Values("items", "by-offset", "by-token", "by-scroll", "by-url")),
    NameOf);

}  // namespace
}  // namespace patra
