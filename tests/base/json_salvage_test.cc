#include "base/json_salvage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/conformance/shared.h"

namespace patra::json_salvage_test {

using ::testing::HasSubstr;

Result<SalvagedPage> Salvaged(const std::string& text, std::string_view items = "$.items",
                              DocumentLimits limits = {}) {
  return ParseJsonSalvaging(text, JsonPath::Compile(items).value(), limits);
}

TEST(Salvage, LeavesAHealthyPageAlone) {
  const auto page = Salvaged(R"({"items":[{"id":1}]})");
  ASSERT_TRUE(page);
  EXPECT_TRUE(page->broken.empty());
  EXPECT_EQ(page->document.root().Find("items")->size(), 1u);
}

TEST(Salvage, LosesOnlyTheBrokenRecord) {
  for (const std::string bad : {R"({"t":"\ud800"})", "{\"t\":\"\xFF\"}", R"({"t":1e400})",
                                "{\"t\":\"a\nb\"}", R"({"t":nul})", R"({"t":01})", R"({"t" 1})",
                                R"({"t":"\x"})", R"({"t":[1,]})", "x", R"({"a":1} {"b":2})"}) {
    SCOPED_TRACE(bad);
    const auto text = "{\"next\":\"t2\",\n \"items\":[{\"id\":1},\n" + bad +
                      " ,\n{\"id\":3,\"s\":\"]},[{\\\"\"}],\"total\":3}";
    const auto page = Salvaged(text);
    ASSERT_TRUE(page) << page.error().Describe();
    const auto root = page->document.root();
    EXPECT_EQ(root.Find("next")->AsString(), "t2");
    EXPECT_EQ(root.Find("total")->AsInteger(), 3);
    const auto items = *root.Find("items");
    ASSERT_EQ(items.size(), 3u);
    EXPECT_EQ(items.At(0)->Find("id")->AsInteger(), 1);
    EXPECT_TRUE(items.At(1)->is_null());
    EXPECT_EQ(items.At(2)->Find("id")->AsInteger(), 3);
    ASSERT_EQ(page->broken.size(), 1u);
    const auto& broken = page->broken[0];
    EXPECT_EQ(broken.index, 1u);
    EXPECT_EQ(broken.bytes, bad);
    EXPECT_EQ(text.substr(broken.offset, bad.size()), bad);
    EXPECT_GE(broken.error.place.line, 3);
    EXPECT_EQ(broken.error.code, ErrorCode::kInvalidInput);
  }
}

TEST(Salvage, SaysWhereInThePageTheTroubleIs) {
  const auto page = Salvaged("{\"items\":[\n  {\"a\":1},\n  {\"b\":\"\xFF\"},\n  {\"c\":tru}\n]}");
  ASSERT_TRUE(page);
  ASSERT_EQ(page->broken.size(), 2u);
  EXPECT_EQ(page->broken[0].error.place, (Place{.line = 3, .column = 9}));
  EXPECT_EQ(page->broken[1].error.place, (Place{.line = 4, .column = 11}));
}

TEST(Salvage, KeepsRecordsWithIntegersOfMoreThan64Bits) {
  const auto page = Salvaged(R"({"items":[{"id":18446744073709551616},{"id":"\ud800"},{"id":3}]})");
  ASSERT_TRUE(page);
  ASSERT_EQ(page->broken.size(), 1u);
  EXPECT_EQ(page->broken[0].index, 1u);
  EXPECT_EQ(page->document.root().Find("items")->At(0)->Find("id")->AsDouble(),
            18446744073709551616.0);
}

TEST(Salvage, QuarantinesARecordThatIsTooDeep) {
  const auto page =
      Salvaged("{\"items\":[{\"id\":1}," + std::string(500, '[') + std::string(500, ']') + "]}");
  ASSERT_TRUE(page) << page.error().Describe();
  ASSERT_EQ(page->broken.size(), 1u);
  EXPECT_EQ(page->broken[0].error.code, ErrorCode::kLimit);
}

TEST(Salvage, FollowsEveryKindOfStep) {
  constexpr std::string_view kBad = R"([0,{"a b":{"é":[1,"\ud800"]}}])";
  for (const char* items :
       {"$[1]['a b']['\u00e9']", "$[-1]['a b'].\u00e9[*]", "$[1]['\\u0061 b']['\u00e9']"}) {
    const auto page = Salvaged(std::string(kBad), items);
    ASSERT_TRUE(page) << items << page.error().Describe();
    EXPECT_EQ(page->broken.size(), 1u);
  }
  EXPECT_EQ(Salvaged(R"({"\u0069tems":["\ud800"]})")->broken.size(), 1u);
  EXPECT_EQ(Salvaged("[1,nope]", "$[*]")->broken.size(), 1u);
}

TEST(Salvage, CountsOffsetsFromTheByteOrderMark) {
  const std::string text = "\xEF\xBB\xBF{\"items\":[x]}";
  const auto page = Salvaged(text);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->broken[0].offset, text.find('x'));
}

TEST(Salvage, GivesUpOnThePageWhenMoreThanRecordsIsBroken) {
  for (const char* text : {R"({"items":[{"id":1},{"id":"\ud800"})",       // cut off
                           R"({"items":[{"id":1},{"id":"\ud800)",         // cut off inside a string
                           R"({"items":[{"id":1},{"id":[2}]})",           // brackets do not pair up
                           R"({"items":[{"id":"\ud800"}],"next":nope})",  // outside the array
                           R"({"items":[{"id":1},],"next":1})",           // nothing between commas
                           R"({"items":[],"next":nope})", R"({"items":{"a":nope}})",
                           R"({"other":[nope]})", "<html></html>", ""}) {
    const auto page = Salvaged(text);
    ASSERT_FALSE(page) << text;
    EXPECT_GT(page.error().place.line, 0) << text;
  }
}

TEST(Salvage, PlacesTroubleOutsideTheRecordsInTheOriginalPage) {
  const std::string text = "{\"items\":[\"\\ud800 long broken record\",2,x],\"next\":nope}";
  const auto page = Salvaged(text);
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().place.column, static_cast<int>(text.find("nope")) + 2);
}

TEST(Salvage, LosesOnlyTheBrokenRecordWhereRecordsAreChosen) {
  const std::string bad = R"({"id":2,"k":"x","t":"\ud800"})";
  for (const auto& [items, text, index] :
       std::vector<std::tuple<std::string, std::string, std::size_t>>{
           {"$.items[?@.k=='x']", R"({"items":[{"id":0,"k":"y"},{"id":1,"k":"x"},)" + bad + "]}",
            1},
           {"$..work", R"({"a":{"work":{"id":1}},"b":[{"c":{"work":)" + bad + "}}]}", 1},
           {"$.items[1:]", R"({"items":[{"id":0},)" + bad + R"(,{"id":3}]})", 0},
           {"$['old','new'][*]", R"({"new":[)" + bad + R"(],"old":[{"id":1}]})", 1}}) {
    const auto page = Salvaged(text, items);
    ASSERT_TRUE(page) << items << " " << page.error().Describe();
    ASSERT_EQ(page->broken.size(), 1u) << items;
    EXPECT_EQ(page->broken[0].index, index) << items;
    EXPECT_EQ(page->broken[0].bytes, bad) << items;
    EXPECT_EQ(page->broken[0].offset, text.find(bad)) << items;
    EXPECT_FALSE(page->broken_are_null);
  }
}

TEST(Salvage, GivesUpWhereWhatIsBrokenMayHaveBeenChosen) {
  // What the filter asks for is what is broken.
  EXPECT_FALSE(
      Salvaged(R"({"items":[{"id":1,"k":"x"},{"id":2,"k":"\ud800"}]})", "$.items[?@.k=='x']"));
  EXPECT_FALSE(Salvaged(R"({"items":[{"id":1}],"next":nope})", "$..items[*]"));
  EXPECT_FALSE(Salvaged(R"({"items":[{"id":1},{"id":[2}]})", "$..items[*]")) << "brackets";
  EXPECT_FALSE(Salvaged(R"({"a":[nope],"a":[1]})", "$..a[*]")) << "which of both is it?";
}

TEST(Salvage, BoundsItsWayIntoWhatIsBroken) {
  const std::string deep = std::string(300, '[') + "nope" + std::string(300, ']');
  const auto page = Salvaged(R"({"items":[{"id":1},)" + deep + "]}", "$..items[*]");
  ASSERT_TRUE(page) << page.error().Describe();
  ASSERT_EQ(page->broken.size(), 1u);
  EXPECT_EQ(page->broken[0].bytes, deep);
}

TEST(Salvage, ObeysTheLimits) {
  std::string many = "[";
  for (int i = 0; i < 10'001; ++i) many += "x,";
  EXPECT_FALSE(Salvaged(many + "1]", "$"));
  many.resize(many.size() - 2);
  EXPECT_EQ(Salvaged(many + "1]", "$")->broken.size(), 10'000u);
  EXPECT_EQ(Salvaged("[nope]", "$", {.bytes_max = 3}).error().code, ErrorCode::kLimit);
}

TEST(Salvage, KeepsARecordedPageButTheBrokenRecord) {
  const auto file =
      testing::SharedFolder() / "fixtures" / "crossref" / "works_ecology_rows30_cursor_p1.json";
  SKIP_WITHOUT_SHARED(file);
  auto bytes = testing::ReadFile(file);
  const auto title = bytes.find("\"title\":[\"", bytes.size() / 2);
  ASSERT_NE(title, std::string::npos);
  bytes[title + 12] = '\xFF';
  const auto page = Salvaged(bytes, "$.message.items[*]");
  ASSERT_TRUE(page) << page.error().Describe();
  ASSERT_EQ(page->broken.size(), 1u);
  EXPECT_EQ(JsonPath::Compile("$.message.items[*].DOI")->Select(page->document.root())->size(),
            29u);
}

}  // namespace patra::json_salvage_test
