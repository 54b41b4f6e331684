#include "app/execute/compiled_sources.h"

#include <barrier>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/canonical_json.h"
#include "domain/page/page_reader.h"

namespace patra::app::compiled_sources_test {

using ::testing::HasSubstr;

domain::SpecSnapshot SpecOf(const std::string& endpoint) {
  return {.provenance = "demo",
          .endpoint = endpoint,
          .http = {.base_url = "https://api.example.org", .path = "/" + endpoint},
          .response = {.items = "$.items", .id = {"$.id"}}};
}

TEST(CompiledSources, OneSnapshotIsOneObjectWhoeverAsks) {
  CompiledSources sources;
  const auto spec = SpecOf("items");
  const auto planned = sources.Of(CanonicalJson(spec.ToValue()));
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_EQ(*sources.Of(CanonicalJson(spec.ToValue())), *planned);
  EXPECT_EQ(*sources.Of(spec), *planned) << "as plans keep it, or not yet planned";
  EXPECT_EQ((*planned)->spec(), spec);
}

TEST(CompiledSources, TwoEndpointsDoNotTakeTheirPlaceFromEachOther) {
  CompiledSources sources;
  const auto works = *sources.Of(SpecOf("works"));
  const auto people = *sources.Of(SpecOf("people"));
  EXPECT_NE(works, people);
  for (int page = 0; page < 3; ++page) {
    EXPECT_EQ(*sources.Of(SpecOf("works")), works);
    EXPECT_EQ(*sources.Of(SpecOf("people")), people);
  }
}

TEST(CompiledSources, WhatWasNotAskedForLongestMakesRoom) {
  CompiledSources sources(2);
  const auto a = *sources.Of(SpecOf("a"));
  const auto b = *sources.Of(SpecOf("b"));
  EXPECT_EQ(*sources.Of(SpecOf("a")), a);
  const auto c = *sources.Of(SpecOf("c"));
  EXPECT_EQ(sources.size(), 2u);
  EXPECT_EQ(*sources.Of(SpecOf("a")), a);
  EXPECT_EQ(*sources.Of(SpecOf("c")), c);
  EXPECT_NE(*sources.Of(SpecOf("b")), b) << "compiled anew";
  EXPECT_EQ(b->spec().endpoint, "b") << "whoever holds it goes on with it";
}

TEST(CompiledSources, ASnapshotThatCannotBeCompiledSaysWhyAndTakesNoRoom) {
  CompiledSources sources;
  EXPECT_FALSE(sources.Of(std::string("{\"no")));
  EXPECT_FALSE(sources.Of(std::string("{}")));
  auto spec = SpecOf("items");
  spec.http.query = {{"q", "${lowr(x)}"}};
  const auto wrong = sources.Of(CanonicalJson(spec.ToValue()));
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().Describe(), HasSubstr("the parameter 'q'"));
  EXPECT_EQ(sources.size(), 0u);
}

TEST(CompiledSources, WorkersThatAskAtTheSameTimeGetTheSame) {
  constexpr int kWorkers = 4;
  constexpr int kEndpoints = 8;
  CompiledSources sources(kEndpoints);
  std::barrier together(kWorkers);
  std::vector<std::vector<SharedSource>> got(kWorkers);
  std::vector<std::thread> workers;
  for (auto& mine : got) {
    workers.emplace_back([&] {
      for (int i = 0; i < kEndpoints; ++i) {
        together.arrive_and_wait();
        mine.push_back(*sources.Of(SpecOf(fmt::format("e{}", i))));
        const auto page =
            mine.back()->reader().Read({.status = 200, .body = R"({"items":[{"id":"a"}]})"});
        EXPECT_TRUE(page && page->records.size() == 1);
      }
    });
  }
  for (auto& worker : workers) worker.join();
  for (const auto& mine : got) EXPECT_EQ(mine, got.front());
  EXPECT_EQ(sources.size(), static_cast<std::size_t>(kEndpoints));
}

}  // namespace patra::app::compiled_sources_test
