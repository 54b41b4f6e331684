// Spans on their way to a collector.
#include "app/trace/export_spans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include <fmt/format.h>

#include "app/metrics/meter_rows.h"
#include "base/value.h"
#include "infra/curl/transport.h"
#include "tests/loopback_server.h"

namespace patra::app::export_spans_test {

using namespace std::chrono_literals;
using ::testing::MatchesRegex;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

class DroppedSpans final : public Meters {
 public:
  void Add(const Meter& meter, const MeterLabels&, double value) override {
    EXPECT_EQ(meter.name, kTracesDropped.name);
    count += static_cast<int>(value);
  }
  void ForgetGauges() override {}

  std::atomic<int> count = 0;
};

Span SpanNo(int number) {
  return {.trace = fmt::format("{:032x}", number),
          .id = fmt::format("{:016x}", number),
          .parent = number > 1 ? fmt::format("{:016x}", 1) : "",
          .name = "batch",
          .kind = number > 1 ? Span::Kind::kClient : Span::Kind::kInternal,
          .from = kBegin,
          .to = kBegin + 1500ms,
          .is_failure = number == 2,
          .attributes = {{"source", "de\"mo"}}};
}

// What a collector makes of a body: the ids of its spans. Whatever OTLP does not know fails the test.
std::set<std::string> IdsIn(const std::string& body) {
  std::set<std::string> ids;
  const auto parsed = ParseJson(body);
  EXPECT_TRUE(parsed) << body;
  if (!parsed) return ids;
  EXPECT_EQ(parsed->AsObject()->size(), 1u);
  for (const auto& resource : *parsed->Find("resourceSpans")->AsArray()) {
    const auto* of_process = resource.Find("resource")->Find("attributes")->AsArray();
    EXPECT_EQ(*of_process->at(0).Find("key")->AsString(), "service.name");
    EXPECT_EQ(*of_process->at(0).Find("value")->Find("stringValue")->AsString(), "patra");
    for (const auto& scope : *resource.Find("scopeSpans")->AsArray()) {
      EXPECT_EQ(*scope.Find("scope")->Find("name")->AsString(), "patra");
      for (const auto& span : *scope.Find("spans")->AsArray()) {
        EXPECT_THAT(*span.Find("traceId")->AsString(), MatchesRegex("[0-9a-f]{32}"));
        EXPECT_THAT(*span.Find("spanId")->AsString(), MatchesRegex("[0-9a-f]{16}"));
        EXPECT_THAT(*span.Find("startTimeUnixNano")->AsString(), MatchesRegex("[0-9]{19}"));
        EXPECT_EQ(*span.Find("endTimeUnixNano")->AsString(), "1767225601500000000");
        EXPECT_FALSE(span.Find("name")->AsString()->empty());
        const bool is_root = span.Find("parentSpanId") == nullptr;
        EXPECT_EQ(*span.Find("kind")->AsInteger(), is_root ? 1 : 3);
        EXPECT_EQ(*span.Find("attributes")->AsArray()->at(0).Find("value")->Find("stringValue"),
                  Value("de\"mo"));
        if (const auto* status = span.Find("status")) {
          EXPECT_EQ(*status->Find("code")->AsInteger(), 2);
        }
        ids.insert(*span.Find("spanId")->AsString());
      }
    }
  }
  return ids;
}

struct Exporting : ::testing::Test {
  std::set<std::string> Collected(const testing::LoopbackServer& collector) const {
    std::set<std::string> ids;
    for (const auto& request : collector.requests()) {
      EXPECT_EQ(request.method, "POST");
      ids.merge(IdsIn(request.body));
    }
    return ids;
  }

  SystemClock clock;
  std::unique_ptr<infra::curl::Transport> transport =
      *infra::curl::Transport::Create({.allow_loopback = true}, clock);
  DroppedSpans dropped;
};

TEST_F(Exporting, ACollectorGetsEverySpanInItsOwnWords) {
  testing::LoopbackServer collector([](const auto&, auto& response) { response.status = 200; });
  {
    ExportSpans spans(collector.url("/v1/traces"), "test", *transport, dropped);
    for (int i = 1; i <= 1'000; ++i) spans.Take(SpanNo(i));
  }
  EXPECT_EQ(Collected(collector).size(), 1'000u);
  EXPECT_EQ(collector.requests().size(), 2u) << "many at a time";
  EXPECT_EQ(collector.requests()[0].path, "/v1/traces");
  EXPECT_EQ(dropped.count, 0);
}

TEST_F(Exporting, ACollectorThatIsAwayMakesNobodyWaitAndIsCounted) {
  std::string url;
  {
    testing::LoopbackServer gone([](const auto&, auto&) {});
    url = gone.url("/v1/traces");
  }
  const auto more = 100;
  const auto begun = clock.Elapsed();
  {
    ExportSpans spans(url, "test", *transport, dropped);
    for (std::size_t i = 0; i < ExportSpans::kWaitingMax + more; ++i) spans.Take(SpanNo(1));
    EXPECT_LT(clock.Elapsed() - begun, 2s);
    EXPECT_EQ(dropped.count, more) << "no more than so many wait";
  }
  EXPECT_EQ(dropped.count, static_cast<int>(ExportSpans::kWaitingMax) + more);
  EXPECT_LT(clock.Elapsed() - begun, 10s);
}

TEST_F(Exporting, WhatACollectorRefusesIsNotSentAgain) {
  testing::LoopbackServer collector([](const auto&, auto& response) { response.status = 400; });
  {
    ExportSpans spans(collector.url("/v1/traces"), "test", *transport, dropped);
    spans.Take(SpanNo(1));
  }
  EXPECT_EQ(collector.requests().size(), 1u);
  EXPECT_EQ(dropped.count, 1);
}

}  // namespace patra::app::export_spans_test
