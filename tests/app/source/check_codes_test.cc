#include "domain/spec/check_codes.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/spec/compile_source.h"
#include "domain/spec/shape.h"
#include "infra/definitions/yaml_files.h"

namespace patra::domain::check_codes_test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

DefinitionNode Parsed(const std::string& text) {
  return infra::definitions::ParseYaml(text, "t.yaml").tree;
}

constexpr const char* kDefinition = R"yaml(
source: books
http: {base_url: "https://books.example"}
limits: [{rate: 1/s, per: credential}]
endpoints:
  books:
    request: {path: /books, query: {page: "${page.number}"}}
    paging: {style: page, first_page: 1, size: 10, ends: [empty_page]}
    window: {filter: none}
    response: {items: $.items, id: $.id, updated: none}
    fields: {title: {path: $.title, as: text}}
    errors: [{status: 418, then: wait, until: 1m}]
    expressions: {fields: {title: {term: {render: "t:${value}"}}}}
)yaml";

// Every code that the grammar knows, but for the one named.
CodeDictionary DictionaryWithout(const std::string& left_out_type = "",
                                 const std::string& left_out_code = "", bool is_there = false) {
  CodeDictionary dictionary;
  const auto add = [&](const std::string& type, const std::string& lower) {
    std::string code = lower;
    for (auto& c : code) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const bool is_left_out = type == left_out_type && code == left_out_code;
    if (!is_left_out || is_there) dictionary.AddItem(type, code, !is_left_out);
  };
  const std::function<void(const Shape&)> walk = [&](const Shape& shape) {
    for (const auto& code : shape.codes) add(shape.dictionary, code);
    for (const auto& key : shape.keys) {
      if (!shape.dictionary.empty()) add(shape.dictionary, key.name);
      walk(key.shape);
    }
    if (shape.of) walk(*shape.of);
  };
  walk(SourceShape());
  return dictionary;
}

std::vector<Error> ProblemsWith(const CodeDictionary& dictionary,
                                const std::string& text = kDefinition) {
  const auto checked = CheckDefinition(Parsed(text), nullptr);
  EXPECT_THAT(checked.problems, IsEmpty());
  const auto compiled =
      CompileSource({.definition = checked.tree, .endpoint = "books", .dictionary = &dictionary});
  return compiled ? std::vector<Error>() : compiled.error();
}

TEST(CheckCodes, ADefinitionOfKnownCodesCompiles) {
  EXPECT_THAT(ProblemsWith(DictionaryWithout()), IsEmpty());
}

TEST(CheckCodes, EveryCodeOfTheGrammarHasATypeInTheDictionary) {
  const std::function<void(const Shape&)> walk = [&](const Shape& shape) {
    const bool is_code = shape.kind == Shape::Kind::kScalar && shape.scalar == ScalarKind::kCode;
    if (is_code) {
      EXPECT_NE(shape.dictionary, "") << shape.codes.front();
    }
    for (const auto& key : shape.keys) walk(key.shape);
    if (shape.of) walk(*shape.of);
  };
  walk(SourceShape());
}

// Of scalars, of lists, of tables deep below, of names that are codes, of the platform's own, and of the operation.
TEST(CheckCodes, WhatTheDictionaryLacksIsRefusedWithTypeCodeAndWhatThereIs) {
  const std::vector<std::pair<std::string, std::string>> used{
      {"pagination_mode", "PAGE"}, {"walk_end", "EMPTY_PAGE"},
      {"field_type", "TEXT"},      {"bucket_granularity_scope", "CREDENTIAL"},
      {"error_action", "WAIT"},    {"reg_expr_op", "TERM"},
      {"http_method", "GET"},      {"ing_operation", "HARVEST"},
      {"window_filter", "NONE"}};
  for (const auto& [type, code] : used) {
    const auto problems = ProblemsWith(DictionaryWithout(type, code));
    ASSERT_EQ(problems.size(), 1u) << type;
    EXPECT_EQ(problems.front().message, "the dictionary has no " + type + " '" + code + "'");
    EXPECT_THAT(problems.front().hint, HasSubstr("there are "));
    const auto disabled = ProblemsWith(DictionaryWithout(type, code, true));
    ASSERT_EQ(disabled.size(), 1u) << type;
    EXPECT_EQ(disabled.front().message, type + " '" + code + "' is disabled in the dictionary");
  }
  EXPECT_EQ(ProblemsWith(DictionaryWithout("pagination_mode", "PAGE")).front().place.line, 8);
}

TEST(CheckCodes, WhatNoEndpointAtHandUsesIsNoProblem) {
  EXPECT_THAT(ProblemsWith(DictionaryWithout("pagination_mode", "TOKEN")), IsEmpty());
}

TEST(CheckCodes, AnothersWordBecomesTheCodeThatItStandsFor) {
  auto dictionary = DictionaryWithout();
  dictionary.AddAlias("pagination_mode", "PAGE_NUMBER", "PAGE");
  dictionary.AddAlias("bucket_granularity_scope", "PER_KEY", "CREDENTIAL");
  dictionary.AddAlias("error_action", "HOLD", "WAIT");
  dictionary.AddAlias("error_action", "PAUSE", "WAIT");
  dictionary.AddAlias("error_action", "PAUSE", "STOP");
  auto tree = Parsed(R"yaml(
source: books
limits: [{rate: 1/s, per: per_key}]
endpoints:
  books:
    paging: {style: Page_Number}
    errors: [{status: 418, then: hold}, {status: 419, then: pause}, {status: 420, then: fail}]
)yaml");
  ResolveAliases(tree, dictionary);
  EXPECT_EQ(tree.Find("limits")->items[0].Find("per")->text, "credential");
  EXPECT_EQ(tree.At("endpoints.books.paging.style")->text, "page");
  const auto& errors = tree.At("endpoints.books.errors")->items;
  EXPECT_EQ(errors[0].Find("then")->text, "wait");
  EXPECT_EQ(errors[1].Find("then")->text, "pause") << "two systems mean different things by it";
  EXPECT_EQ(errors[2].Find("then")->text, "fail");
}

}  // namespace patra::domain::check_codes_test
