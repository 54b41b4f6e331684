// What planners read of the registry, on every store.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/spec/compile_source.h"
#include "infra/definitions/yaml_files.h"
#include "infra/sql/registry.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra::registry_contract_test {

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

TEST_P(RegistryContract, WhatAClockThatWasAheadAppliedIsValidAtOnceWhenItIsAppliedAgain) {
  Apply("{source: demo, cost: 1, retry: {attempts: 5}}");
  Apply("{source: late, cost: 1}", kStart + 3h);
  Apply("{source: demo, cost: 2, retry: {attempts: 5}}", kStart + 2h);
  const auto version = Read("demo", kStart + 1h).version;
  EXPECT_FALSE(Read("late", kStart + 1h).definition);
  const auto again =
      registry().Apply({.definitions = {Definition("{source: demo, cost: 2, retry: {attempts: 5}}"),
                                        Definition("{source: late, cost: 1}")}},
                       kStart + 1h);
  ASSERT_TRUE(again) << again.error().Describe();
  EXPECT_EQ(again->size(), 2U) << "both are told";
  EXPECT_NE(Read("demo", kStart + 1h).version, version);
  for (const auto at : {kStart + 1h, kStart + 2h, kStart + 9h}) {
    const auto all = registry().Export(at);
    ASSERT_TRUE(all && all->size() == 2) << FormatRfc3339(at);
    EXPECT_EQ(all->front().At("cost")->text, "2");
    EXPECT_EQ(all->front().At("retry.attempts")->text, "5");
    EXPECT_FALSE(Read("demo", at).until);
  }
  EXPECT_EQ(Read("demo", kStart).definition->At("cost")->text, "1") << "as it was until then";
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

class ReleaseContract : public RegistryContract {
 protected:
  static app::RegistryContent Content(const std::vector<std::string>& texts) {
    app::RegistryContent content;
    for (const auto& text : texts) content.definitions.push_back(Definition(text));
    return content;
  }

  // As it is seen by whoever works with the registry.
  std::string CostIn(app::Registry& seen, Instant at = kStart + 10h) {
    const auto found = seen.Find("demo", at, "");
    EXPECT_TRUE(found && *found);
    if (!(*found)->definition) return "";
    const auto* cost = (*found)->definition->At("cost");
    return cost == nullptr ? "none" : cost->text;
  }

  void ApplyForCanary(const std::vector<std::string>& texts, Instant from = kStart + 1h) {
    const auto applied = canary_.Apply(Content(texts), from);
    ASSERT_TRUE(applied) << applied.error().Describe();
  }

  infra::sql::Registry canary_{ports_->database(), ports_->ids(), "canary"};
  infra::sql::Registry blue_{ports_->database(), ports_->ids(), "blue"};
};

TEST_P(ReleaseContract, WhatIsAppliedForAReleaseIsSeenByItAlone) {
  Apply("{source: demo, cost: 1, limits: [{rate: 1/s}]}");
  const auto changes =
      canary_.Apply(Content({"{source: demo, cost: 2, limits: [{rate: 1/s}]}"}), kStart + 1h);
  ASSERT_TRUE(changes) << changes.error().Describe();
  ASSERT_EQ(changes->size(), 1u);
  EXPECT_EQ(changes->front().Describe(), "demo/* reg_prov_endpoint_def.request_cost: 1 -> 2");
  EXPECT_EQ(CostIn(canary_), "2");
  EXPECT_EQ(CostIn(blue_), "1");
  EXPECT_EQ(CostIn(registry()), "1");
  EXPECT_EQ(CostIn(canary_, kStart), "1") << "not yet";
  EXPECT_EQ(canary_.Export(kStart + 1h)->front().At("cost")->text, "2");
  EXPECT_EQ(registry().Export(kStart + 1h)->front().At("cost")->text, "1");
  EXPECT_THAT(*canary_.Diff(Content({"{source: demo, cost: 2, limits: [{rate: 1/s}]}"})),
              IsEmpty());
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM reg_prov_endpoint_def"), 1);
}

TEST_P(ReleaseContract, WhoKeepsASourceIsToldOfWhatItsReleaseGets) {
  Apply("{source: demo, cost: 1}");
  const auto version = (**canary_.Find("demo", kStart, "")).version;
  ASSERT_FALSE(*canary_.Find("demo", kStart, version));
  ApplyForCanary({"{source: demo, cost: 2}"}, kStart + 1h);
  const auto ahead = canary_.Find("demo", kStart, version);
  ASSERT_TRUE(ahead && *ahead);
  EXPECT_EQ((*ahead)->until, kStart + 1h);
}

TEST_P(ReleaseContract, OnlyWhatDiffersFromEverybodysIsOfTheRelease) {
  Apply("{source: demo, cost: 1}");
  Apply("{source: other, name: Other}");
  ApplyForCanary(
      {"{source: demo, cost: 1}", "{source: other, name: New}", "{source: new, cost: 7}"});
  EXPECT_THAT(*canary_.Names(kStart + 1h), ElementsAre("demo", "new", "other"));
  EXPECT_THAT(*registry().Names(kStart + 1h), ElementsAre("demo", "other"));
  Apply("{source: demo, cost: 3}", kStart + 2h);
  EXPECT_EQ(CostIn(canary_), "3") << "it has none of its own";
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM reg_release"), 2);
  ApplyForCanary({"{source: other, name: Other}"}, kStart + 3h);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM reg_release WHERE effective_to IS NULL"), 1)
      << "what everybody has is no matter of the release";
}

TEST_P(ReleaseContract, WhatIsPromotedIsEverybodysAndNoLongerTheReleases) {
  Apply("{source: demo, cost: 1, retry: {attempts: 5}}");
  ApplyForCanary({"{source: demo, cost: 2}", "{source: new, cost: 7}"});
  const auto version = Read("demo", kStart + 1h).version;
  const auto promoted = canary_.Promote(kStart + 2h);
  ASSERT_TRUE(promoted) << promoted.error().Describe();
  EXPECT_FALSE(promoted->empty());
  EXPECT_NE(Read("demo", kStart + 2h).version, version);
  EXPECT_EQ(CostIn(registry()), "2");
  EXPECT_EQ(CostIn(registry(), kStart + 1h), "1");
  EXPECT_EQ(Read("demo", kStart + 2h).definition->At("retry"), nullptr);
  EXPECT_EQ(Read("new", kStart + 2h).definition->At("cost")->text, "7");
  EXPECT_THAT(*canary_.Promote(kStart + 3h), IsEmpty());
  Apply("{source: demo, cost: 9}", kStart + 4h);
  EXPECT_EQ(CostIn(canary_), "9");
}

TEST_P(ReleaseContract, WhatIsDroppedIsAsEverybodyHasIt) {
  Apply("{source: demo, cost: 1}");
  ApplyForCanary({"{source: demo, cost: 2}", "{source: new, cost: 7}"});
  const auto dropped = canary_.Drop(kStart + 2h);
  ASSERT_TRUE(dropped) << dropped.error().Describe();
  std::vector<std::string> described;
  for (const auto& change : *dropped) described.push_back(change.Describe());
  EXPECT_THAT(described, ::testing::Contains("demo/* reg_prov_endpoint_def.request_cost: 2 -> 1"));
  EXPECT_EQ(CostIn(canary_), "1");
  EXPECT_EQ(CostIn(canary_, kStart + 1h), "2") << "then it was";
  EXPECT_THAT(*canary_.Names(kStart + 2h), ElementsAre("demo"));
}

TEST_P(ReleaseContract, OneThatNeverHadAnythingIsASlip) {
  ApplyForCanary({"{source: demo, cost: 2}"});
  infra::sql::Registry slip{ports_->database(), ports_->ids(), "canry"};
  for (const auto& done : {slip.Promote(kStart + 1h), slip.Drop(kStart + 1h)}) {
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::kNotFound);
    EXPECT_EQ(done.error().hint, "did you mean 'canary'?");
  }
}

TEST_P(ReleaseContract, WithoutAReleaseNothingIsPromotedOrDropped) {
  EXPECT_EQ(registry().Promote(kStart).error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(registry().Drop(kStart).error().code, ErrorCode::kInvalidInput);
}

TEST_P(RegistryContract, ALifecycleIsKeptAndActiveIsWhatNobodySays) {
  for (const auto* lifecycle : {"draft", "retired", "deprecated"}) {
    const auto text = std::string("{source: demo, lifecycle: ") + lifecycle + "}";
    Apply(text);
    EXPECT_EQ(Read("demo", kStart).definition->At("lifecycle")->text, lifecycle);
    EXPECT_EQ(registry().Export(kStart)->front().At("lifecycle")->text, lifecycle);
    EXPECT_THAT(*registry().Diff({.definitions = {Definition(text)}}), IsEmpty());
    Apply("{source: demo}", kStart + 1h);
    EXPECT_EQ(Read("demo", kStart + 1h).definition->At("lifecycle"), nullptr);
    EXPECT_THAT(
        *registry().Diff({.definitions = {Definition("{source: demo, lifecycle: active}")}}),
        IsEmpty());
    ports_->Execute("DELETE FROM reg_provenance");
  }
}

RUN_ON_EVERY_LEDGER(RegistryContract);
RUN_ON_EVERY_LEDGER(ReleaseContract);

}  // namespace patra::registry_contract_test
