// RFC 9535 JSONPath against the standard's test suite, on every kind of document.
#include "base/json_path.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/conformance/shared.h"

namespace patra::json_path_test {

// Objects have no order, so a case may allow several results; ours has to be one of them.
std::vector<Value> Allowed(const Value& test, std::string_view one, std::string_view several) {
  if (const auto* results = test.Find(several)) return *results->AsArray();
  const auto* result = test.Find(one);
  return result != nullptr ? std::vector<Value>{*result} : std::vector<Value>();
}

bool IsAllowed(const std::vector<Value>& allowed, const Value& actual) {
  return std::ranges::any_of(
      allowed, [&](const Value& value) { return DeepEqual(Node(value), Node(actual)); });
}

void ExpectResult(const Value& test, const JsonPath& path, Node root) {
  const auto located = path.SelectLocated(root);
  const auto plain = path.Select(root);
  const auto first = path.First(root);
  ASSERT_TRUE(located && plain && first);

  Value::Array values;
  Value::Array paths;
  for (const auto& [node, where] : *located) {
    values.push_back(ToValue(node).value());
    paths.emplace_back(where);
  }
  EXPECT_TRUE(IsAllowed(Allowed(test, "result", "results"), values)) << PrintJson(values);
  EXPECT_TRUE(IsAllowed(Allowed(test, "result_paths", "results_paths"), paths)) << PrintJson(paths);

  ASSERT_EQ(plain->size(), located->size());
  for (std::size_t i = 0; i < plain->size(); ++i) {
    EXPECT_TRUE(DeepEqual((*plain)[i], (*located)[i].node));
  }
  ASSERT_EQ(first->has_value(), !plain->empty());
  if (*first) {
    EXPECT_TRUE(DeepEqual(**first, plain->front()));
  }
  if (path.singular()) {
    EXPECT_LE(plain->size(), 1u);
  }
}

TEST(Rfc9535, EveryCaseOfTheSuiteOnEveryKindOfDocument) {
  const auto file = testing::SharedFolder() / "conformance" / "jsonpath-rfc9535.json";
  SKIP_WITHOUT_SHARED(file);
  const auto suite = ParseJson(testing::ReadFile(file));
  const auto page = Document::ParseJson(testing::ReadFile(file));
  ASSERT_TRUE(suite && page);
  const auto& tests = *suite->Find("tests")->AsArray();
  EXPECT_GT(tests.size(), 300u);

  for (std::size_t i = 0; i < tests.size(); ++i) {
    const auto& test = tests[i];
    const auto& selector = *test.Find("selector")->AsString();
    SCOPED_TRACE(*test.Find("name")->AsString() + ": " + selector);
    const auto path = JsonPath::Compile(selector);
    if (test.Find("invalid_selector") != nullptr) {
      ASSERT_FALSE(path);
      EXPECT_EQ(path.error().code, ErrorCode::kInvalidInput);
      EXPECT_GT(path.error().place.column, 0);
      EXPECT_FALSE(path.error().hint.empty());
      continue;
    }
    ASSERT_TRUE(path) << path.error().Describe();
    const auto& content = *test.Find("document");
    const auto root = *page->root().Find("tests")->At(i)->Find("document");
    ExpectResult(test, *path, root);
    ExpectResult(test, *path, Node(content));

    // A normalized path is a path to the same node (§2.7).
    const auto located = path->SelectLocated(root);
    ASSERT_TRUE(located);
    for (const auto& [node, where] : *located) {
      const auto again = JsonPath::Compile(where);
      ASSERT_TRUE(again) << where;
      EXPECT_TRUE(again->singular());
      EXPECT_TRUE(DeepEqual(**again->First(root), node)) << where;
    }
  }
}

}  // namespace patra::json_path_test
