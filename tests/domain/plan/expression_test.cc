#include "domain/plan/expression.h"

#include <gtest/gtest.h>

namespace patra::domain::expression_test {

using namespace std::chrono_literals;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

SliceSpec Hour(int number) {
  const auto from = kBegin + number * 1h;
  return {.window = *Window::Between(from, from + 1h)};
}

SpecSnapshot Source() {
  SpecSnapshot spec;
  spec.http = {.path = "/items", .query = {{"from", "${window.from}"}}};
  spec.params = {{"set", "physics"}, {"empty", ""}};
  spec.window.granularity = Granularity::kMinute;
  return spec;
}

TEST(Localise, DependsOnPrototypeSliceAndQuery) {
  const auto prototype = ExpressionPrototype::Of(Source());
  const auto hash = [&](std::string_view proto, std::string_view query, const SliceSpec& slice) {
    return Localise(prototype, proto, query, slice).hash;
  };
  EXPECT_EQ(hash("p", "a", Hour(0)), hash("p", "a", Hour(0)));
  EXPECT_NE(hash("p", "a", Hour(0)), hash("p", "a", Hour(1)));
  EXPECT_NE(hash("p", "a", Hour(0)), hash("q", "a", Hour(0)));
  EXPECT_NE(hash("p", "a", Hour(0)), hash("p", "b", Hour(0)));
}

TEST(Localise, KeepsTheTemplatesAndTheValuesThatTheSliceGivesToThem) {
  const auto prototype = ExpressionPrototype::Of(Source());
  const auto kept = Localise(prototype, "p", "a", Hour(2));
  const auto values = ValuesIn(kept.snapshot);
  ASSERT_TRUE(values);
  EXPECT_EQ(*values, BoundValues(prototype, Hour(2)));
  EXPECT_EQ(*values->Find("window")->Find("from"), Value("2026-01-01T02:00:00Z"));
  EXPECT_EQ(*values->Find("params"), Value(Value::Object{{"set", "physics"}}));
  const auto expression = *ParseJson(kept.snapshot);
  EXPECT_EQ(*expression.Find("requests")->Find("search")->Find("path"), Value("/items"));
}

TEST(BoundValues, EndWithTheLastMomentWhereTheFilterIncludesIt) {
  auto source = Source();
  const auto to = [&] {
    return *BoundValues(ExpressionPrototype::Of(source), Hour(0)).Find("window")->Find("to");
  };
  EXPECT_EQ(to(), Value("2026-01-01T01:00:00Z"));
  source.window.ends = WindowEnds::kInclusive;
  EXPECT_EQ(to(), Value("2026-01-01T00:59:00Z"));
}

TEST(ValuesIn, AreNoneWhereAnExpressionIsOlderOrCannotBeRead) {
  EXPECT_FALSE(ValuesIn(R"({"proto":"p","query":"a","slice":{}})"));
  EXPECT_FALSE(ValuesIn("not JSON"));
  EXPECT_FALSE(ValuesIn(""));
}

}  // namespace patra::domain::expression_test
