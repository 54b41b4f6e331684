#include "app/source/resolve_source.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/source/source_catalog.h"
#include "infra/definitions/yaml_files.h"
#include "tests/temporary_folder.h"

namespace patra::app::resolve_source_test {

using domain::Operation;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

class ResolveSourceTest : public ::testing::Test {
 protected:
  std::expected<ResolvedSource, std::vector<Error>> Resolve(const ResolveRequest& request) {
    return ResolveSource(definitions_, request);
  }

  infra::definitions::YamlFiles files_;
  std::vector<domain::DefinitionNode> definitions_ =
      LoadForRegistry(files_, std::string(PATRA_SOURCE_DIR) + "/sources")->content.definitions;
};

TEST_F(ResolveSourceTest, TheEndpointIsTheNamedOneThenTheMappedThenTheOnlyCapableOne) {
  EXPECT_EQ(Resolve({.target = "sim-rest/by-token"})->found_by, "EXPLICIT");
  EXPECT_EQ(Resolve({.target = "sim-rest"})->found_by, "MAPPING");
  EXPECT_EQ(Resolve({.target = "sim-rest"})->spec.endpoint, "items");
  EXPECT_EQ(Resolve({.target = "pubmed"})->found_by, "CAPABILITY");
  EXPECT_EQ(Resolve({.target = "pubmed"})->spec.endpoint, "articles");
  EXPECT_EQ(Resolve({.target = "arxiv"})->found_by, "ONLY_ENDPOINT");
}

TEST_F(ResolveSourceTest, SeveralPossibleEndpointsAreNamed) {
  const auto resolved = Resolve({.target = "tushare"});
  ASSERT_FALSE(resolved);
  EXPECT_THAT(resolved.error().front().hint, HasSubstr("tushare/daily"));
}

TEST_F(ResolveSourceTest, UnknownNamesSuggestSimilarOnes) {
  EXPECT_EQ(Resolve({.target = "crosref"}).error().front().hint, "did you mean 'crossref'?");
  EXPECT_THAT(Resolve({.target = "crossref/work"}).error().front().hint, HasSubstr("works"));
}

TEST_F(ResolveSourceTest, ATargetIsASourceOrOneOfItsEndpoints) {
  for (const auto* known : {"crossref", "crossref/works", "oai-pmh"})
    EXPECT_TRUE(CheckTarget(definitions_, domain::TargetOf(known))) << known;
  EXPECT_EQ(CheckTarget(definitions_, domain::TargetOf("crosref")).error().hint,
            "did you mean 'crossref'?");
  EXPECT_THAT(CheckTarget(definitions_, domain::TargetOf("crossref/work")).error().hint,
              HasSubstr("works"));
  EXPECT_FALSE(CheckTarget(definitions_, domain::TargetOf("crossref/")));
  EXPECT_FALSE(CheckTarget({}, domain::TargetOf("crossref")));
}

TEST_F(ResolveSourceTest, OverridesMayNameTheirSource) {
  for (const auto* assignment :
       {"http.base_url=https://x.example", "crossref.http.base_url=https://x.example"}) {
    const auto resolved = Resolve({.target = "crossref", .overrides = {assignment}});
    ASSERT_TRUE(resolved) << assignment;
    EXPECT_EQ(resolved->spec.http.base_url, "https://x.example");
  }
  const auto other =
      Resolve({.target = "crossref", .overrides = {"pubmed.http.base_url=https://x.example"}});
  ASSERT_TRUE(other);
  EXPECT_EQ(other->spec.http.base_url, "https://api.crossref.org");
  EXPECT_FALSE(Resolve({.target = "crossref", .overrides = {"http.base_ulr=x"}}));
}

TEST_F(ResolveSourceTest, AQueryGoesWhereTheDefinitionHasAPlaceForIt) {
  const auto resolved = Resolve({.target = "pubmed", .query = "cancer[ti]"});
  ASSERT_TRUE(resolved);
  EXPECT_EQ(resolved->spec.query, "cancer[ti]");
  const auto refused = Resolve({.target = "arxiv", .query = "cancer"});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), Contains(Field(&Error::message, HasSubstr("no place for a query"))));
}

TEST_F(ResolveSourceTest, ACommandMaySlowDownButNotSpeedUp) {
  for (const auto* rate : {"1/s", "100/s"}) {
    const auto limits = Resolve({.target = "crossref", .rate = rate})->spec.limits;
    EXPECT_EQ(limits.front().rate->requests, 3) << "what the provider allows stays";
    EXPECT_EQ(limits.back().rate->per, std::chrono::seconds(1));
    EXPECT_EQ(limits.back().per, domain::RateScope::kOperation) << "nobody else keeps to it";
  }
  EXPECT_EQ(Resolve({.target = "crossref", .page_size = 10})->spec.paging.size, 10);
  EXPECT_FALSE(Resolve({.target = "crossref", .rate = "fast"}));
}

TEST_F(ResolveSourceTest, ASlowerRateHoldsForDetailsToo) {
  const auto resolved = Resolve({.target = "pubmed", .rate = "1/s"});
  ASSERT_TRUE(resolved);
  ASSERT_TRUE(resolved->spec.details);
  for (const auto* limits : {&resolved->spec.limits, &resolved->spec.details->limits}) {
    EXPECT_EQ(limits->back().rate->requests, 1);
    EXPECT_EQ(limits->back().per, domain::RateScope::kOperation);
  }
}

TEST_F(ResolveSourceTest, OnlyUpdatesSeeTheEndpointThatRefreshes) {
  EXPECT_FALSE(Resolve({.target = "crossref"})->spec.details);
  const auto update = Resolve({.target = "crossref", .operation = Operation::kUpdate});
  ASSERT_TRUE(update);
  ASSERT_TRUE(update->spec.details);
  EXPECT_TRUE(update->spec.details->for_update_only);
  EXPECT_EQ(update->spec.details->endpoint, "works-by-doi");
  EXPECT_EQ(update->prototypes.size(), 2u) << "of walks and of updates";
}

// Knows nothing, and takes nothing in.
class EmptyRegistry final : public Registry {
 public:
  Result<std::vector<RegistryChange>> Diff(const RegistryContent&) override { return {}; }
  Result<std::vector<RegistryChange>> Apply(const RegistryContent&, Instant) override { return {}; }
  std::string Release() const override { return {}; }
  Result<std::vector<RegistryChange>> Promote(Instant) override { return {}; }
  Result<std::vector<RegistryChange>> Drop(Instant) override { return {}; }
  Result<domain::CodeDictionary> Codes() override { return {}; }
  Result<std::vector<domain::QueryField>> Fields() override { return {}; }
  Result<std::optional<RegisteredSource>> Find(const std::string&, Instant,
                                               const std::string&) override {
    return RegisteredSource{};
  }
  Result<std::vector<std::string>> Names(Instant) override { return {}; }
  Result<std::vector<domain::DefinitionNode>> Export(Instant) override { return {}; }
};

// Else the source would go by what the store has of it, and nobody would know.
TEST(SyncRegistry, ADefinitionThatCannotBeReadIsAProblemOfTheSourceWhoseNameItHas) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.Path("mine.yaml")) << "source: mine\n  name: [\n";
  infra::definitions::YamlFiles files;
  EmptyRegistry registry;
  const auto sync = [&](const std::string& source) {
    return SyncRegistry(registry, files, folder.Path(""), {.target = source}, Instant())->problems;
  };
  const auto problems = sync("mine");
  ASSERT_FALSE(problems.empty());
  EXPECT_THAT(problems.front().place.file, HasSubstr("mine.yaml"));
  EXPECT_TRUE(sync("theirs").empty());
}

constexpr const char* kOneBadEndpoint = R"(source: mine
http: {base_url: "https://mine.example"}
default: good
endpoints:
  good: &good
    request: {path: /items, query: {page: "${page.number}"}}
    paging: {style: page, first_page: 1}
    window: {filter: none}
    response: {items: $.items, id: $.id, updated: none}
    fields: {title: $.title}
  bad:
    request: {path: /items, query: {page: "${page.nummer}"}}
    paging: {style: page, first_page: 1}
    window: {filter: none}
    response: {items: $.items, id: $.id, updated: none}
    fields: {title: $.title}
  leaning:
    request: {path: /ids, query: {page: "${page.number}"}}
    paging: {style: page, first_page: 1}
    window: {filter: none}
    response: {items: $.ids, id: $}
    details: record
  record:
    role: detail
    request: {path: /records, query: {ids: "${ids | join(',')}"}}
    response: {items: $.items, id: $.id, updated: none, formatt: json}
    fields: {title: $.title}
)";

TEST(SyncRegistry, AnEndpointIsRefusedForItsOwnProblemsAndNoOthers) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.Path("mine.yaml")) << kOneBadEndpoint;
  infra::definitions::YamlFiles files;
  EmptyRegistry registry;
  const auto sync = [&](const std::string& target) {
    return *SyncRegistry(registry, files, folder.Path(""), {.target = target}, Instant());
  };
  EXPECT_TRUE(sync("mine/good").problems.empty());
  EXPECT_TRUE(sync("mine").problems.empty()) << "which means mine/good";
  ASSERT_EQ(sync("mine/bad").problems.size(), 1u);
  EXPECT_THAT(sync("mine/bad").problems.front().hint, HasSubstr("page.number"));
  ASSERT_EQ(sync("mine/leaning").problems.size(), 1u) << "its records come from a bad one";
  EXPECT_THAT(sync("mine/leaning").problems.front().hint, HasSubstr("'format'"));
  const auto definitions = sync("mine").definitions;
  ASSERT_EQ(definitions.size(), 1u);
  EXPECT_NE(definitions.front().At("endpoints.good"), nullptr);
  EXPECT_EQ(definitions.front().At("endpoints.bad"), nullptr);
  EXPECT_EQ(definitions.front().At("endpoints.leaning"), nullptr);
}

TEST(SyncRegistry, WhoFindsNoSourceHearsWhatIsWrongWithThoseThatWereLeftOut) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.Path("bad.yaml")) << "source: bad\nnmae: x\n";
  infra::definitions::YamlFiles files;
  EmptyRegistry registry;
  const auto sync = SyncRegistry(registry, files, folder.Path(""), {.target = "other"}, Instant());
  ASSERT_TRUE(sync);
  EXPECT_TRUE(sync->problems.empty());
  auto problems = ResolveSource({}, {.target = "other"}).error();
  AddLeftOut(problems, sync->left_out);
  ASSERT_FALSE(problems.empty());
  for (const auto& problem : problems) {
    EXPECT_EQ(problem.message.find("there are no definitions"), std::string::npos);
    EXPECT_THAT(problem.place.file, HasSubstr("bad.yaml"));
  }
}

}  // namespace patra::app::resolve_source_test
