#include "domain/heal/should_recut.h"

#include <functional>

#include <gtest/gtest.h>

namespace patra::domain::should_recut_test {

using namespace std::chrono_literals;

SliceObserved Fine() {
  return {.elapsed = 5min,
          .requests = 100,
          .throttled = 2,
          .pages = 10,
          .pages_expected = 10,
          .page_bytes = 1'000'000,
          .page_records = 100,
          .page_size = 100,
          .records = 1'000,
          .records_mean = 900,
          .records_deviation = 100};
}

struct Case {
  const char* name;
  std::function<void(SliceObserved&)> change;
  bool is_cut = true;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Recut : public ::testing::TestWithParam<Case> {};

TEST_P(Recut, IsDecidedByWhatWasSeen) {
  auto observed = Fine();
  GetParam().change(observed);
  EXPECT_EQ(ShouldRecut(observed, {}).has_value(), GetParam().is_cut);
}

INSTANTIATE_TEST_SUITE_P(
    OfTheTable, Recut,
    ::testing::Values(Case{"Fine", [](auto&) {}, false},
                      Case{"TooLong", [](auto& o) { o.elapsed = 31min; }},
                      Case{"AtTheLimit", [](auto& o) { o.elapsed = 30min; }, false},
                      Case{"Throttled", [](auto& o) { o.throttled = 6; }},
                      Case{"ThrottledAtFirst",
                           [](auto& o) {
                             o.requests = 5;
                             o.throttled = 3;
                           },
                           false},
                      Case{"OnlyAfterFailures", [](auto& o) { o.failures_in_a_row = 3; }},
                      Case{"TooLarge", [](auto& o) { o.page_bytes = 40 << 20; }},
                      Case{"MoreThanAsked", [](auto& o) { o.page_records = 201; }},
                      Case{"DeeperThanEstimated", [](auto& o) { o.pages = 21; }},
                      Case{"BeyondThreeDeviations", [](auto& o) { o.records = 1'201; }},
                      Case{"WithinThreeDeviations", [](auto& o) { o.records = 1'200; }, false},
                      Case{"WithoutHistory",
                           [](auto& o) {
                             o.records_mean.reset();
                             o.pages_expected.reset();
                             o.records = 1'000'000;
                             o.pages = 10'000;
                           },
                           false}),
    [](const auto& c) { return std::string(c.param.name); });

}  // namespace patra::domain::should_recut_test
