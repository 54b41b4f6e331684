#include "base/json_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/json_items.h"
#include "tests/conformance/shared.h"

namespace patra::json_path_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Document Json(std::string text) {
  auto document = Document::ParseJson(std::move(text));
  PATRA_ASSERT(document.has_value());
  return *std::move(document);
}

JsonPath Compiled(std::string_view text) {
  auto path = JsonPath::Compile(text);
  if (!path) ADD_FAILURE() << text << ": " << path.error().Describe();
  PATRA_ASSERT(path.has_value());
  return *std::move(path);
}

// The selected values as one JSON array.
std::string Selected(std::string_view path, std::string_view document) {
  const auto page = Json(std::string(document));
  const auto nodes = Compiled(path).Select(page.root());
  if (!nodes) return nodes.error().Describe();
  Value::Array values;
  for (const auto& node : *nodes) values.push_back(ToValue(node).value());
  return PrintJson(values);
}

struct Case {
  std::string_view path;
  std::string_view document;
  std::string_view result;
};

void ExpectAll(const std::vector<Case>& cases) {
  for (const auto& [path, document, result] : cases) {
    EXPECT_EQ(Selected(path, document), result) << path << " on " << document;
  }
}

void ExpectInvalid(const std::vector<std::string_view>& paths) {
  for (const auto path : paths) {
    const auto compiled = JsonPath::Compile(path);
    EXPECT_FALSE(compiled) << path;
    if (compiled) continue;
    EXPECT_EQ(compiled.error().code, ErrorCode::kInvalidInput) << path;
    EXPECT_GT(compiled.error().place.column, 0) << path;
    EXPECT_FALSE(compiled.error().hint.empty()) << path;
  }
}

void ExpectValid(const std::vector<std::string_view>& paths) {
  for (const auto path : paths) {
    const auto compiled = JsonPath::Compile(path);
    EXPECT_TRUE(compiled) << path << ": " << compiled.error().Describe();
  }
}

TEST(JsonPath, SelectsByNameAndIndex) {
  ExpectAll({
      {"$", "1", "[1]"},
      {"$.a.b", R"({"a":{"b":2}})", "[2]"},
      {"$['a']['b']", R"({"a":{"b":2}})", "[2]"},
      {"$[\"a\"]", R"({"a":1})", "[1]"},
      {"$.\u00e9_1", R"({"é_1":1})", "[1]"},
      {"$['']", R"({"":1})", "[1]"},
      {"$[0,-1,0]", "[1,2,3]", "[1,3,1]"},
      {"$[-4]", "[1,2,3]", "[]"},
      {"$[9007199254740991]", "[1]", "[]"},
      {"$[0]", R"({"0":1})", "[]"},
      {"$['0']", "[1]", "[]"},
      {"$['a','b','a']", R"({"a":1,"b":2})", "[1,2,1]"},
      {"$.*", R"({"b":1,"a":2})", "[1,2]"},
      {"$[*,0]", "[1,2]", "[1,2,1]"},
      {"$.*", "1", "[]"},
  });
}

TEST(JsonPath, ReadsEscapesByTheKindOfQuote) {
  ExpectAll({
      {R"($['\u0061'])", R"({"a":1})", "[1]"},
      {R"($['\uD83D\uDE00'])", R"({"😀":1})", "[1]"},
      {R"($["\ud83d\ude00"])", R"({"😀":1})", "[1]"},
      {R"($['\'"'])", R"({"'\"":1})", "[1]"},
      {R"($["'\""])", R"({"'\"":1})", "[1]"},
      {R"($['\b\f\n\r\t\/\\'])", R"({"\b\f\n\r\t/\\":1})", "[1]"},
      {R"($['\u0000'])", R"({"\u0000":1})", "[1]"},
  });
  ExpectInvalid({R"($['\"'])", R"($["\'"])", R"($['\a'])", R"($['\u00g0'])", R"($['\u00'])",
                 R"($['\ud800'])", R"($['\udc00'])", R"($['\ud800\ud800'])", R"($['\ud800x'])",
                 R"($['\U0061'])", R"($['\x61'])", "$['a\tb']", "$['a\nb']", "$['a", "$['a\\",
                 "$['a\"]", "$[\"a']", R"($['\)"});
}

TEST(JsonPath, FollowsTheGrammarOfSegments) {
  ExpectValid({"$", "$ .a", "$\n['a']", "$.a\t.b", "$..a", "$ ..a", "$..[0]", "$..*",
               "$[ 'a' , 'b' ]", "$[\r0\n]", "$.a1", "$._", "$.A", "$..[ * ]"});
  ExpectInvalid({"",      " $",    "$ ",   "$\n",   "a",    "@",       "@.a",   "$a",    "$.",
                 "$..",   "$...a", "$. a", "$.. a", "$.1a", "$.-a",    "$.a-b", "$.'a'", "$.[0]",
                 "$[]",   "$[",    "$]",   "$['a'", "$[,]", "$['a',]", "$[a]",  "$.a b", "$.a.",
                 "$[0]]", "$$",    "$.a$", "$[**]", "$.**", "$..**",   "$(0)",  "$.#"});
}

TEST(JsonPath, AcceptsOnlyIntegersThatEveryoneAgreesOn) {
  ExpectValid({"$[0]", "$[9007199254740991]", "$[-9007199254740991]", "$[1:9007199254740991:-1]"});
  ExpectInvalid({"$[-0]",
                 "$[01]",
                 "$[-01]",
                 "$[00]",
                 "$[1.0]",
                 "$[1e1]",
                 "$[+1]",
                 "$[-]",
                 "$[- 1]",
                 "$[9007199254740992]",
                 "$[-9007199254740992]",
                 "$[99999999999999999999999]",
                 "$[:-0]",
                 "$[-0:]",
                 "$[::-0]",
                 "$[01:]",
                 "$[:01]",
                 "$[::01]",
                 "$[0x1]",
                 "$[\u0661]"});
}

TEST(JsonPath, SlicesAsPythonDoes) {
  constexpr std::string_view kTen = "[0,1,2,3,4,5,6,7,8,9]";
  ExpectAll({
      {"$[1:3]", kTen, "[1,2]"},
      {"$[5:]", kTen, "[5,6,7,8,9]"},
      {"$[:2]", kTen, "[0,1]"},
      {"$[1:5:2]", kTen, "[1,3]"},
      {"$[5:1:-2]", kTen, "[5,3]"},
      {"$[::-1]", kTen, "[9,8,7,6,5,4,3,2,1,0]"},
      {"$[:]", kTen, kTen},
      {"$[::]", kTen, kTen},
      {"$[-2:]", kTen, "[8,9]"},
      {"$[:-8]", kTen, "[0,1]"},
      {"$[-1:-4:-1]", kTen, "[9,8,7]"},
      {"$[:-4:-1]", kTen, "[9,8,7]"},
      {"$[3::-1]", kTen, "[3,2,1,0]"},
      {"$[::0]", kTen, "[]"},
      {"$[1:8:0]", kTen, "[]"},
      {"$[9007199254740991::-9007199254740991]", kTen, "[9]"},
      {"$[-9007199254740991:9007199254740991:9007199254740991]", kTen, "[0]"},
      {"$[-9007199254740991::-1]", kTen, "[]"},
      {"$[0:-9007199254740991:-1]", kTen, "[0]"},
      {"$[10:]", kTen, "[]"},
      {"$[ 1 : 6 : 2 ]", kTen, "[1,3,5]"},
      {"$[1: :2]", "[0,1,2,3]", "[1,3]"},
      {"$[:: ]", "[0]", "[0]"},
      {"$[:]", "[]", "[]"},
      {"$[::-1]", "[]", "[]"},
      {"$[:]", R"({"a":1})", "[]"},
      {"$[0:2,1:3]", "[0,1,2]", "[0,1,1,2]"},
  });
  ExpectInvalid({"$[1:2:3:4]", "$[1:a]", "$[a:1]", "$[::a]", "$[1:2.0]", "$[:::]", "$[1::2 3]"});
}

TEST(JsonPath, VisitsParentsBeforeTheirDescendants) {
  ExpectAll({
      {"$..a", R"({"a":[{"a":1},{"b":{"a":2}}],"c":{"a":3}})",
       R"([[{"a":1},{"b":{"a":2}}],1,2,3])"},
      {"$..[0]", "[[1,[2]],[3]]", "[[1,[2]],1,2,3]"},
      {"$..*", "[[1],[2]]", "[[1],[2],1,2]"},
      {"$..[0,0]", "[1,[2]]", "[1,1,2,2]"},
      {"$..a..b", R"({"a":{"a":{"b":1}}})", "[1,1]"},
      {"$..[?@.x]", R"([{"x":1,"y":{"x":2}}])", R"([{"x":1,"y":{"x":2}},{"x":2}])"},
      {"$..[1:]", "[0,[1,2],3]", "[[1,2],3,2]"},
  });
}

TEST(JsonPath, ComparesAsTheStandardSays) {
  ExpectAll({
      {"$[?@ == 1]", "[1,1.0,1e0,\"1\",true,[1]]", "[1,1,1]"},
      {"$[?@ == 100]", "[1e2,100.0]", "[100,100]"},
      {"$[?@ == -0]", "[0,-0.0]", "[0,0]"},
      {"$[?@ == -0.0e-5]", "[0]", "[0]"},
      {"$[?@ != 1]", "[1,2,null]", "[2,null]"},
      {"$[?@ < 2]", "[1,2,3,\"1\",null,true]", "[1]"},
      {"$[?@ <= 2]", "[1,2,3]", "[1,2]"},
      {"$[?@ > 'b']", R"(["a","b","c","ba",1])", R"(["c","ba"])"},
      {"$[?@ >= 'b']", R"(["a","b","ba"])", R"(["b","ba"])"},
      {"$[?@ < '\uE000']", R"(["\ud83d\ude00","x"])", R"(["x"])"},
      {"$[?@ == null]", "[null,0,false]", "[null]"},
      {"$[?@ <= null]", "[null,0]", "[null]"},
      {"$[?@ >= true]", "[true,false]", "[true]"},
      {"$[?@ < true]", "[true,false]", "[]"},
      {"$[?@.a == @.b]", R"([{"a":1,"b":1},{"a":1},{}])", R"([{"a":1,"b":1},{}])"},
      {"$[?@.a != @.b]", R"([{"a":1,"b":1},{"a":1},{}])", R"([{"a":1}])"},
      {"$[?@.a <= @.b]", R"([{"a":1},{}])", "[{}]"},
      {"$[?@.a < @.b]", R"([{"a":1},{}])", "[]"},
      {"$[?@.a == null]", R"([{"a":null},{}])", R"([{"a":null}])"},
      {"$[?@.a == $[0].a]", R"([{"a":[1,{"b":2}]},{"a":[1.0,{"b":2}]},{"a":[2]}])",
       R"([{"a":[1,{"b":2}]},{"a":[1,{"b":2}]}])"},
      {"$[?@ <= $[0]]", "[[1],[1],[2]]", "[[1],[1]]"},
      {"$[?@ == 9007199254740993]", "[9007199254740993,9007199254740992,9007199254740992.0]",
       "[9007199254740993]"},
      {"$[?@ == 18446744073709551615]", "[18446744073709551615,18446744073709551614]",
       "[18446744073709552000]"},
      {"$[?1 == 1]", "[7]", "[7]"},
      {"$[?'a' < 'b']", "[7]", "[7]"},
      {"$[?1.5E+1 == @]", "[15]", "[15]"},
  });
  ExpectInvalid(
      {"$[?@ = 1]",      "$[?@ === 1]",    "$[?@ == 1 == 1]", "$[?@ <> 1]",    "$[?@ =< 1]",
       "$[?@ == 01]",    "$[?@ == -01]",   "$[?@ == 1.]",     "$[?@ == .5]",   "$[?@ == +1]",
       "$[?@ == 1e]",    "$[?@ == 1e400]", "$[?@ == TRUE]",   "$[?@ == True]", "$[?@ == nul]",
       "$[?@ == nullx]", "$[?@ == a]",     "$[?@ == [1]]",    "$[?@ == {}]",   "$[?@ ==]",
       "$[?== 1]",       "$[?@ == - 1]",   "$[?@ == -]",      "$[?@ ! = 1]",   "$[?@ < = 1]"});
}

TEST(JsonPath, ComparesOnlyWhatHasOneValue) {
  ExpectInvalid({"$[?@.* == 1]", "$[?@..a == 1]", "$[?@[0,1] == 1]", "$[?@['a','b'] == 1]",
                 "$[?@[0:1] == 1]", "$[?@[?@.a] == 1]", "$[?1 == @.*]", "$[?@[*] == @[*]]",
                 "$[?(@.a) == 1]", "$[?1 == (1)]", "$[?(@.a == 1) == true]",
                 // The grammar of a query that stands for a value has no blanks inside brackets.
                 "$[?@[ 'a' ] == 1]", "$[?length(@[ 0 ]) == 1]"});
  ExpectValid({"$[?@ ['a'] .b == 1]", "$[?@[ 'a' ]]", "$[?count(@[ 0 ]) == 1]"});
}

TEST(JsonPath, TestsExistence) {
  ExpectAll({
      {"$[?@.a]", R"([{"a":null},{"a":false},{"b":1},1,"a"])", R"([{"a":null},{"a":false}])"},
      {"$[?!@.a]", R"([{"a":null},{"b":1},1])", R"([{"b":1},1])"},
      {"$[?@.*]", R"([[],[0],{},{"a":0},1])", R"([[0],{"a":0}])"},
      {"$[?@..x]", R"([{"y":{"x":1}},{"y":1}])", R"([{"y":{"x":1}}])"},
      {"$[?@]", "[null,false,0]", "[null,false,0]"},
      {"$[?$.a]", R"({"a":0,"b":1})", "[0,1]"},
      {"$[?@[?@ > 1]]", "[[1,2],[0,1]]", "[[1,2]]"},
      {"$[?@.a[?@ == $.x]]", R"({"x":2,"l":{"a":[2]},"m":{"a":[3]}})", R"([{"a":[2]}])"},
      {"$[?@ > 1]", R"({"a":1,"b":2})", "[2]"},
      {"$[?@.a, ?@.b]", R"([{"a":1,"b":2},{"b":3}])", R"([{"a":1,"b":2},{"a":1,"b":2},{"b":3}])"},
      {"$[?@.a,0]", R"([7,{"a":1}])", R"([{"a":1},7])"},
  });
}

TEST(JsonPath, BindsNotBeforeAndBeforeOr) {
  constexpr std::string_view kAll =
      R"([{"a":1},{"b":1},{"c":1},{"a":1,"b":1},{"b":1,"c":1},{"a":1,"c":1}])";
  ExpectAll({
      {"$[?@.a || @.b && @.c]", kAll, R"([{"a":1},{"a":1,"b":1},{"b":1,"c":1},{"a":1,"c":1}])"},
      {"$[?(@.a || @.b) && @.c]", kAll, R"([{"b":1,"c":1},{"a":1,"c":1}])"},
      {"$[?!@.a && !@.b]", kAll, R"([{"c":1}])"},
      {"$[?!(@.a || @.b)]", kAll, R"([{"c":1}])"},
      {"$[?! ( @.a || @.b )]", kAll, R"([{"c":1}])"},
      {"$[?!(@.a == 1)]", kAll, R"([{"b":1},{"c":1},{"b":1,"c":1}])"},
      {"$[?((@.a))&&(((@.b)))]", kAll, R"([{"a":1,"b":1}])"},
      {"$[?@.a&&@.b||@.c&&@.a]", kAll, R"([{"a":1,"b":1},{"a":1,"c":1}])"},
  });
  ExpectInvalid({"$[?!@.a == 1]",
                 "$[?!!@.a]",
                 "$[?!1]",
                 "$[?! 'a']",
                 "$[?@.a &&]",
                 "$[?&& @.a]",
                 "$[?@.a & @.b]",
                 "$[?@.a | @.b]",
                 "$[?@.a and @.b]",
                 "$[?(@.a]",
                 "$[?@.a)]",
                 "$[?()]",
                 "$[?]",
                 "$[?true]",
                 "$[?1]",
                 "$[?'a']",
                 "$[?null]",
                 "$[?true && @.a]",
                 "$[?@.a || false]",
                 "$[?(1)]",
                 "$[?!(true)]",
                 "$[?!length(@) == 1]"});
}

TEST(JsonPath, KnowsTheFunctions) {
  ExpectAll({
      {"$[?length(@) == 2]", R"(["ab","é😀","abc",[1,2],{"a":1,"b":2},12,null,true])",
       R"(["ab","é😀",[1,2],{"a":1,"b":2}])"},
      {"$[?length(@.a) == length(@.b)]", R"([{"a":"x","b":[1]},{"a":1},{"a":"x"}])",
       R"([{"a":"x","b":[1]},{"a":1}])"},
      {"$[?length('abc') == 3]", "[0]", "[0]"},
      {"$[?length(1) == @.none]", "[0]", "[0]"},
      {"$[?length(value(@..x)) == 1]", R"([{"x":"a"},{"x":"a","y":{"x":"b"}}])", R"([{"x":"a"}])"},
      {"$[?count(@.*) > 1]", "[[1],[1,2],{\"a\":1,\"b\":2},3]", R"([[1,2],{"a":1,"b":2}])"},
      {"$[?count(@['a','a']) == 2]", R"([{"a":1}])", R"([{"a":1}])"},
      {"$[?count(@.none) == 0]", "[1]", "[1]"},
      {"$[?count($) == 1]", "[1]", "[1]"},
      {"$[?value(@.*) == 1]", "[[1],[1,1],[2],[]]", "[[1]]"},
      {"$[?value(@.*) == value(@..x)]", "[[],[1]]", "[[]]"},
      {"$[?match(@, 'a.c')]", R"(["abc","a\nc","a\rc","xabc","abcx","a\u2028c"])",
       "[\"abc\",\"a\u2028c\"]"},
      {"$[?search(@, 'b')]", R"(["abc","ac",1])", R"(["abc"])"},
      {"$[?match(@.v, @.p)]",
       R"([{"v":"aa","p":"a+"},{"v":"aa","p":"b"},{"v":"a","p":"("},{"v":"a"}])",
       R"([{"p":"a+","v":"aa"}])"},
      {"$[?!match(@, '(')]", R"(["("])", R"(["("])"},
      {"$[?match(@, 1)]", R"(["1"])", "[]"},
      {"$[?match(@, '^a$')]", R"(["a","^a$"])", R"(["a"])"},
      {"$[?match( @ , 'a' ) && search(@,'a')]", R"(["a"])", R"(["a"])"},
      {"$[?search(@, value($..p))]", R"({"q":"xay","r":{"p":"a"}})", R"(["xay"])"},
  });
}

TEST(JsonPath, ChecksTheTypesOfFunctions) {
  ExpectInvalid({"$[?length(@)]",
                 "$[?count(@.*)]",
                 "$[?value(@.*)]",
                 "$[?!length(@)]",
                 "$[?length(@.*) == 1]",
                 "$[?length(@..a) == 1]",
                 "$[?length() == 1]",
                 "$[?length(@, @) == 1]",
                 "$[?length(@.a == 1) == 1]",
                 "$[?length((@)) == 1]",
                 "$[?length(@ && @) == 1]",
                 "$[?length(!@) == 1]",
                 "$[?length(match(@,'a')) == 1]",
                 "$[?count(1) == 1]",
                 "$[?count('a') == 1]",
                 "$[?count(true) == 1]",
                 "$[?count(length(@)) == 1]",
                 "$[?count(@ && @) == 1]",
                 "$[?count((@)) == 1]",
                 "$[?count() == 1]",
                 "$[?count(@,@) == 1]",
                 "$[?value(1) == 1]",
                 "$[?value() == 1]",
                 "$[?match(@, 'a') == true]",
                 "$[?match(@)]",
                 "$[?match(@, 'a', 'b')]",
                 "$[?match(@.*, 'a')]",
                 "$[?match(@, @.*)]",
                 "$[?search(@, 'a') == 1]",
                 "$[?Length(@) == 1]",
                 "$[?length (@) == 1]",
                 "$[?unknown(@)]",
                 "$[?len-gth(@) == 1]",
                 "$[?_length(@) == 1]",
                 "$[?length(@ == 1]",
                 "$[?length(@,) == 1]",
                 "$[?length(,@) == 1]",
                 "$[?true(@)]",
                 "$[?length == 1]",
                 "$.length()",
                 "$[length(@)]",
                 "length($)"});
  ExpectValid({"$[?length(length(@)) == 1]", "$[?count( @.* ) == 1]", "$[?length(\n@\t)==1]",
               "$[?length(null) == 1]", "$[?length($) == 1]", "$[?count(@[?match(@,'a')]) == 1]"});
}

TEST(JsonPath, PointsAtTheOffendingCharacter) {
  struct Wrong {
    std::string_view path;
    int column;
    std::string_view hint;
  };
  const std::vector<Wrong> cases = {
      {"", 1, "'$'"},
      {"store.book", 1, "'$'"},
      {"$.store.", 9, "a name or '*'"},
      {"$.a b", 4, "ends here"},
      {"$.a-b", 4, "'.', '..', '['"},
      {"$[a]", 3, "a name in quotes"},
      {"$['a'", 6, "',' or ']'"},
      {"$[?@.a = 1]", 8, "',' or ']'"},
      {"$[?@.* == 1]", 4, "value()"},
      {"$[?length(@)]", 4, "comparison"},
      {"$[?nope(@)]", 4, "length, count"},
      {"$[?match(@)]", 11, "expected 2"},
      {"$[?!@.a == 1]", 9, "parentheses"},
      {"$[?(@.a]", 8, "')'"},
      {"$[?@.a == abc]", 11, "quotes"},
      {"$[01]", 3, "leading zeros"},
      {"$['\\x']", 4, "are allowed"},
      {"$.\u00e9\u00e9 ", 7, "ends here"},
  };
  for (const auto& [path, column, hint] : cases) {
    SCOPED_TRACE(path);
    const auto compiled = JsonPath::Compile(path);
    ASSERT_FALSE(compiled);
    EXPECT_EQ(compiled.error().place.column, column);
    EXPECT_THAT(compiled.error().hint, HasSubstr(hint));
  }
  EXPECT_EQ(JsonPath::Compile("$.a\xFF").error().place.column, 4);
}

TEST(JsonPath, WritesNormalizedPaths) {
  const auto page = Json(R"({"a'b\\c\b\t\n\f\r\u0001\u001f/\"é":[[],{"x":1}]})");
  const auto located = Compiled("$..*").SelectLocated(page.root());
  ASSERT_TRUE(located);
  std::vector<std::string> paths;
  for (const auto& [node, path] : *located) paths.push_back(path);
  const std::string first = "$['a\\'b\\\\c\\b\\t\\n\\f\\r\\u0001\\u001f/\"\u00e9']";
  EXPECT_THAT(paths, ElementsAre(first, first + "[0]", first + "[1]", first + "[1]['x']"));
}

TEST(JsonPath, LocatesByPositionFromTheStart) {
  const auto page = Json("[1,2,3]");
  const auto located = Compiled("$[-1,::-2]").SelectLocated(page.root());
  std::vector<std::string> paths;
  for (const auto& [node, path] : *located) paths.push_back(path);
  EXPECT_THAT(paths, ElementsAre("$[2]", "$[2]", "$[0]"));
}

TEST(JsonPath, KnowsWhetherItIsSingular) {
  EXPECT_TRUE(Compiled("$").singular());
  EXPECT_TRUE(Compiled("$.a['b'][ 0 ][-1]").singular());
  EXPECT_FALSE(Compiled("$.*").singular());
  EXPECT_FALSE(Compiled("$..a").singular());
  EXPECT_FALSE(Compiled("$[0,1]").singular());
  EXPECT_FALSE(Compiled("$[0:1]").singular());
  EXPECT_FALSE(Compiled("$[?@]").singular());
}

TEST(JsonPath, FirstStopsAtTheFirst) {
  const auto page = Json("[" + std::string("1,").append(100'000, ' ') + "[2],3]");
  // Three steps would not do for all.
  EXPECT_EQ((**Compiled("$[*]").First(page.root(), {.steps_max = 3})).AsInteger(), 1);
  EXPECT_FALSE(Compiled("$.a").First(page.root())->has_value());
  EXPECT_FALSE(Compiled("$[?@ == 9]").First(page.root())->has_value());
  EXPECT_EQ((**Compiled("$[1][0]").First(page.root())).AsInteger(), 2);
}

TEST(JsonPath, SelectsNothingFromXml) {
  const auto page = Document::ParseXml("<a><b/></a>").value();
  EXPECT_TRUE(Compiled("$.b").Select(page.root())->empty());
  EXPECT_FALSE(Compiled("$.b").First(page.root())->has_value());
}

TEST(JsonPath, EndsRunawayQueriesWithALimit) {
  std::string wide = "[0";
  for (int i = 1; i < 2000; ++i) wide += ",[0]";
  const auto page = Json(wide + "]");
  std::string deep;
  for (int i = 0; i < 60; ++i) deep += "[[0],";
  deep += "0" + std::string(60, ']');
  const auto nested = Json(deep);
  const auto code = [](std::string_view path, const Document& document,
                       PathLimits limits = {.steps_max = 2'000'000}) {
    const auto nodes = Compiled(path).Select(document.root(), limits);
    return nodes ? ErrorCode::kInternal : nodes.error().code;
  };
  EXPECT_EQ(code("$..*..*..*..*..*..*", nested), ErrorCode::kLimit);
  EXPECT_EQ(code("$[?count($..*[?count($..*) > 0]) > 0]", page), ErrorCode::kLimit);
  EXPECT_EQ(code("$[?count($[?$ == $]) > 0]", page), ErrorCode::kLimit);
  EXPECT_EQ(code("$..*", page, {.results_max = 10}), ErrorCode::kLimit);
  EXPECT_EQ(code("$..*", page, {.steps_max = 10}), ErrorCode::kLimit);
  EXPECT_EQ(Compiled("$..*").SelectLocated(page.root(), {.results_max = 10}).error().code,
            ErrorCode::kLimit);
  EXPECT_EQ(Compiled("$[?@ == 'x']").First(page.root(), {.steps_max = 10}).error().code,
            ErrorCode::kLimit);
}

TEST(JsonPath, LimitsTheExpressionItself) {
  EXPECT_EQ(JsonPath::Compile("$" + std::string(20'000, ' ')).error().code, ErrorCode::kLimit);
  std::string nested = "$[?";
  for (int i = 0; i < 1000; ++i) nested += '(';
  EXPECT_EQ(JsonPath::Compile(nested).error().code, ErrorCode::kLimit);
  std::string filters = "$";
  for (int i = 0; i < 1000; ++i) filters += "[?@";
  EXPECT_EQ(JsonPath::Compile(filters).error().code, ErrorCode::kLimit);
  std::string calls = "$[?";
  for (int i = 0; i < 1000; ++i) calls += "length(";
  EXPECT_EQ(JsonPath::Compile(calls).error().code, ErrorCode::kLimit);
  EXPECT_EQ(JsonPath::Compile("$[?match(@, '(a{1000}){1000}')]").error().code, ErrorCode::kLimit);

  // Long but flat is fine.
  std::string chain = "$[?@";
  for (int i = 0; i < 2000; ++i) chain += "||@";
  EXPECT_EQ(Selected(chain + "]", "[1]"), "[1]");
}

TEST(JsonPath, IsSharedByThreads) {
  const auto page = Json(R"([{"v":"aa","p":"a+"},{"v":"b","p":"a+"}])");
  const auto path = Compiled("$[?match(@.v, @.p)]");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 200; ++j) EXPECT_EQ(path.Select(page.root())->size(), 1u);
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST(JsonPath, TellsTheWayToTheItems) {
  using Steps = std::vector<JsonPath::Step>;
  EXPECT_EQ(Compiled("$.message.items").StepsToItems(), (Steps{"message", "items"}));
  const JsonPath::EveryChild every;
  EXPECT_EQ(Compiled("$.message['items'][*]").StepsToItems(), (Steps{"message", "items", every}));
  EXPECT_EQ(Compiled("$[1]").StepsToItems(), (Steps{std::int64_t{1}}));
  EXPECT_EQ(Compiled("$[*]").StepsToItems(), Steps{every});
  EXPECT_EQ(Compiled("$[*].a.*").StepsToItems(), (Steps{every, "a", every}));
  EXPECT_EQ(Compiled("$[0,1]").StepsToItems(), Steps{JsonPath::Chosen{0}});
  EXPECT_EQ(Compiled("$.a..items[*]").StepsToItems(), (Steps{"a", JsonPath::Chosen{1}, every}));
  EXPECT_EQ(Compiled("$.items[?@.a]").StepsToItems(), (Steps{"items", JsonPath::Chosen{1}}));
}

TEST(JsonPath, OneStepChoosesWhatItsSegmentSelects) {
  const auto page = Json(R"({"kind":"x","items":[{"k":"x"},{"k":"y"},{"k":"x"}]})");
  const auto path = Compiled("$.items[?@.k == $.kind]");
  const auto items = page.root().Find("items");
  ASSERT_TRUE(items);
  EXPECT_EQ(path.Choose({1}, page.root(), *items)->size(), 2u) << "$ is the document, not the list";
  EXPECT_TRUE(path.is_filter({1}));
  EXPECT_FALSE(Compiled("$.items[1:]").is_filter({1}));
  const auto steps = path.StepsToItems();
  EXPECT_EQ(std::get<JsonItems>(*FindJsonItems(page.root(), path, steps, 100)).passed_over, 1u);
}

TEST(JsonPath, TellsWhetherItLeavesSomethingOut) {
  for (const auto* path : {"$.a[?@.b]", "$[1:]", "$.a..c[?@.d].e"})
    EXPECT_TRUE(Compiled(path).leaves_out()) << path;
  for (const auto* path : {"$.a.b", "$[*].c", "$..d[*]", "$['a','b']"})
    EXPECT_FALSE(Compiled(path).leaves_out()) << path;
}

TEST(JsonPath, ExtractsRecordsFromRecordedPages) {
  const auto folder = testing::SharedFolder() / "fixtures";
  SKIP_WITHOUT_SHARED(folder);
  const auto crossref =
      Json(testing::ReadFile(folder / "crossref" / "works_ecology_rows30_cursor_p1.json"));
  const auto dois = Compiled("$.message.items[*].DOI").Select(crossref.root());
  ASSERT_TRUE(dois);
  EXPECT_EQ(dois->size(), 30u);
  for (const auto& doi : *dois) EXPECT_TRUE(doi.AsString()->starts_with("10."));
  EXPECT_TRUE((**Compiled("$.message['next-cursor']").First(crossref.root())).AsString());

  const auto europepmc = Json(testing::ReadFile(folder / "europepmc" / "search_p1_25.json"));
  EXPECT_EQ(Compiled("$.resultList.result[?@.source == 'MED' || @.pmid || @.id].id")
                .Select(europepmc.root())
                ->size(),
            25u);
}

}  // namespace patra::json_path_test
