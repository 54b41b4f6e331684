// What planners read of the registry, on every store.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/spec/compile_source.h"
#include "infra/definitions/yaml_files.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra {
namespace {

using namespace std::chrono_literals;
using domain::DefinitionNode;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kStart;

class RegistryContract : public testing::LedgerTest {
 protected:
  static DefinitionNode Definition(const std::string& text) {
    auto checked =
        domain::CheckDefinition(infra::definitions::ParseYaml(text, "t.yaml").tree, nullptr);
    EXPECT_THAT(checked.problems, IsEmpty());
    return checked.tree;
  }

  void Apply(const std::string& text, Instant from = kStart) {
    const auto applied = registry().Apply({.definitions = {Definition(text)}}, from);
    ASSERT_TRUE(applied) << applied.error().Describe();
  }

  app::RegisteredSource Read(const std::string& source, Instant at) {
    auto found = registry().Find(source, at, "");
    EXPECT_TRUE(found) << found.error().Describe();
    return found && *found ? **std::move(found) : app::RegisteredSource();
  }

  static std::string Printed(const DefinitionNode& definition) {
    return infra::definitions::YamlFiles().Print(definition);
  }

  app::Registry& registry() { return ports_->store().registry(); }
};

constexpr const char* kDemo = R"yaml(
source: demo
name: Demo
http: {base_url: "https://demo.example", headers: {B: b, A: a}}
limits: [{rate: 1/s}, {rate: 500/d, per: source}, {concurrency: 3}]
retry: {attempts: 5, first: 1s}
operations: {update: {retry: {attempts: 9}}}
endpoints:
  items:
    request: {path: /items, query: {page: "${page.number}", from: "${window.from}"}}
    paging: {style: page, first_page: 1, size: 10}
    response: {items: $.items, id: $.id}
    expressions: {fields: {title: {term: {render: "t:${value}", parameter: q}}}}
)yaml";

TEST_P(RegistryContract, ASourceAloneIsWhatTheExportOfAllHasOfIt) {
  Apply(kDemo);
  Apply("{source: other, name: Other}");
  const auto read = Read("demo", kStart);
  ASSERT_TRUE(read.definition);
  const auto all = registry().Export(kStart);
  ASSERT_TRUE(all && all->size() == 2);
  EXPECT_EQ(Printed(*read.definition), Printed(all->front()));
  EXPECT_THAT(*registry().Diff({.definitions = {*read.definition}}), IsEmpty());
  EXPECT_THAT(*registry().Names(kStart), ElementsAre("demo", "other"));
  EXPECT_THAT(*registry().Names(kStart - 1us), IsEmpty());
}

TEST_P(RegistryContract, ASourceThatIsNotThereHasAVersionAndNoDefinition) {
  EXPECT_FALSE(Read("demo", kStart).definition);
  Apply(kDemo);
  EXPECT_FALSE(Read("demo", kStart - 1us).definition) << "not yet";
  EXPECT_FALSE(Read("dem", kStart).definition);
}

TEST_P(RegistryContract, EachChangeOfASourceGivesItAnotherVersionAndLeavesThoseOfOthers) {
  const auto none = Read("demo", kStart).version;
  Apply(kDemo);
  Apply("{source: other, name: Other}");
  const auto first = Read("demo", kStart).version;
  const auto other = Read("other", kStart).version;
  EXPECT_NE(first, none);
  Apply(kDemo, kStart + 1h);
  EXPECT_EQ(Read("demo", kStart + 1h).version, first) << "nothing changed";
  Apply("{source: demo, name: Demo, cost: 2}", kStart + 1h);
  EXPECT_NE(Read("demo", kStart + 1h).version, first);
  EXPECT_EQ(Read("other", kStart + 1h).version, other);
}

TEST_P(RegistryContract, WhoKnowsTheVersionIsToldNothing) {
  Apply(kDemo);
  const auto version = Read("demo", kStart).version;
  const auto same = registry().Find("demo", kStart, version);
  ASSERT_TRUE(same) << same.error().Describe();
  EXPECT_FALSE(*same);
  Apply("{source: demo, name: Demo, cost: 2}", kStart + 1h);
  const auto changed = registry().Find("demo", kStart + 1h, version);
  ASSERT_TRUE(changed && *changed);
  EXPECT_EQ((*changed)->definition->At("cost")->text, "2");
}

TEST_P(RegistryContract, ASourceSaysUntilWhenItIsAsItWasRead) {
  Apply("{source: demo, cost: 1, retry: {attempts: 5}}");
  EXPECT_FALSE(Read("demo", kStart).until);
  Apply("{source: demo, cost: 2, timezone: Europe/Berlin}", kStart + 2h);
  const auto before = Read("demo", kStart + 1h);
  EXPECT_EQ(before.until, kStart + 2h);
  EXPECT_EQ(before.definition->At("cost")->text, "1");
  EXPECT_NE(before.definition->At("retry"), nullptr);
  EXPECT_EQ(before.definition->At("timezone"), nullptr);
  const auto after = Read("demo", kStart + 2h);
  EXPECT_FALSE(after.until);
  EXPECT_EQ(after.definition->At("cost")->text, "2");
  EXPECT_EQ(after.definition->At("retry"), nullptr);
}

TEST_P(RegistryContract, TheDictionarySaysWhatIsThereWhatIsDisabledAndWhatOthersCallIt) {
  const auto codes = registry().Codes();
  ASSERT_TRUE(codes) << codes.error().Describe();
  EXPECT_THAT(codes->EnabledOf("pagination_mode"),
              ElementsAre("PAGE", "OFFSET", "TOKEN", "URL", "TIME"));
  EXPECT_EQ(codes->ItemOf("pagination_mode", "page"), "PAGE");
  EXPECT_EQ(codes->ItemOf("pagination_mode", "Cursor"), "TOKEN");
  EXPECT_EQ(codes->ItemOf("pagination_mode", "PER_KEY"), std::nullopt) << "of another type";
  EXPECT_TRUE(codes->Check("ing_trigger_type", "HEAL"));
  EXPECT_FALSE(codes->Check("pagination_mode", "CURSOR")) << "a word for a code is none";
}

TEST_P(RegistryContract, LimitsKeepTheirOrderWhereOneIsChangedAlone) {
  Apply("{source: demo, limits: [{rate: 1/s}, {rate: 2/s}, {rate: 3/s}]}");
  Apply("{source: demo, limits: [{rate: 9/s}, {rate: 2/s}, {rate: 3/s}]}", kStart + 1h);
  for (const auto& definition :
       {*Read("demo", kStart + 1h).definition, registry().Export(kStart + 1h)->front()}) {
    std::vector<std::string> rates;
    for (const auto& limit : definition.Find("limits")->items)
      rates.push_back(limit.Find("rate")->text);
    EXPECT_THAT(rates, ElementsAre("9/s", "2/s", "3/s"));
  }
}

RUN_ON_EVERY_LEDGER(RegistryContract);

}  // namespace
}  // namespace patra
