#include "base/value.h"

#include <gtest/gtest.h>

namespace patra::value_test {

TEST(ParseJson, ReadsEveryTypeAndPrintsItBack) {
  const std::string text = R"({"a":[1,-2,2.5,true,false,null,"x\n"],"b":{}})";
  const auto value = ParseJson(text);
  ASSERT_TRUE(value);
  EXPECT_EQ(PrintJson(*value), text);
}

TEST(ParseJson, KeepsIntegersOf64BitsExact) {
  EXPECT_EQ(PrintJson(*ParseJson("[9223372036854775807,-9223372036854775808]")),
            "[9223372036854775807,-9223372036854775808]");
  EXPECT_NE(ParseJson("18446744073709551615")->AsDouble(), nullptr);
}

TEST(ParseJson, SaysWhereTheTextIsWrong) {
  const auto error = ParseJson("{\"a\": 1,\n \"b\": tru}").error();
  EXPECT_EQ(error.code, ErrorCode::kInvalidInput);
  EXPECT_EQ(error.place.line, 2);
  EXPECT_EQ(error.place.column, 10);
}

TEST(ParseJson, SaysWhereAKeyAppearsTwiceAndWhereItIsTooDeep) {
  const auto twice = ParseJson("{\"a\": 1,\n \"a\": 2}").error();
  EXPECT_EQ(twice.place.line, 2);
  EXPECT_EQ(twice.place.column, 4);  // the key's closing quote
  const auto deep = ParseJson("[\n[[1]]]", {.depth_max = 2}).error();
  EXPECT_EQ(deep.place.line, 2);
  EXPECT_EQ(deep.place.column, 2);
}

TEST(ParseJson, RefusesMoreBytesThanAllowed) {
  EXPECT_EQ(ParseJson("[1,2,3]", {.bytes_max = 3}).error().code, ErrorCode::kLimit);
}

TEST(ParseJson, AZeroByteIsNotTheEndOfTheText) {
  EXPECT_EQ(ParseJson(std::string_view("1\0garbage", 9)).error().place.column, 2);
}

TEST(ParseJson, AllowsExactlyTheDepthLimit) {
  EXPECT_TRUE(ParseJson("[[1]]", {.depth_max = 2}));
  EXPECT_EQ(ParseJson("[[[1]]]", {.depth_max = 2}).error().code, ErrorCode::kLimit);
}

TEST(PrintJson, IndentsForPeople) {
  EXPECT_EQ(PrintJson(*ParseJson(R"({"a":[1,2],"b":{},"c":[]})"), 2),
            "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {},\n  \"c\": []\n}");
}

TEST(Value, FindsMembersAndMakesThem) {
  Value value;
  value["window"]["from"] = "2026-01-01T00:00:00Z";
  ASSERT_NE(value.Find("window"), nullptr);
  EXPECT_EQ(*value.Find("window")->Find("from")->AsString(), "2026-01-01T00:00:00Z");
  EXPECT_EQ(value.Find("nothing"), nullptr);
  EXPECT_EQ(value.Find("window")->Find("from")->Find("x"), nullptr);
}

}  // namespace patra::value_test
