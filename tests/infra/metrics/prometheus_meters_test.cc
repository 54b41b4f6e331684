#include "infra/metrics/prometheus_meters.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::infra::metrics::prometheus_meters_test {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr app::Meter kCount{.name = "patra_things_total", .help = "Things"};
constexpr app::Meter kTook{
    .name = "patra_took_ms", .help = "How long", .kind = app::MeterKind::kHistogram};

TEST(PrometheusMeters, SaysWhatWasCountedByLabels) {
  PrometheusMeters meters;
  meters.Add(kCount, {{"source", "crossref"}}, 2);
  meters.Add(kCount, {{"source", "crossref"}}, 3);
  meters.Add(kCount, {{"source", "arxiv"}}, 1);
  EXPECT_THAT(meters.Text(), HasSubstr("# TYPE patra_things_total counter"));
  EXPECT_THAT(meters.Text(), HasSubstr("patra_things_total{source=\"crossref\"} 5"));
  EXPECT_THAT(meters.Text(), HasSubstr("patra_things_total{source=\"arxiv\"} 1"));
}

TEST(PrometheusMeters, SaysHowLongThingsTookInBuckets) {
  PrometheusMeters meters;
  meters.Add(kTook, {}, 30);
  meters.Add(kTook, {}, 70'000);
  EXPECT_THAT(meters.Text(), HasSubstr("patra_took_ms_bucket{le=\"50\"} 1"));
  EXPECT_THAT(meters.Text(), HasSubstr("patra_took_ms_bucket{le=\"+Inf\"} 2"));
  EXPECT_THAT(meters.Text(), HasSubstr("patra_took_ms_count 2"));
}

TEST(PrometheusMeters, AGaugeSaysHowItStandsAndIsForgottenWithTheOthers) {
  constexpr app::Meter kStands{
      .name = "patra_stands", .help = "How it stands", .kind = app::MeterKind::kGauge};
  PrometheusMeters meters;
  meters.Add(kCount, {}, 1);
  meters.Add(kStands, {}, 7);
  meters.Add(kStands, {}, 3);
  EXPECT_THAT(meters.Text(), HasSubstr("patra_stands 3"));
  meters.ForgetGauges();
  EXPECT_THAT(meters.Text(), Not(HasSubstr("patra_stands")));
  EXPECT_THAT(meters.Text(), HasSubstr("patra_things_total 1"));
}

TEST(PrometheusMeters, NamesThatSomebodyMakesUpFillNoMemory) {
  PrometheusMeters meters;
  for (std::size_t i = 0; i < app::Meters::kLabelSetsMax + 50; ++i)
    meters.Add(kCount, {{"source", fmt::format("made-up-{}", i)}}, 1);
  EXPECT_THAT(meters.Text(), HasSubstr("patra_things_total{source=\"other\"} 50"));
}

TEST(PrometheusMeters, ALabelThatHoldsQuotesAndLinesStaysOneLine) {
  PrometheusMeters meters;
  meters.Add(kCount, {{"source", "a\"b\nc"}}, 1);
  EXPECT_THAT(meters.Text(), HasSubstr(R"({source="a\"b\nc"})"));
}

}  // namespace patra::infra::metrics::prometheus_meters_test
