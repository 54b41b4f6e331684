#include "app/source/sources.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/spec/shape.h"
#include "infra/definitions/yaml_files.h"
#include "tests/app/send/send_fixture.h"
#include "tests/temporary_folder.h"

namespace patra::app {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string Shipped() { return std::string(PATRA_SOURCE_DIR) + "/sources"; }

class SourcesTest : public ::testing::Test {
 protected:
  Sources In(const std::string& folder) { return {files_, folder, &secrets_}; }

  infra::definitions::YamlFiles files_;
  testing::PlainSecrets secrets_;
};

TEST_F(SourcesTest, TheShippedDefinitionsHaveNoProblem) {
  const auto check = In(Shipped()).Check(std::nullopt);
  ASSERT_TRUE(check) << check.error().Describe();
  for (const auto& problem : check->problems) ADD_FAILURE() << problem.Describe();
  EXPECT_GE(check->definitions, 6);
}

TEST_F(SourcesTest, ACredentialThatIsTooShortToBeKeptOutOfRecordsIsWarnedOf) {
  testing::TemporaryFolder folder;
  std::ofstream(folder.Path("lodge.yaml")) << R"(
source: lodge
name: Lodge
http: {base_url: "https://lodge.example"}
auth: {type: basic, username: "${env:LODGE_USER}", password: "${env:LODGE_WORD}"}
limits: [{rate: 1/s}]
endpoints:
  items:
    request: {path: /items, query: {from: "${window.from}", page: "${page.number}"}}
    paging: {style: page, size: 3, first_page: 1, ends: [short_page]}
    window: {by: updated, start: 2026-01-01, granularity: second, width: 1h..30d}
    response: {items: $.items, id: $.id, updated: $.updated}
    fields: {title: $.title}
)";
  const auto warning = Contains(Field(&Error::message, HasSubstr("fewer than 8 bytes")));
  const auto unset = In(folder.Path("")).Check(std::nullopt);
  ASSERT_TRUE(unset);
  for (const auto& problem : unset->problems) ADD_FAILURE() << problem.Describe();
  EXPECT_THAT(unset->warnings, Not(warning));
  secrets_.values = {{"env:LODGE_USER", "guest-of-honour"}, {"env:LODGE_WORD", "guest"}};
  const auto check = In(folder.Path("")).Check(std::nullopt);
  EXPECT_THAT(check->warnings, warning);
  for (const auto& told : check->warnings) EXPECT_THAT(told.Describe(), Not(HasSubstr("guest")));
  secrets_.values["env:LODGE_WORD"] = "long enough";
  EXPECT_THAT(In(folder.Path("")).Check(std::nullopt)->warnings, Not(warning));
}

TEST_F(SourcesTest, EveryShippedLimitNamesThePageItComesFrom) {
  const auto check = In(Shipped()).Check(std::nullopt);
  ASSERT_TRUE(check);
  EXPECT_THAT(check->warnings,
              Not(Contains(Field(&Error::message, HasSubstr("provider's pages")))));
}

constexpr std::string_view kSigned = R"yaml(
source: demo
http: {base_url: https://api.example.org}
auth: {type: custom, signing: hmac-sha265, keys: "${env:KEY}"}
limits: [{rate: 3/s}, {quota: 100/d, page: https://api.example.org/limits}]
endpoints:
  items:
    request: {path: /items, query: {page: "${page.number}"}}
    paging: {style: page, first_page: 1, size_max: 1000}
    window: {start: 2024-01-01, width: 1h..1d}
    response: {items: $.items, id: $.id, updated: $.updated, total: $.total}
    fields: {title: $.title}
    expressions: {fields: {titel: {term: "${value}"}}}
)yaml";

TEST_F(SourcesTest, ASigningHookThatNobodyWroteIsAProblemWithAGuess) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.Path("demo.yaml")) << kSigned;
  const auto check = In(folder.Path("")).Check("demo");
  ASSERT_TRUE(check) << check.error().Describe();
  ASSERT_EQ(check->problems.size(), 1u);
  EXPECT_EQ(check->problems[0].message, "there is no signing hook 'hmac-sha265'");
  EXPECT_EQ(check->problems[0].hint, "did you mean 'hmac-sha256'?");
  EXPECT_EQ(check->problems[0].place.line, 4);
}

TEST_F(SourcesTest, WarnsOfLimitsWithoutAPageAndOfFieldsThatTheDictionaryLacks) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.Path("demo.yaml")) << kSigned;
  std::filesystem::create_directory(folder.Path("dictionary"));
  std::ofstream(folder.Path("dictionary/fields.yaml")) << "{fields: {title: {name: Title}}}";
  const auto check = In(folder.Path("")).Check("demo");
  ASSERT_TRUE(check) << check.error().Describe();
  EXPECT_EQ(std::ranges::count_if(check->warnings,
                                  [](const Error& warning) {
                                    return warning.message.find("provider's pages") !=
                                           std::string::npos;
                                  }),
            1)
      << "the second limit has its page";
  EXPECT_THAT(check->warnings, Contains(Field(&Error::hint, "did you mean 'title'?")));
}

class ShippedExchanges : public SourcesTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(ShippedExchanges, AreAsExpected) {
  const auto reports = In(Shipped()).Test(GetParam());
  ASSERT_TRUE(reports) << reports.error().Describe();
  EXPECT_THAT(*reports, Not(IsEmpty()));
  for (const auto& report : *reports) {
    for (const auto& difference : report.differences)
      ADD_FAILURE() << report.name << ": " << difference;
  }
}

INSTANTIATE_TEST_SUITE_P(OfEverySource, ShippedExchanges,
                         ::testing::Values("crossref", "pubmed", "arxiv", "tushare", "sim-rest"));

TEST_F(SourcesTest, ADefinitionThatExtendsAnotherKeepsWhatItDoesNotSay) {
  const auto report = In(Shipped()).Compile("arxiv", {});
  ASSERT_TRUE(report) << report.error().Describe();
  EXPECT_THAT(report->problems, IsEmpty());
  EXPECT_THAT(report->origins, Contains(Field(&ValueOrigin::place, HasSubstr("oai-pmh.yaml"))));
  EXPECT_THAT(report->origins, Contains(Field(&ValueOrigin::place, HasSubstr("arxiv.yaml"))));
}

TEST_F(SourcesTest, AnOverrideIsCheckedLikeADefinition) {
  const auto report = In(Shipped()).Compile("crossref", {"http.base_ulr=https://x.example"});
  ASSERT_TRUE(report);
  EXPECT_THAT(report->problems, Contains(Field(&Error::hint, "did you mean 'base_url'?")));
}

TEST_F(SourcesTest, AnUnknownSourceSuggestsOne) {
  EXPECT_EQ(In(Shipped()).Compile("crosref", {}).error().hint, "did you mean 'crossref'?");
}

TEST_F(SourcesTest, AFileThatDefinesNothingIsAProblem) {
  for (const auto* text : {"", "# later\n", "---\n", "{}\n", "- a\n", "plain\n"}) {
    const testing::TemporaryFolder folder;
    std::ofstream(folder.Path("new.yaml")) << text;
    const auto check = In(folder.Path("")).Check(std::nullopt);
    ASSERT_TRUE(check) << check.error().Describe();
    EXPECT_THAT(check->problems, Not(IsEmpty())) << text;
    for (const auto& problem : check->problems)
      EXPECT_THAT(problem.Describe(), HasSubstr("new.yaml")) << text;
  }
}

TEST_F(SourcesTest, DefinitionsThatExtendEachOtherAreRefused) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.Path("a.yaml")) << "source: a\nextends: b\n";
  std::ofstream(folder.Path("b.yaml")) << "source: b\nextends: a\n";
  const auto check = In(folder.Path("")).Check(std::nullopt);
  ASSERT_TRUE(check);
  EXPECT_FALSE(check->problems.empty());
}

TEST_F(SourcesTest, AnExchangeThatComesOutOtherwiseIsReported) {
  const testing::TemporaryFolder folder;
  std::filesystem::copy(Shipped() + "/sim-rest.yaml", folder.Path("sim-rest.yaml"));
  std::filesystem::create_directory(folder.Path("exchanges"));
  std::ofstream(folder.Path("exchanges/sim-rest.yaml")) << R"yaml(
exchanges:
  - endpoint: items
    request: GET http://127.0.0.1:8080/elsewhere
    answer: {body: '{"total":1,"items":[{"id":"a","updated":"2026-01-01T00:00:00Z","title":"T"}]}'}
    expect: {total: 2, records: [{id: b}]}
)yaml";
  const auto reports = In(folder.Path("")).Test("sim-rest");
  ASSERT_TRUE(reports) << reports.error().Describe();
  EXPECT_THAT(reports->front().differences,
              ::testing::ElementsAre(HasSubstr("request:"), HasSubstr("total: expected 2, found 1"),
                                     HasSubstr("records:")));
}

TEST(SourceSchema, TheFileInTheRepositoryIsTheOneThatTheGrammarGives) {
  std::ifstream stream(std::string(PATRA_SOURCE_DIR) + "/schema/source.schema.json");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(text, PrintJson(domain::SourceSchema(), 2) + "\n")
      << "write it anew: patra source schema > schema/source.schema.json";
}

// Every map of the schema forbids other keys, and has exactly those of the grammar.
void ExpectSameKeys(const domain::Shape& shape, const Value& schema, const Value& root) {
  const Value* here = &schema;
  if (const auto* reference = schema.Find("$ref")) {
    here = root.Find("$defs")->Find(reference->AsString()->substr(8));
    ASSERT_NE(here, nullptr) << *reference->AsString();
  }
  if (const auto* choices = here->Find("anyOf")) here = &choices->AsArray()->front();
  if (shape.kind == domain::Shape::Kind::kMap) {
    const auto* properties = here->Find("properties");
    ASSERT_NE(properties, nullptr);
    EXPECT_EQ(properties->AsObject()->size(), shape.keys.size());
    EXPECT_EQ(*here->Find("additionalProperties"), Value(false));
    for (const auto& key : shape.keys) {
      ASSERT_NE(properties->Find(key.name), nullptr) << key.name;
      ExpectSameKeys(key.shape, *properties->Find(key.name), root);
    }
  } else if (shape.kind == domain::Shape::Kind::kEntries) {
    ExpectSameKeys(*shape.of, *here->Find("additionalProperties"), root);
  } else if (shape.kind == domain::Shape::Kind::kList) {
    ExpectSameKeys(*shape.of, *here->Find("items"), root);
  }
}

TEST(SourceSchema, AgreesWithTheGrammarInEveryKey) {
  const auto schema = domain::SourceSchema();
  ExpectSameKeys(domain::SourceShape(), schema, schema);
}

}  // namespace
}  // namespace patra::app
