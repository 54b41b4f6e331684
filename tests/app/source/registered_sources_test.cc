#include "app/source/registered_sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::app::registered_sources_test {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

const Instant kStart{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

domain::DefinitionNode Named(const std::string& name) {
  auto definition = domain::DefinitionNode::Map();
  definition.Set("name", domain::DefinitionNode::Text(name));
  return definition;
}

// Has what it is told to have, and notes how often it is read as a whole.
class CountingRegistry final : public Registry {
 public:
  Result<std::vector<RegistryChange>> Diff(const RegistryContent&) override { return {}; }
  Result<std::vector<RegistryChange>> Apply(const RegistryContent&, Instant) override { return {}; }
  std::string Release() const override { return {}; }
  Result<std::vector<RegistryChange>> Promote(Instant) override { return {}; }
  Result<std::vector<RegistryChange>> Drop(Instant) override { return {}; }
  Result<domain::CodeDictionary> Codes() override {
    ++codes_read;
    return domain::CodeDictionary();
  }
  Result<std::vector<domain::QueryField>> Fields() override { return {}; }
  Result<std::vector<std::string>> Names(Instant) override { return {}; }
  Result<std::vector<domain::DefinitionNode>> Export(Instant) override { return {}; }
  Result<std::optional<RegisteredSource>> Find(const std::string& source, Instant,
                                               const std::string& known_version) override {
    auto& has = sources[source];
    if (known_version == has.version) return std::nullopt;
    read.push_back(source);
    return has;
  }

  std::map<std::string, RegisteredSource> sources{
      {"demo", {.version = "1", .definition = Named("one")}},
      {"gone", {.version = "0", .definition = {}}}};
  std::vector<std::string> read;
  int codes_read = 0;
};

class RegisteredSourcesTest : public ::testing::Test {
 protected:
  std::string NameAt(Instant at, const std::string& source = "demo") {
    const auto found = registered_.Find(source, at);
    EXPECT_TRUE(found) << found.error().Describe();
    return found && *found ? (*found)->Find("name")->text : "";
  }

  CountingRegistry registry_;
  RegisteredSources registered_{registry_, 2};
};

TEST_F(RegisteredSourcesTest, ManyPlansInAMinuteReadASourceOnce) {
  for (int plan = 0; plan < 50; ++plan) EXPECT_EQ(NameAt(kStart + plan * 1s), "one");
  EXPECT_THAT(registry_.read, ElementsAre("demo"));
}

TEST_F(RegisteredSourcesTest, ThePlanAfterAChangeSeesIt) {
  EXPECT_EQ(NameAt(kStart), "one");
  registry_.sources["demo"] = {.version = "2", .definition = Named("two")};
  EXPECT_EQ(NameAt(kStart), "two");
}

TEST_F(RegisteredSourcesTest, WhatWasAppliedAheadIsReadWhenItIsValid) {
  registry_.sources["demo"].until = kStart + 10s;
  EXPECT_EQ(NameAt(kStart), "one");
  registry_.sources["demo"] = {.version = "1", .definition = Named("ahead")};
  EXPECT_EQ(NameAt(kStart + 9s), "one");
  EXPECT_EQ(NameAt(kStart + 10s), "ahead") << "under the same version";
}

TEST_F(RegisteredSourcesTest, RowsThatSomebodyChangedByHandAreSeenWithinAMinute) {
  EXPECT_EQ(NameAt(kStart), "one");
  registry_.sources["demo"].definition = Named("by hand");
  EXPECT_EQ(NameAt(kStart + RegisteredSources::kKeptMax - 1us), "one");
  EXPECT_EQ(NameAt(kStart + RegisteredSources::kKeptMax), "by hand");
  EXPECT_EQ(NameAt(kStart), "by hand") << "of a moment before it was read";
  EXPECT_EQ(registry_.read.size(), 3u);
}

TEST_F(RegisteredSourcesTest, ASourceThatIsNotThereIsKeptAsThat) {
  EXPECT_EQ(NameAt(kStart, "gone"), "");
  EXPECT_EQ(NameAt(kStart, "gone"), "");
  EXPECT_THAT(registry_.read, ElementsAre("gone"));
  registry_.sources["gone"] = {.version = "7", .definition = Named("back")};
  EXPECT_EQ(NameAt(kStart, "gone"), "back");
}

TEST_F(RegisteredSourcesTest, TheDictionaryIsReadOnceAMinute) {
  for (const auto at : {0s, 30s, 59s, 60s, 119s}) EXPECT_TRUE(*registered_.Codes(kStart + at));
  EXPECT_EQ(registry_.codes_read, 2);
}

TEST_F(RegisteredSourcesTest, NoMoreAreKeptThanThereIsRoomFor) {
  registry_.sources["third"] = {.version = "3", .definition = Named("three")};
  EXPECT_EQ(NameAt(kStart, "demo"), "one");
  EXPECT_EQ(NameAt(kStart + 1s, "gone"), "");
  EXPECT_EQ(NameAt(kStart + 2s, "third"), "three");
  EXPECT_EQ(NameAt(kStart + 3s, "gone"), "");
  EXPECT_THAT(registry_.read, ElementsAre("demo", "gone", "third"));
  EXPECT_EQ(NameAt(kStart + 3s, "demo"), "one");
  EXPECT_EQ(registry_.read.size(), 4u) << "the oldest made room";
}

}  // namespace patra::app::registered_sources_test
