#include "base/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/canonical_json.h"
#include "tests/conformance/shared.h"

namespace patra::document_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Document Json(std::string text) {
  auto document = Document::ParseJson(std::move(text));
  PATRA_ASSERT(document.has_value());
  return *std::move(document);
}

Document Xml(std::string text) {
  auto document = Document::ParseXml(std::move(text));
  if (!document) ADD_FAILURE() << document.error().Describe();
  PATRA_ASSERT(document.has_value());
  return *std::move(document);
}

Error JsonError(std::string text, DocumentLimits limits = {}) {
  const auto document = Document::ParseJson(std::move(text), limits);
  return document ? Error{.message = "no error"} : document.error();
}

Error XmlError(std::string text, DocumentLimits limits = {}) {
  const auto document = Document::ParseXml(std::move(text), limits);
  return document ? Error{.message = "no error"} : document.error();
}

std::vector<std::string> NamesOf(Node node) {
  std::vector<std::string> names;
  for (const auto& [name, child] : node.children()) names.emplace_back(name);
  return names;
}

constexpr std::string_view kSample =
    R"({"z":[1,2.5,-3,18446744073709551615],"a":{"t":true,"f":false,"n":null},"s":"h\u00e9 \"x\"",)"
    R"("empty":{},"none":[]})";

class EveryJsonBackend : public ::testing::TestWithParam<bool> {
 protected:
  EveryJsonBackend()
      : document_(GetParam() ? Json(std::string(kSample))
                             : Document::Of(ParseJson(kSample).value())) {}
  Node root() const { return document_.root(); }

 private:
  Document document_;
};

TEST_P(EveryJsonBackend, SaysWhatItHolds) {
  EXPECT_EQ(root().type(), NodeType::kObject);
  EXPECT_EQ(root().size(), 5u);
  EXPECT_EQ(root().Find("s")->AsString(), "h\u00e9 \"x\"");
  EXPECT_EQ(root().Find("a")->Find("t")->AsBool(), true);
  EXPECT_EQ(root().Find("a")->Find("f")->AsBool(), false);
  EXPECT_TRUE(root().Find("a")->Find("n")->is_null());
  const auto numbers = *root().Find("z");
  EXPECT_EQ(numbers.size(), 4u);
  EXPECT_EQ(numbers.At(0)->AsInteger(), 1);
  EXPECT_EQ(numbers.At(1)->AsDouble(), 2.5);
  EXPECT_EQ(numbers.At(1)->AsInteger(), std::nullopt);
  EXPECT_EQ(numbers.At(2)->AsInteger(), -3);
  EXPECT_EQ(numbers.At(3)->AsInteger(), std::nullopt);
  EXPECT_EQ(numbers.At(3)->AsDouble(), 18446744073709551616.0);
}

TEST_P(EveryJsonBackend, GivesNothingWhereThereIsNothing) {
  EXPECT_FALSE(root().Find("absent"));
  EXPECT_FALSE(root().Find("z")->At(4));
  EXPECT_FALSE(root().Find("z")->Find("x"));
  EXPECT_FALSE(root().At(0));
  EXPECT_FALSE(root().Find("s")->AsBool());
  EXPECT_FALSE(root().Find("s")->AsNumber());
  EXPECT_FALSE(root().Find("z")->AsString());
  EXPECT_EQ(root().Find("s")->size(), 0u);
  EXPECT_EQ(root().Find("empty")->size(), 0u);
  EXPECT_TRUE(NamesOf(*root().Find("none")).empty());
  EXPECT_TRUE(NamesOf(*root().Find("s")).empty());
  EXPECT_FALSE(root().Attribute("z"));
  EXPECT_EQ(root().name(), "");
}

TEST_P(EveryJsonBackend, PrintsWhatAPersonWouldRead) {
  EXPECT_EQ(root().Find("s")->Text(), "h\u00e9 \"x\"");
  EXPECT_EQ(root().Find("a")->Find("n")->Text(), "");
  EXPECT_EQ(root().Find("a")->Text(),
            (GetParam() ? R"({"t":true,"f":false,"n":null})"   // the page's own order
                        : R"({"f":false,"n":null,"t":true})")  // a Value sorts its members
  );
  EXPECT_EQ(root().Find("z")->At(1)->Text(), "2.5");
}

INSTANTIATE_TEST_SUITE_P(Backends, EveryJsonBackend, ::testing::Bool(),
                         [](const auto& tape) { return tape.param ? "Tape" : "Value"; });

TEST(JsonDocument, KeepsTheOrderOfMembersAndItems) {
  const auto document = Json(std::string(kSample));
  EXPECT_THAT(NamesOf(document.root()), ElementsAre("z", "a", "s", "empty", "none"));
  std::vector<std::int64_t> items;
  const auto numbers = Json("[3,1,2]");
  for (const auto& [name, item] : numbers.root().children()) items.push_back(*item.AsInteger());
  EXPECT_THAT(items, ElementsAre(3, 1, 2));
}

TEST(JsonDocument, PrintsLongIntegersInFull) {
  EXPECT_EQ(Json("18446744073709551615").root().Text(), "18446744073709551615");
  EXPECT_EQ(Json("9223372036854775807").root().Text(), "9223372036854775807");
  EXPECT_EQ(Json("-9223372036854775808").root().Text(), "-9223372036854775808");
}

TEST(JsonDocument, FindsTheFirstOfARepeatedName) {
  const auto document = Json(R"({"a":1,"a":2})");
  EXPECT_EQ(document.root().Find("a")->AsInteger(), 1);
  EXPECT_EQ(PrintJson(ToValue(document.root()).value()), R"({"a":1})");
}

TEST(JsonDocument, SkipsAByteOrderMark) {
  EXPECT_EQ(Json("\xEF\xBB\xBF[1]").root().At(0)->AsInteger(), 1);
}

TEST(JsonDocument, TakesScalarsAndEveryShortLength) {
  EXPECT_EQ(Json(" true ").root().AsBool(), true);
  for (std::size_t length = 0; length < 200; ++length) {
    const std::string text(length, 'x');
    EXPECT_EQ(Json('"' + text + '"').root().AsString(), text);
  }
}

TEST(JsonDocument, CountsArraysOfEverySize) {
  std::string text = "[0";
  for (int i = 1; i < 70'000; ++i) text += ",0";
  EXPECT_EQ(Json(text + "]").root().size(), 70'000u);
}

TEST(JsonDocument, StaysValidWhenItMovesToAnotherThread) {
  auto document = Json(R"({"a":"text"})");
  const auto node = *document.root().Find("a");
  auto moved = std::make_unique<Document>(std::move(document));
  EXPECT_EQ(node.AsString(), "text");
  std::thread([kept = std::move(moved), node] { EXPECT_EQ(node.AsString(), "text"); }).join();
  EXPECT_EQ(Json("[1]").root().size(), 1u);
}

TEST(JsonDocument, OldPagesDoNotShineThroughReusedBuffers) {
  for (int i = 0; i < 50; ++i) {
    const auto first = Json("[" + std::string(static_cast<std::size_t>(i) * 100, ' ') + "1,2,3]");
    const auto second = Json(R"({"a":["b"]})");
    EXPECT_EQ(first.root().At(2)->AsInteger(), 3);
    EXPECT_EQ(second.root().Find("a")->At(0)->AsString(), "b");
  }
}

TEST(JsonDocument, LimitsDepthAlikeOnBothParsers) {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') + '1' +
           std::string(static_cast<std::size_t>(depth), ']');
  };
  EXPECT_TRUE(Document::ParseJson(nested(64)));
  EXPECT_TRUE(ParseJson(nested(64)));
  const auto error = JsonError(nested(65));
  EXPECT_EQ(error.code, ErrorCode::kLimit);
  EXPECT_EQ(error.place.column, 65);
  EXPECT_EQ(JsonError(nested(3), {.json_depth_max = 2}).code, ErrorCode::kLimit);
  EXPECT_TRUE(Document::ParseJson(nested(2), {.json_depth_max = 2}));
  EXPECT_EQ(JsonError(std::string(1'000'000, '[')).code, ErrorCode::kLimit);
}

TEST(Document, RefusesDepthLimitsThatTheStackCouldNotTake) {
  EXPECT_EQ(JsonError("1", {.json_depth_max = 0}).code, ErrorCode::kInvalidInput);
  EXPECT_EQ(JsonError("1", {.json_depth_max = 100'000}).code, ErrorCode::kInvalidInput);
  EXPECT_EQ(XmlError("<a/>", {.xml_depth_max = 100'000}).code, ErrorCode::kInvalidInput);
}

TEST(JsonDocument, LimitsBytes) {
  EXPECT_EQ(JsonError("[1,2]", {.bytes_max = 4}).code, ErrorCode::kLimit);
  EXPECT_TRUE(Document::ParseJson("[1,2]", {.bytes_max = 5}));
}

TEST(JsonDocument, AnIntegerOfMoreThan64BitsIsADoubleAndLeavesTheOthersAsTheyAre) {
  const auto document = Json(
      R"({"long":18446744073709551616,"text":"18446744073709551616","most":18446744073709551615,
          "least":-9223372036854775808,"less":-9223372036854775809,"point":1.50})");
  const auto text = [&](const char* name) { return document.root().Find(name)->Text(); };
  EXPECT_EQ(document.root().Find("long")->AsDouble(), 18446744073709551616.0);
  EXPECT_FALSE(document.root().Find("long")->AsNumber()->is_integer());
  EXPECT_FALSE(document.root().Find("less")->AsNumber()->is_integer());
  EXPECT_EQ(text("text"), "18446744073709551616");
  EXPECT_EQ(text("most"), "18446744073709551615");
  EXPECT_EQ(text("least"), "-9223372036854775808");
  EXPECT_EQ(text("point"), "1.5");
}

struct Broken {
  std::string text;
  int line;
  int column;
  std::string message;
};

TEST(JsonDocument, SaysWhereAndWhatIsWrong) {
  const std::vector<Broken> cases = {
      {"", 1, 1, "ends where a value"},
      {"  ", 1, 3, "ends where a value"},
      {"{\n\"a\": tru }", 2, 9, "'true'"},
      {"[1,]", 1, 4, "']' where a value"},
      {"[1 2]", 1, 4, "',' or ']'"},
      {"{\"a\" 1}", 1, 6, "':'"},
      {"{a:1}", 1, 2, "a name in quotes"},
      {"{\"a\":1,}", 1, 8, "a name in quotes"},
      {"{\"a\":1", 1, 7, "',' or '}'"},
      {"[01]", 1, 3, "start with 0"},
      {"[-]", 1, 3, "a digit"},
      {"[1.]", 1, 4, "a digit"},
      {"[1e]", 1, 4, "a digit"},
      {"[+1]", 1, 2, "a value"},
      {"[NaN]", 1, 2, "a value"},
      {"[1e400]", 1, 2, "larger than a double"},
      {"[-1e400]", 1, 2, "larger than a double"},
      {"[\"\\ud800\"]", 1, 3, "surrogate"},
      {"[\"\\udc00\"]", 1, 3, "surrogate"},
      {"[\"\\ud800\\u0041\"]", 1, 3, "surrogate"},
      {"[\"a\xFF\"]", 1, 4, "UTF-8"},
      {"[\"\xED\xA0\x80\"]", 1, 3, "UTF-8"},
      {"[\"a\nb\"]", 1, 4, "control character"},
      {"[\"\\x\"]", 1, 3, "no escape"},
      {"[\"\\u12g4\"]", 1, 3, "four hexadecimal"},
      {"[\"abc", 1, 2, "no end"},
      {"[1] x", 1, 5, "after the end"},
      {"<html>", 1, 1, "a value"},
      {"{\"a\":[1,2}", 1, 10, "',' or ']'"},
  };
  for (const auto& broken : cases) {
    SCOPED_TRACE(broken.text);
    const auto error = JsonError(broken.text);
    EXPECT_EQ(error.code, ErrorCode::kInvalidInput);
    EXPECT_EQ(error.place.line, broken.line);
    EXPECT_EQ(error.place.column, broken.column);
    EXPECT_THAT(error.message, HasSubstr(broken.message));
  }
}

TEST(JsonDocument, TakesNumbersThatRoundToZero) {
  EXPECT_EQ(Json("[1e-400]").root().At(0)->AsDouble(), 0.0);
}

TEST(DeepEqual, ComparesNumbersByValueAndObjectsWithoutOrder) {
  const auto equal = [](std::string a, std::string b) {
    const auto x = Json(std::move(a));
    const auto y = Json(std::move(b));
    const auto copy = ToValue(y.root()).value();
    const bool result = DeepEqual(x.root(), y.root());
    EXPECT_EQ(result, DeepEqual(y.root(), x.root()));
    EXPECT_EQ(result, DeepEqual(x.root(), Node(copy)));
    return result;
  };
  EXPECT_TRUE(equal("1", "1.0"));
  EXPECT_TRUE(equal("100", "1e2"));
  EXPECT_TRUE(equal("0", "-0.0"));
  EXPECT_FALSE(equal("9007199254740993", "9007199254740992.0"));
  EXPECT_FALSE(equal("9223372036854775807", "9223372036854775808.0"));
  EXPECT_TRUE(equal(R"({"a":[1,{"b":null}],"c":"x"})", R"({"c":"x","a":[1.0,{"b":null}]})"));
  EXPECT_FALSE(equal("[1,2]", "[2,1]"));
  EXPECT_FALSE(equal("[1,2]", "[1]"));
  EXPECT_FALSE(equal(R"({"a":1})", R"({"b":1})"));
  EXPECT_FALSE(equal(R"({"a":1})", R"({"a":1,"b":1})"));
  EXPECT_FALSE(equal("\"1\"", "1"));
  EXPECT_FALSE(equal("null", "false"));
}

TEST(DeepEqual, StopsWhenItsStepsAreUsedUp) {
  const auto document = Json("[1,2,3,4,5]");
  std::uint64_t steps = 3;
  EXPECT_FALSE(DeepEqual(document.root(), document.root(), &steps));
  EXPECT_EQ(steps, 0u);
}

TEST(Number, OrdersIntegersAndDoublesExactly) {
  EXPECT_TRUE(Number(std::int64_t{9007199254740993}) > Number(9007199254740992.0));
  EXPECT_TRUE(Number(UINT64_MAX) < Number(18446744073709551616.0));
  EXPECT_TRUE(Number(UINT64_MAX) > Number(std::int64_t{-1}));
  EXPECT_TRUE(Number(INT64_MIN) == Number(-9223372036854775808.0));
  EXPECT_TRUE(Number(INT64_MIN) > Number(-1e300));
  EXPECT_TRUE(Number(std::int64_t{-3}) > Number(-3.5));
  EXPECT_TRUE(Number(std::int64_t{-3}) < Number(-2.5));
  EXPECT_TRUE(Number(std::uint64_t{0}) > Number(-0.5));
  EXPECT_FALSE(Number(std::int64_t{0}) == Number(std::nan("")));
  EXPECT_FALSE(Number(std::int64_t{0}) < Number(std::nan("")));
  EXPECT_EQ(Number(3.0).AsInteger(), 3);
  EXPECT_EQ(Number(9223372036854775808.0).AsInteger(), std::nullopt);
}

TEST(ToValue, IsBounded) {
  EXPECT_EQ(ToValue(Json("[1,2,3]").root(), 3).error().code, ErrorCode::kLimit);
  EXPECT_TRUE(ToValue(Json("[1,2,3]").root(), 4));
}

TEST(ToValue, KeepsThePageAsItIs) {
  const std::string text = R"({"a":[1,2.5,"x",{"b":null,"c":true}],"d":-1})";
  EXPECT_EQ(PrintJson(ToValue(Json(text).root()).value()), text);
}

// XML ----------------------------------------------------------------------------------------

TEST(XmlDocument, GivesNamesNamespacesAttributesAndText) {
  const auto document = Xml(
      R"(<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE r SYSTEM "r.dtd"><!-- c -->
<o:r xmlns:o="urn:o" xmlns="urn:d" id="7" o:k='a&amp;b'><t xml:lang="en">x</t><o:u/></o:r><?p i?>)");
  const auto root = document.root();
  EXPECT_EQ(root.type(), NodeType::kElement);
  EXPECT_EQ(root.name(), "o:r");
  EXPECT_EQ(root.local_name(), "r");
  EXPECT_EQ(root.namespace_uri(), "urn:o");
  EXPECT_EQ(root.Attribute("id")->Text(), "7");
  EXPECT_EQ(root.Attribute("id")->namespace_uri(), "");
  EXPECT_EQ(root.Attribute("o:k")->Text(), "a&b");
  EXPECT_EQ(root.Attribute("o:k")->namespace_uri(), "urn:o");
  EXPECT_FALSE(root.Attribute("absent"));
  EXPECT_THAT(NamesOf(root), ElementsAre("t", "o:u"));
  EXPECT_EQ(root.size(), 2u);
  EXPECT_EQ(root.Find("t")->namespace_uri(), "urn:d");
  EXPECT_EQ(root.Find("t")->Attribute("xml:lang")->namespace_uri(),
            "http://www.w3.org/XML/1998/namespace");
}

TEST(XmlDocument, GivesAllTheTextOfMixedContent) {
  const auto document =
      Xml("<t>On <i>E. coli</i><b> K12</b> <i>x</i> &lt; <![CDATA[a<b]]>!<!-- c -->?</t>");
  EXPECT_EQ(document.root().Text(), "On E. coli K12 x < a<b!?");
}

TEST(XmlDocument, CopiesAsJson) {
  const auto copy = [](std::string text) {
    return PrintJson(ToValue(Xml(std::move(text)).root()).value());
  };
  EXPECT_EQ(copy("<a>x</a>"), R"("x")");
  EXPECT_EQ(copy("<a/>"), R"("")");
  EXPECT_EQ(copy("<a k='v'>x</a>"), R"({"#text":"x","@k":"v"})");
  EXPECT_EQ(copy("<a>\n <b>1</b>\n <b>2</b><b>3</b><c/></a>"), R"({"b":["1","2","3"],"c":""})");
  EXPECT_EQ(copy("<a>x<b>1</b>y</a>"), R"({"#text":"xy","b":"1"})");
}

TEST(XmlDocument, ConvertsTheEncodingsItKnows) {
  const auto text = [](std::string encoding, std::string content) {
    return Xml("<?xml version='1.0' encoding='" + encoding + "'?><a>" + content + "</a>")
        .root()
        .Text();
  };
  EXPECT_EQ(text("utf-8", "\xC3\xA9"), "\u00e9");
  EXPECT_EQ(text("US-ASCII", "e"), "e");
  EXPECT_EQ(text("ISO-8859-1", "\xE9"), "\u00e9");
  EXPECT_EQ(text("windows-1252", "\x80\x93\xE9"), "\u20ac\u201c\u00e9");
  EXPECT_EQ(Xml("\xEF\xBB\xBF<a>x</a>").root().Text(), "x");
  EXPECT_THAT(XmlError("<?xml version='1.0' encoding='Shift_JIS'?><a/>").message,
              HasSubstr("'Shift_JIS' is not supported"));
  EXPECT_THAT(XmlError(std::string("\xFF\xFE<\0a\0", 6)).message, HasSubstr("UTF-16"));
  EXPECT_THAT(XmlError("<?xml version='1.0' encoding='windows-1252'?><a>\x81</a>").message,
              HasSubstr("0x81"));
}

TEST(XmlDocument, SaysWhereAndWhatIsWrong) {
  const std::vector<Broken> cases = {
      {"", 1, 1, "no root element"},
      {"x", 1, 1, "the root element"},
      {"<a>\n<b></a>", 2, 4, "'</a>' where '</b>'"},
      {"<a>", 1, 4, "ends inside the element 'a'"},
      {"<a><b/></a><c/>", 1, 12, "second root"},
      {"<a/>text", 1, 5, "after the end of the root"},
      {"<a x='1' x='2'/>", 1, 10, "appears twice"},
      {"<a x=1/>", 1, 6, "a quote"},
      {"<a x='1'y='2'/>", 1, 9, "a blank"},
      {"<a x='<'/>", 1, 7, "'<' inside"},
      {"<a x='1", 1, 6, "no end"},
      {"<a>&nbsp;</a>", 1, 4, "'&nbsp;' is unknown"},
      {"<a>a & b</a>", 1, 7, "'&amp;'"},
      {"<a>&amp</a>", 1, 4, "without ';'"},
      {"<a>&#0;</a>", 1, 4, "no character"},
      {"<a>&#xD800;</a>", 1, 4, "no character"},
      {"<a>&#x110000;</a>", 1, 4, "no character"},
      {"<a>&#99999999999999999999;</a>", 1, 4, "no character"},
      {"<a>&#x;</a>", 1, 7, "a digit"},
      {"<a x='&nbsp;'/>", 1, 7, "unknown"},
      {"<a>\xFF</a>", 1, 4, "UTF-8"},
      {"<a>\x01</a>", 1, 4, "U+0001"},
      {std::string("<a>\0</a>", 8), 1, 4, "U+0000"},
      {"<a>\xEF\xBF\xBE</a>", 1, 4, "U+FFFE"},
      {"<a>]]></a>", 1, 4, "']]>'"},
      {"<a><!-- -- --></a>", 1, 9, "'--'"},
      {"<a><!-- ", 1, 4, "no end"},
      {"<a><![CDATA[ ]]</a>", 1, 4, "no end"},
      {"<a><?xml version='1.0'?></a>", 1, 4, "not at the start"},
      {" <?xml version='1.0'?><a/>", 1, 2, "not at the start"},
      {"<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", 1, 13, "internal subset"},
      {"<!DOCTYPE a PUBLIC '-//x' 'y.dtd' []><a/>", 1, 35, "internal subset"},
      {"<a><!DOCTYPE a></a>", 1, 4, "declaration inside"},
      {"<1a/>", 1, 2, "name of an element"},
      {"<a 1='x'/>", 1, 4, "name of an attribute"},
      {"<a\xC3\x97/>", 1, 3, "a blank"},
      {"<?xml encoding='utf-8'?><a/>", 1, 7, "does not belong"},
      {"<?xml version='2.0'?><a/>", 1, 7, "version '2.0'"},
      {"<a/ >", 1, 3, "a blank"},
      {"</a>", 1, 1, "the root element"},
  };
  for (const auto& broken : cases) {
    SCOPED_TRACE(broken.text);
    const auto error = XmlError(broken.text);
    EXPECT_EQ(error.code, ErrorCode::kInvalidInput);
    EXPECT_EQ(error.place.line, broken.line);
    EXPECT_EQ(error.place.column, broken.column);
    EXPECT_THAT(error.message, HasSubstr(broken.message));
  }
}

TEST(XmlDocument, LimitsBytesDepthNodesAndAttributes) {
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += "<a>";
    for (int i = 0; i < depth; ++i) text += "</a>";
    return text;
  };
  EXPECT_TRUE(Document::ParseXml(nested(256)));
  EXPECT_EQ(XmlError(nested(257)).code, ErrorCode::kLimit);
  EXPECT_EQ(XmlError(nested(257)).place.column, 256 * 3 + 1);
  EXPECT_EQ(XmlError("<a><b/><c/></a>", {.nodes_max = 2}).code, ErrorCode::kLimit);
  EXPECT_TRUE(Document::ParseXml("<a><b/><c/></a>", {.nodes_max = 3}));
  EXPECT_EQ(XmlError("<a x='' y=''/>", {.attributes_per_element_max = 1}).code, ErrorCode::kLimit);
  EXPECT_EQ(XmlError("<a/>", {.bytes_max = 3}).code, ErrorCode::kLimit);
}

TEST(XmlDocument, AcceptsWhatXmlAllows) {
  for (const char* text :
       {"<a/>", "<a />", "<a\n>\n</a\t>", "<a x = \"1\" y='\"'/>",
        "<a>&lt;&gt;&amp;&apos;&quot;</a>", "<a>&#65;&#x1F600;&#9;</a>", "<\xC3\xA9l\xC3\xA9ment/>",
        "<a-b.c:d/>", "<a>]] ></a>", "<a><![CDATA[]]]]><![CDATA[>]]></a>", "<a><!----></a>",
        "<a><?pi?></a>", "<!DOCTYPE a><a/>", "<!DOCTYPE a SYSTEM \"x\" ><a/>",
        "<!DOCTYPE PubmedArticleSet PUBLIC \"-//NLM//DTD\" \"https://x/y.dtd\">\n<a/>\n<!-- end "
        "-->\n",
        "<?xml version=\"1.1\"?><a/>", "<?xml version='1.0' standalone='yes' ?><a/>"}) {
    const auto document = Document::ParseXml(text);
    EXPECT_TRUE(document) << text << ": " << document.error().Describe();
  }
}

// Recorded pages -----------------------------------------------------------------------------

TEST(RecordedPages, EveryOneParses) {
  const auto folder = testing::SharedFolder() / "fixtures";
  SKIP_WITHOUT_SHARED(folder);
  int json = 0;
  int xml = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if (extension != ".json" && extension != ".xml") continue;
    SCOPED_TRACE(entry.path().filename());
    const auto bytes = testing::ReadFile(entry.path());
    const auto document =
        extension == ".json" ? Document::ParseJson(bytes) : Document::ParseXml(bytes);
    ++(extension == ".json" ? json : xml);
    ASSERT_TRUE(document) << document.error().Describe();
    if (extension == ".json") {
      const auto value = ParseJson(bytes);
      ASSERT_TRUE(value) << value.error().Describe();
      EXPECT_TRUE(DeepEqual(document->root(), Node(*value)));
      EXPECT_EQ(CanonicalJson(ToValue(document->root()).value()), CanonicalJson(*value));
    }
  }
  EXPECT_GT(json, 40);
  EXPECT_GT(xml, 60);
}

}  // namespace patra::document_test
