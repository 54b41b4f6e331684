#include "base/i_regexp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::i_regexp_test {

bool Matches(std::string_view pattern, std::string_view text) {
  const auto compiled = IRegexp::Compile(pattern);
  if (!compiled) ADD_FAILURE() << pattern << ": " << compiled.error().Describe();
  return compiled && compiled->MatchesAll(text);
}

struct Case {
  std::string_view pattern;
  std::string_view text;
  bool matches;
};

TEST(IRegexp, MatchesTheWholeText) {
  const std::vector<Case> cases = {
      {"", "", true},
      {"", "a", false},
      {"a", "a", true},
      {"a", "ab", false},
      {"a|b", "b", true},
      {"a|", "", true},
      {"|a", "a", true},
      {"ab|cd", "ad", false},
      {"(a|b)c", "bc", true},
      {"()", "", true},
      {"()*x", "x", true},
      {"a*", "aaa", true},
      {"a+", "", false},
      {"a?", "aa", false},
      {"a{2}", "aa", true},
      {"a{2}", "aaa", false},
      {"a{2,}", "aaaa", true},
      {"a{2,}", "a", false},
      {"a{1,2}", "aaa", false},
      {"a{0}b", "b", true},
      {"(ab){2}", "abab", true},
      {"a{01}", "a", true},
      {"[abc]", "b", true},
      {"[^abc]", "b", false},
      {"[^abc]", "\n", true},
      {"[a-c]+", "abcab", true},
      {"[a-]", "-", true},
      {"[-a]", "-", true},
      {"[^-a]", "-", false},
      {"[a\\-z]", "-", true},
      {"[a\\-z]", "b", false},
      {"[\\]]", "]", true},
      {"[\\[-\\]]", "\\", true},
      {"[.*+?(){}|$]+", ".*+?(){}|$", true},
      {"[a^]", "^", true},
      {"[,/]", ",", true},
      {"[^^]", "^", false},
      {"[:alpha:]", "a", true},
      {"[:alpha:]", "b", false},
  };
  for (const auto& [pattern, text, expected] : cases) {
    EXPECT_EQ(Matches(pattern, text), expected) << pattern << " on " << text;
  }
}

TEST(IRegexp, DiffersFromRe2WhereTheStandardDoes) {
  EXPECT_FALSE(Matches("a.b", "a\nb"));
  EXPECT_FALSE(Matches("a.b", "a\rb"));
  EXPECT_TRUE(Matches("a.b", "a\u2028b"));
  EXPECT_TRUE(Matches(".", "\xF0\x9F\x98\x80"));
  EXPECT_TRUE(Matches("\xC3\xA9", "\xC3\xA9"));
  EXPECT_FALSE(Matches("A", "a"));
  EXPECT_TRUE(Matches("a#b c", "a#b c"));
  EXPECT_TRUE(Matches("\\n\\r\\t", "\n\r\t"));
  EXPECT_TRUE(Matches("\\(\\)\\*\\+\\-\\.\\?\\[\\\\\\]\\^\\{\\|\\}", "()*+-.?[\\]^{|}"));
  EXPECT_TRUE(Matches("-,/", "-,/"));
  EXPECT_TRUE(Matches(std::string_view("a\0b", 3), std::string_view("a\0b", 3)));
}

TEST(IRegexp, CaretAndDollarAreAnchors) {
  EXPECT_TRUE(Matches("^ab$", "ab"));
  EXPECT_TRUE(Matches("^", ""));
  EXPECT_TRUE(Matches("(^a|b$)", "b"));
  EXPECT_TRUE(Matches("^*a", "a")) << "whatever it may be good for";
  EXPECT_FALSE(Matches("a^b", "a^b"));
  EXPECT_FALSE(Matches("a$", "a$"));
  EXPECT_TRUE(Matches("\\^[$]", "^$")) << "the characters themselves";
  const auto part = IRegexp::Compile("^a.*c$").value();
  EXPECT_TRUE(part.MatchesPart("abc"));
  EXPECT_FALSE(part.MatchesPart("xabc"));
  EXPECT_FALSE(part.MatchesPart("abcx"));
  EXPECT_FALSE(part.MatchesPart("abc\nx")) << "of the text, not of a line";
}

TEST(IRegexp, KnowsCharacterCategories) {
  EXPECT_TRUE(Matches("\\p{Lu}", "\u00c9"));
  EXPECT_FALSE(Matches("\\p{Lu}", "\u00e9"));
  EXPECT_TRUE(Matches("\\P{Lu}", "\u00e9"));
  EXPECT_TRUE(Matches("\\p{L}+", "a\u00e9\u4e00"));
  EXPECT_TRUE(Matches("\\p{Nd}", "\u0663"));
  EXPECT_TRUE(Matches("[\\p{L}\\p{Nd}_]+", "a1_"));
  EXPECT_FALSE(Matches("[^\\p{L}]", "a"));
  EXPECT_TRUE(Matches("[\\P{L}a]+", "1a!"));
  for (const char* category :
       {"L",  "Ll", "Lm", "Lo", "Lt", "Lu", "M",  "Mc", "Me", "Mn", "N",  "Nd",
        "Nl", "No", "P",  "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "Z",  "Zl",
        "Zp", "Zs", "S",  "Sc", "Sk", "Sm", "So", "C",  "Cc", "Cf", "Cn", "Co"}) {
    for (const char* form : {"\\p{", "\\P{", "[\\p{", "[^\\P{", "[a\\p{"}) {
      const auto pattern = std::string(form) + category + (form[0] == '[' ? "}]" : "}");
      EXPECT_TRUE(IRegexp::Compile(pattern)) << pattern;
    }
  }
}

TEST(IRegexp, KnowsUnassignedCharacters) {
  const std::string unassigned = "\xCD\xB8";  // U+0378
  for (const char* pattern : {"\\p{Cn}", "\\p{C}", "[\\p{Cn}]", "[a\\p{C}]", "[^\\P{Cn}]"}) {
    EXPECT_TRUE(Matches(pattern, unassigned)) << pattern;
    EXPECT_FALSE(Matches(pattern, "b")) << pattern;
  }
  EXPECT_FALSE(Matches("[^\\p{Cn}b]", unassigned));
  EXPECT_FALSE(Matches("[^\\p{Cn}b]", "b"));
  EXPECT_TRUE(Matches("[^\\p{Cn}b]", "c"));
  EXPECT_FALSE(Matches("\\P{Cn}", unassigned));
  EXPECT_TRUE(Matches("\\p{C}", "\x01"));
  EXPECT_TRUE(Matches("[\\p{C}]", "\x01"));
  EXPECT_FALSE(Matches("\\p{Cn}", "\x01"));
  EXPECT_FALSE(Matches("\\P{C}", "\x01"));
  EXPECT_TRUE(Matches("\\P{C}", "a"));
}

TEST(IRegexp, RefusesWhatTheStandardDoesNotHave) {
  for (const char* pattern : {"(",          ")",          "a)",          "(a",
                              "*",          "+a",         "?",           "a**",
                              "a+?",        "a*?",        "a?+",         "a{",
                              "a{}",        "a{,2}",      "a{x}",        "a{1",
                              "a{1,2",      "a{2,1}",     "a{1}{2}",     "{1}",
                              "]",          "}",          "a]",          "a}",
                              "[",          "[]",         "[^]",         "[a",
                              "[a-",        "[b-a]",      "[a-b-c]",     "[a--]",
                              "[--a]",      "[a-\\p{L}]", "[\\p{L}-a]",  "[[a]]",
                              "[a[]",       "\\",         "\\d",         "\\w",
                              "\\s",        "\\S",        "\\b",         "\\B",
                              "\\A",        "\\z",        "\\x41",       "\\u0041",
                              "\\a",        "\\/",        "\\$",         "\\1",
                              "\\Q",        "[\\d]",      "\\p",         "\\pL",
                              "\\p{",       "\\p{}",      "\\p{X}",      "\\p{Lx}",
                              "\\p{Greek}", "\\p{^L}",    "\\p{Cs}",     "\\p{IsBasicLatin}",
                              "\\p{LU}",    "\\P{l}",     "(?:a)",       "(?i)a",
                              "(?=a)",      "(?P<n>a)",   "[[:alpha:]]", "\xFF"}) {
    const auto compiled = IRegexp::Compile(pattern);
    EXPECT_FALSE(compiled) << pattern;
    if (compiled) continue;
    EXPECT_EQ(compiled.error().code, ErrorCode::kInvalidInput) << pattern;
    EXPECT_GT(compiled.error().place.column, 0) << pattern;
  }
}

TEST(IRegexp, CountsBeyondWhatRe2Does) {
  EXPECT_TRUE(Matches("a{1001}", std::string(1001, 'a')));
  EXPECT_FALSE(Matches("a{1001}", std::string(1000, 'a')));
  EXPECT_TRUE(Matches("a{1500,2500}", std::string(2500, 'a')));
  EXPECT_FALSE(Matches("a{1500,2500}", std::string(2501, 'a')));
  EXPECT_FALSE(Matches("a{1500,2500}", std::string(1499, 'a')));
  EXPECT_TRUE(Matches("a{1500,}", std::string(4000, 'a')));
  EXPECT_TRUE(Matches("a{0,1500}", ""));
}

TEST(IRegexp, LimitsWhatItNeeds) {
  for (const auto& pattern :
       {std::string(20'000, 'a'), std::string("a{1000000}"), std::string("a{99999999999999999999}"),
        std::string("(a{1000}){1000}"), std::string(1000, '(') + std::string(1000, ')'),
        std::string("((((a{2000}){2000}){2000}){2000}){2000}"), std::string("\\p{L}{90000}")}) {
    const auto compiled = IRegexp::Compile(pattern);
    ASSERT_FALSE(compiled) << pattern.substr(0, 40);
    EXPECT_EQ(compiled.error().code, ErrorCode::kLimit) << pattern.substr(0, 40);
  }
}

TEST(IRegexp, FindsParts) {
  const auto compiled = IRegexp::Compile("b+").value();
  EXPECT_TRUE(compiled.MatchesPart("abbc"));
  EXPECT_FALSE(compiled.MatchesPart("ac"));
  EXPECT_FALSE(compiled.MatchesAll("abb"));
  EXPECT_TRUE(IRegexp::Compile("")->MatchesPart("abc"));
}

}  // namespace patra::i_regexp_test
