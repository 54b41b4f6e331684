#include "base/canonical_json.h"

#include <gtest/gtest.h>

namespace patra::canonical_json_test {

std::string Canonical(std::string_view text) {
  const auto result = CanonicalizeJson(text);
  return result ? *result : "error: " + result.error().Describe();
}

TEST(CanonicalJson, PrintsNumbersAsEcmaScriptDoes) {
  EXPECT_EQ(Canonical("[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]"),
            "[333333333.3333333,1e+30,4.5,0.002,1e-27]");
  EXPECT_EQ(Canonical("[-0, 0.0, -1, 1e21, 1e20, 0.000001, 0.0000001, 123e-20]"),
            "[0,0,-1,1e+21,100000000000000000000,0.000001,1e-7,1.23e-18]");
  EXPECT_EQ(Canonical("[9007199254740993, 5e-324, 1.7976931348623157e308]"),
            "[9007199254740992,5e-324,1.7976931348623157e+308]");
}

TEST(CanonicalJson, KeepsEveryDigitOfAnInteger) {
  EXPECT_EQ(CanonicalJson(Value(std::int64_t{12345678901234567})), "12345678901234567");
  EXPECT_EQ(CanonicalJson(Value(std::int64_t{-9007199254740993})), "-9007199254740993");
  EXPECT_EQ(CanonicalJson(Value(std::int64_t{9007199254740992})), "9007199254740992");
}

TEST(CanonicalJson, SortsKeysByUtf16CodeUnits) {
  // U+FB33 is EF AC B3 in UTF-8, U+1F600 is F0 9F 98 80, but D83D DE00 in UTF-16 sorts first.
  EXPECT_EQ(
      Canonical(R"({"\ufb33":1,"\ud83d\ude00":2,"\u20ac":3,"1":4,"\r":5,"\u0080":6,"\u00f6":7})"),
      "{\"\\r\":5,\"1\":4,\"\xC2\x80\":6,\"\xC3\xB6\":7,\"\xE2\x82\xAC\":3,\"\xF0\x9F\x98\x80\":2,"
      "\"\xEF\xAC\xB3\":1}");
  EXPECT_EQ(Canonical(R"({"aa":1,"a":2,"":3})"), R"({"":3,"a":2,"aa":1})");
}

TEST(CanonicalJson, EscapesOnlyWhatItMust) {
  EXPECT_EQ(Canonical(R"(["\u0000\u001f\b\t\n\f\r\"\\\/\u007f\u2028"])"),
            "[\"\\u0000\\u001f\\b\\t\\n\\f\\r\\\"\\\\/\x7F\xE2\x80\xA8\"]");
}

TEST(CanonicalJson, RefusesWhatHasNoCanonicalForm) {
  EXPECT_EQ(CanonicalizeJson(R"({"a":1,"a":2})").error().message, "the key \"a\" appears twice");
  EXPECT_FALSE(CanonicalizeJson(R"(["\ud800"])"));
  EXPECT_FALSE(CanonicalizeJson("[\"\xFF\"]"));
  EXPECT_FALSE(CanonicalizeJson("[1e400]"));
  EXPECT_FALSE(CanonicalizeJson("[NaN]"));
  EXPECT_FALSE(CanonicalizeJson("[1] x"));
  EXPECT_FALSE(CanonicalizeJson(""));
}

TEST(CanonicalJson, RefusesDeepNestingInsteadOfOverflowingTheStack) {
  const std::string deep(100'000, '[');
  EXPECT_EQ(CanonicalizeJson(deep).error().code, ErrorCode::kLimit);
}

}  // namespace patra::canonical_json_test
