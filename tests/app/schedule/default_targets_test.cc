#include "app/schedule/default_targets.h"

#include <gtest/gtest.h>

#include "domain/spec/compile_source.h"
#include "infra/definitions/yaml_files.h"

namespace patra::app::default_targets_test {

class OpenTransport final : public Transport {
 public:
  Result<HttpResponse> Send(const HttpRequest&) override {
    return Fail(ErrorCode::kInternal, "nothing is sent");
  }
  Result<void> Check(const std::string&) const override { return {}; }
};

domain::DefinitionNode Definition(const std::string& lifecycle) {
  const auto text = "lifecycle: " + lifecycle + R"yaml(
source: books
http: {base_url: "https://books.example"}
limits: [{rate: 1/s}]
endpoints:
  books:
    request: {path: /books, query: {page: "${page.number}"}}
    paging: {style: page, first_page: 1, size: 10}
    window: {filter: none}
    response: {items: $.items, id: $.id, updated: none}
    fields: {title: $.title}
)yaml";
  auto checked =
      domain::CheckDefinition(infra::definitions::ParseYaml(text, "books.yaml").tree, nullptr);
  EXPECT_TRUE(checked.problems.empty());
  return std::move(checked.tree);
}

std::string MissingWith(const std::string& lifecycle, const ResolveScene& scene = {}) {
  NoSecrets secrets;
  const OpenTransport transport;
  const auto targets = DefaultTargetsOf({Definition(lifecycle)}, secrets, transport, scene);
  EXPECT_EQ(targets.size(), 1u);
  return targets.front().missing;
}

TEST(DefaultTargets, WhatIsRetiredOrADraftIsNotHarvestedByDefaultAndSaysWhy) {
  EXPECT_EQ(MissingWith("active"), "");
  EXPECT_EQ(MissingWith("deprecated"), "");
  EXPECT_EQ(MissingWith("draft"), "its definition is a draft");
  EXPECT_EQ(MissingWith("retired"), "its source is retired");
}

TEST(DefaultTargets, WhatTheDictionaryDoesNotAllowIsNotHarvestedByDefault) {
  const ResolveScene scene{.codes = std::make_shared<const domain::CodeDictionary>()};
  EXPECT_NE(MissingWith("active", scene).find("the dictionary has no"), std::string::npos);
}

}  // namespace patra::app::default_targets_test
