#include "app/source/sources.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/spec/definition_examples.h"
#include "domain/spec/definition_guide.h"
#include "domain/spec/shape.h"
#include "domain/spec/spec_snapshot.h"
#include "infra/definitions/yaml_files.h"
#include "tests/app/send/send_fixture.h"
#include "tests/temporary_folder.h"

namespace patra::app::sources_test {

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
    request: {path: /items, query: {from: "${window.from}", to: "${window.to}", page: "${page.number}"}}
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

TEST_F(SourcesTest, AFileWhereANameIsMeantIsRefusedInWordsWhetherOrNotThereIsAFolder) {
  for (const auto* folder : {"no-such-folder", ""}) {
    const auto check = In(*folder == '\0' ? Shipped() : folder).Check("sources/crossref.yaml");
    ASSERT_FALSE(check);
    EXPECT_EQ(check.error().message, "'sources/crossref.yaml' is a file, not the name of a source");
  }
  EXPECT_THAT(In(Shipped()).Compile("crossref.yml", {}).error().message,
              HasSubstr("is a file, not the name of a source"));
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

// A sound definition, with some of its text replaced.
std::string Definition(std::vector<std::pair<std::string, std::string>> changes = {},
                       const std::string& source = "mine") {
  std::string text = R"(source: SOURCE
http: {base_url: "https://mine.example"}
limits: [{rate: 1/s, page: "https://mine.example/limits"}]
endpoints:
  items:
    request:
      path: /items
      query: {from: "${window.from}", to: "${window.to}", page: "${page.number}", size: "${page.size}"}
    paging: {style: page, first_page: 1}
    window: {start: 2026-01-01, settles: true}
    response: {items: $.items, id: $.id, updated: $.updated, total: $.total}
    fields: {title: $.title}
)";
  changes.emplace_back("SOURCE", source);
  for (const auto& [from, to] : changes) {
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    if (at != std::string::npos) text.replace(at, from.size(), to);
  }
  return text;
}

class CheckTest : public SourcesTest {
 protected:
  void Write(const std::string& file, const std::string& text) {
    std::ofstream(folder_.Path(file)) << text;
  }
  std::vector<std::string> Problems(const std::string& definition) {
    Write("mine.yaml", definition);
    return ProblemsOfFolder();
  }
  std::vector<std::string> ProblemsOfFolder() {
    const auto check = In(folder_.Path("")).Check(std::nullopt);
    EXPECT_TRUE(check) << check.error().Describe();
    std::vector<std::string> problems;
    for (const auto& problem : check->problems) problems.push_back(problem.Describe());
    return problems;
  }

  testing::TemporaryFolder folder_;
};

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

TEST_F(CheckTest, ASoundDefinitionHasNoProblem) { EXPECT_THAT(Problems(Definition()), IsEmpty()); }

TEST_F(CheckTest, ANameThatTemplatesDoNotKnowIsComplainedOfWithWhatIsMeant) {
  EXPECT_THAT(Problems(Definition({{"window.from", "window.form"}})),
              Contains(AllOf(HasSubstr("mine.yaml:8"), HasSubstr("'window.form'"),
                             HasSubstr("did you mean 'window.from'?"))));
  EXPECT_THAT(Problems(Definition({{"/items\n", "/items/${params.foo}\n"}})),
              ElementsAre(AllOf(HasSubstr("'params.foo'"), HasSubstr("params: {foo: …}"))));
  EXPECT_THAT(Problems(Definition({{"/items\n", "/items/${page.token}\n"}})),
              ElementsAre(HasSubstr("there is no 'page.token' here")))
      << "pages are numbered";
  EXPECT_THAT(Problems(Definition({{"/items\n", "/items/${value}\n"}})),
              ElementsAre(HasSubstr("there is no 'value' here")));
  EXPECT_THAT(Problems(Definition({{"source: SOURCE\n", "source: SOURCE\nparams: {foo: x}\n"},
                                   {"/items\n", "/items/${params.foo}\n"}})),
              IsEmpty());
}

TEST_F(CheckTest, APagingStyleWhoseParameterIsInNoRequestIsRefused) {
  EXPECT_THAT(
      Problems(Definition({{", page: \"${page.number}\"", ""}})),
      ElementsAre(AllOf(HasSubstr("${page.number}"), HasSubstr("every page would be the first"))));
  EXPECT_THAT(Problems(Definition({{", page: \"${page.number}\"", ""},
                                   {"first_page: 1", "first_page: 1, pages_max: 1"}})),
              IsEmpty())
      << "all records come with one answer";
  EXPECT_THAT(Problems(Definition({{", page: \"${page.number}\"", ""},
                                   {"style: page, first_page: 1", "style: token, next: $.next"}})),
              ElementsAre(HasSubstr("${page.token}")));
  EXPECT_THAT(Problems(Definition({{", page: \"${page.number}\"", ""},
                                   {"style: page, first_page: 1",
                                    "style: token, next: $.continue, token: parameters"}})),
              IsEmpty());
}

TEST_F(CheckTest, AWindowThatIsInNoRequestIsRefused) {
  EXPECT_THAT(Problems(Definition({{"from: \"${window.from}\", to: \"${window.to}\", ", ""}})),
              ElementsAre(HasSubstr("does not tell it any")));
  EXPECT_THAT(Problems(Definition({{"from: \"${window.from}\", ", ""}})),
              ElementsAre(HasSubstr("not where it begins")));
}

TEST_F(CheckTest, OneMistakeIsOneMessage) {
  EXPECT_THAT(Problems(Definition({{"first_page", "first_pagee"}})),
              ElementsAre(HasSubstr("did you mean 'first_page'?")));
  EXPECT_THAT(Problems(Definition({{"style: page", "style: pgae"}})),
              ElementsAre(HasSubstr("did you mean 'page'?")));
  EXPECT_THAT(Problems(Definition({{"id: $.id", "idd: $.id"}})),
              ElementsAre(HasSubstr("did you mean 'id'?")));
  EXPECT_THAT(Problems(Definition({{"start: 2026-01-01", "start: soon"}})), ::testing::SizeIs(1));
}

TEST_F(CheckTest, ItemsThatChooseNeedAWalkThatToleratesIt) {
  EXPECT_THAT(Problems(Definition({{"$.items", "\"$.items[?@.kind == 'x']\""}})), IsEmpty())
      << "an exact total tells what is missing";
  EXPECT_THAT(
      Problems(Definition({{"$.items", "\"$.items[?@.kind == 'x']\""}, {", total: $.total", ""}})),
      ElementsAre(HasSubstr("nothing says which is the last")));
  EXPECT_THAT(Problems(Definition({{"$.items", "$..work"}})),
              ElementsAre(HasSubstr("nobody can tell that from an error")));
  EXPECT_THAT(Problems(Definition({{"items: $.items", "envelope: $.ok, items: $..work"}})),
              IsEmpty());
  EXPECT_THAT(Problems(Definition({{"$.items", "{path: $.items, missing: empty}"}})), IsEmpty());
}

TEST_F(CheckTest, AnAddressIsOnePiece) {
  EXPECT_THAT(
      Problems(Definition({{"https://mine.example\"", "https://mine.example/api?key=1\""}})),
      ElementsAre(HasSubstr("no query")));
  EXPECT_THAT(Problems(Definition({{"path: /items", "path: items"}})),
              ElementsAre(AllOf(HasSubstr("as it is"), HasSubstr("/items"))));
}

TEST_F(CheckTest, DefinitionsThatExtendEachOtherAreACycleThatIsToldOnce) {
  Write("a.yaml", "source: a\nextends: b\n");
  Write("b.yaml", "source: b\nextends: c\n");
  Write("c.yaml", "source: c\nextends: a\n");
  EXPECT_THAT(ProblemsOfFolder(),
              ElementsAre(AllOf(HasSubstr("a.yaml:2"), HasSubstr("cycle: a → b → c → a"))));
}

TEST_F(CheckTest, AnUnknownDefinitionToExtendIsToldWithThoseThatThereAre) {
  Write("good.yaml", Definition({}, "good"));
  Write("a.yaml", "source: a\nextends: zzzzzz\n");
  EXPECT_THAT(ProblemsOfFolder(),
              ElementsAre(AllOf(HasSubstr("'zzzzzz' to extend"), HasSubstr("there are good"))));
}

TEST_F(CheckTest, WhatIsWrongWithADefinitionIsWrongWithThoseThatExtendIt) {
  Write("base.yaml", "source: base\nabstract: true\nwindow: {wdith: 1d}\n");
  Write("mine.yaml", Definition({{"source: SOURCE\n", "source: SOURCE\nextends: base\n"}}));
  EXPECT_THAT(ProblemsOfFolder(), ElementsAre(HasSubstr("did you mean 'width'?"))) << "told once";
  const auto mine = In(folder_.Path("")).Check("mine");
  ASSERT_TRUE(mine);
  EXPECT_EQ(mine->problems.size(), 1u);
}

const std::string kTwoEndpoints = Definition() + R"(  other:
    request: {path: /others, query: {page: "${page.number}"}}
    paging: {style: page, first_page: 1, sise: 5}
    window: {filter: none}
    response: {items: $.items, id: $.id, updated: none}
    fields: {title: $.title}
)";

TEST_F(CheckTest, OneBadEndpointDoesNotHideTheOthers) {
  Write("mine.yaml", kTwoEndpoints);
  auto sources = In(folder_.Path(""));
  EXPECT_THAT(sources.Compile("mine/items", {})->problems, IsEmpty());
  EXPECT_THAT(sources.Compile("mine/other", {})->problems,
              ElementsAre(Field(&Error::hint, HasSubstr("'size'"))));
}

TEST_F(CheckTest, AnUnknownSourceIsAMistakeOfWhoNamesIt) {
  Write("mine.yaml", Definition());
  auto sources = In(folder_.Path(""));
  const auto expect_refused = [](const auto& result) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidInput) << "exit 78";
    EXPECT_THAT(result.error().hint, HasSubstr("did you mean 'mine'?"));
  };
  expect_refused(sources.Check("mien"));
  expect_refused(sources.Test("mien"));
  expect_refused(sources.ReadDefinition("mien"));
  expect_refused(sources.Compile("mien", {}));
}

TEST_F(CheckTest, AFileThatCannotBeReadIsFoundByItsName) {
  Write("mine.yaml", "source: mine\n  name: [\n");
  const auto check = In(folder_.Path("")).Check("mine");
  ASSERT_TRUE(check) << check.error().Describe();
  EXPECT_THAT(check->problems, ElementsAre(Field(&Error::message, HasSubstr("not YAML"))));
}

TEST(DefinitionGuide, TheFileInTheRepositoryIsTheOneThatTheGrammarGives) {
  std::ifstream stream(std::string(PATRA_SOURCE_DIR) + "/docs/definitions.md");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_TRUE(text == domain::DefinitionGuide())
      << "write it anew: patra source schema --markdown > docs/definitions.md";
}

TEST_F(CheckTest, TheExamplesOfTheGuideHaveNoProblem) {
  for (const auto& examples : {domain::FirstDefinitions(), domain::PagingDefinitions()}) {
    for (const auto& example : examples) {
      EXPECT_THAT(Problems(std::string(example.yaml)), IsEmpty()) << example.title;
    }
  }
}

TEST(DefinitionGuide, HasAnExampleOfEveryWayOfPaging) {
  for (const auto& style : domain::LowerCodes<domain::PagingStyle>()) {
    const auto has_style = [&](const domain::DefinitionExample& example) {
      return example.yaml.find("style: " + style) != std::string_view::npos;
    };
    EXPECT_TRUE(std::ranges::any_of(domain::PagingDefinitions(), has_style)) << style;
  }
}

void ExpectKeysIn(const domain::Shape& shape, const std::string& guide) {
  for (const auto& key : shape.keys) {
    const bool is_there = guide.find("`" + key.name + "`") != std::string::npos ||
                          guide.find("." + key.name + "`") != std::string::npos;
    EXPECT_TRUE(is_there) << key.name;
    ExpectKeysIn(key.shape, guide);
    if (key.shape.of != nullptr) ExpectKeysIn(*key.shape.of, guide);
  }
}

TEST(DefinitionGuide, NamesEveryKey) {
  const auto guide = domain::DefinitionGuide();
  for (const auto& key : domain::EndpointShape().keys) {
    if (key.name != "operations") ExpectKeysIn(key.shape, guide);
  }
  ExpectKeysIn(domain::Shape{.kind = domain::Shape::Kind::kMap, .keys = domain::SourceShape().keys},
               guide);
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

}  // namespace patra::app::sources_test
