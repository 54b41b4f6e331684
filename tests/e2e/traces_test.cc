// What a collector sees of a harvest that somebody commands.
#include <fstream>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/value.h"
#include "boot/application.h"
#include "sim/simulator.h"
#include "tests/e2e/patra_command.h"
#include "tests/loopback_server.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::traces_test {

struct SeenSpan {
  std::string trace;
  std::string parent;
  std::string name;
  std::int64_t from = 0;  // nanoseconds
  std::int64_t to = 0;
};

class TracesEndToEnd : public ::testing::Test {
 protected:
  void SetUp() override {
    auto simulator = sim::Simulator::Start({.seed = 5,
                                            .size = 300,
                                            .providers = {"rest"},
                                            .begin = begin_,
                                            .now = begin_ + std::chrono::days(30),
                                            .enforce_limits = false});
    ASSERT_TRUE(simulator) << simulator.error().Describe();
    simulator_ = *std::move(simulator);
  }

  testing::CommandAnswer Harvest(const std::string& collector) {
    const auto file = folder_.Path("patra.yaml");
    std::ofstream(file) << "trace:\n  endpoint: " << collector << "\n";
    return testing::RunPatra(
        application_, clock_, stores_.At(folder_.Path("patra.db")),
        {"harvest", "sim-rest/items", "--config", file, "--sources",
         std::string(PATRA_SOURCE_DIR) + "/sources", "--set", "http.base_url=" + simulator_->url(),
         "--set", "window.start=" + FormatRfc3339(begin_), "--allow-loopback"});
  }

  static std::int64_t NumberIn(const Value& span, const std::string& name) {
    return std::stoll(*span.Find(name)->AsString());
  }

  // By id.
  static std::map<std::string, SeenSpan> SpansIn(const testing::LoopbackServer& collector) {
    std::map<std::string, SeenSpan> spans;
    for (const auto& request : collector.requests()) {
      const auto body = ParseJson(request.body);
      EXPECT_TRUE(body) << request.body;
      for (const auto& resource : *body->Find("resourceSpans")->AsArray()) {
        for (const auto& scope : *resource.Find("scopeSpans")->AsArray()) {
          for (const auto& span : *scope.Find("spans")->AsArray()) {
            const auto* parent = span.Find("parentSpanId");
            const auto is_new = spans
                                    .emplace(*span.Find("spanId")->AsString(),
                                             SeenSpan{*span.Find("traceId")->AsString(),
                                                      parent ? *parent->AsString() : "",
                                                      *span.Find("name")->AsString(),
                                                      NumberIn(span, "startTimeUnixNano"),
                                                      NumberIn(span, "endTimeUnixNano")})
                                    .second;
            EXPECT_TRUE(is_new) << "two spans have one id";
          }
        }
      }
    }
    return spans;
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  boot::Application application_;
  SystemClock clock_;
  const Instant begin_ =
      domain::FloorTo(clock_.Now(), std::chrono::seconds(1)) - std::chrono::days(30);
  std::unique_ptr<sim::Simulator> simulator_;
};

TEST_F(TracesEndToEnd, EverySpanHangsOnOneOfItsOwnTraceUpToATaskOrATrigger) {
  testing::LoopbackServer collector([](const auto&, auto& response) { response.status = 200; });
  const auto answer = Harvest(collector.url("/v1/traces"));
  ASSERT_EQ(answer.code, 0) << answer.out << answer.err;
  const auto spans = SpansIn(collector);
  const std::map<std::string, std::string> expected{
      {"HTTP call", "batch"}, {"batch", "run"}, {"run", "task"}, {"compile", "trigger"},
      {"slice", "trigger"},   {"task", ""},     {"trigger", ""}};
  std::set<std::string> names;
  for (const auto& [id, span] : spans) {
    names.insert(span.name);
    const auto parent = spans.find(span.parent);
    const bool has_parent = parent != spans.end();
    EXPECT_EQ(has_parent ? parent->second.name : "", expected.at(span.name)) << id;
    if (has_parent) {
      EXPECT_EQ(parent->second.trace, span.trace) << span.name;
      EXPECT_GE(span.from, parent->second.from) << span.name << " of " << parent->second.name;
      EXPECT_LE(span.to, parent->second.to) << span.name << " of " << parent->second.name;
    }
  }
  EXPECT_EQ(names.size(), expected.size());
}

TEST_F(TracesEndToEnd, ACollectorThatIsAwayChangesNothing) {
  std::string url;
  {
    testing::LoopbackServer gone([](const auto&, auto&) {});
    url = gone.url("/v1/traces");
  }
  const auto answer = Harvest(url);
  EXPECT_EQ(answer.code, 0) << answer.out << answer.err;
}

TEST_F(TracesEndToEnd, AnAddressThatIsNoneIsToldAtOnce) {
  const auto answer = Harvest("nowhere");
  EXPECT_NE(answer.code, 0);
  EXPECT_THAT(answer.err, ::testing::HasSubstr("trace.endpoint"));
}

}  // namespace patra::traces_test
