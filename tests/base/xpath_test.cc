#include "base/xpath.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/path.h"
#include "tests/conformance/shared.h"

namespace patra::xpath_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Document Xml(std::string text) {
  auto document = Document::ParseXml(std::move(text));
  if (!document) ADD_FAILURE() << document.error().Describe();
  PATRA_ASSERT(document.has_value());
  return *std::move(document);
}

XPath Compiled(std::string_view text, const Namespaces& namespaces = {}) {
  auto path = XPath::Compile(text, namespaces);
  if (!path) ADD_FAILURE() << text << ": " << path.error().Describe();
  PATRA_ASSERT(path.has_value());
  return *std::move(path);
}

std::vector<std::string> Texts(Node context, std::string_view path,
                               const Namespaces& namespaces = {}) {
  const auto nodes = Compiled(path, namespaces).Select(context);
  if (!nodes) return {nodes.error().Describe()};
  std::vector<std::string> texts;
  for (const auto& node : *nodes) texts.push_back(node.Text());
  return texts;
}

std::string Computes(Node context, std::string_view path, const Namespaces& namespaces = {}) {
  const auto value = Compiled(path, namespaces).Compute(context);
  return value ? PrintJson(*value) : value.error().Describe();
}

// Two namespaces, one of them under two prefixes and as the default.
constexpr const char* kPage = R"(<o:list xmlns:o="urn:o" xmlns:e="urn:e" n="3">
 <o:record id="1" e:kind="x"><o:title>One</o:title><e:title>Eins</e:title></o:record>
 <p:record xmlns:p="urn:o" id="2"><p:title>Two <i>2</i></p:title></p:record>
 <record xmlns="urn:o" id="3"><title>Three</title></record>
 <plain><title xml:lang="en">Four</title></plain>
</o:list>)";

TEST(XPath, MatchesPrefixesByTheirUri) {
  const auto page = Xml(kPage);
  const Namespaces namespaces = {{"x", "urn:o"}, {"y", "urn:e"}};
  EXPECT_THAT(Texts(page.root(), "//x:record/x:title", namespaces),
              ElementsAre("One", "Two 2", "Three"));
  EXPECT_THAT(Texts(page.root(), "x:record/y:title", namespaces), ElementsAre("Eins"));
  EXPECT_THAT(Texts(page.root(), "/x:list/x:record[2]/x:title", namespaces), ElementsAre("Two 2"));
  EXPECT_THAT(Texts(page.root(), "x:record[x:title = 'Three']/@id", namespaces), ElementsAre("3"));
  EXPECT_THAT(Texts(page.root(), "//x:*[@id]/@id", namespaces), ElementsAre("1", "2", "3"));
  EXPECT_THAT(Texts(page.root(), "//@y:kind", namespaces), ElementsAre("x"));
  EXPECT_THAT(Texts(page.root(), "//@y:*", namespaces), ElementsAre("x"));
  EXPECT_THAT(Texts(page.root(), "//@xml:lang", namespaces), ElementsAre("en"));
  EXPECT_THAT(Texts(page.root(), "child::x:record[@y:kind]/attribute::id", namespaces),
              ElementsAre("1"));
  EXPECT_THAT(Texts(page.root(), "x:record[last()]/@id", namespaces), ElementsAre("3"));
  EXPECT_EQ(Computes(page.root(), "count(//y:title | //x:title)", namespaces), "4");
}

TEST(XPath, MatchesUnprefixedNamesByTheDeclaredDefaultOrByLocalName) {
  const auto page = Xml(kPage);
  EXPECT_THAT(Texts(page.root(), "//title"), ElementsAre("One", "Eins", "Two 2", "Three", "Four"));
  EXPECT_THAT(Texts(page.root(), "//title", {{"", "urn:o"}}), ElementsAre("One", "Two 2", "Three"));
  EXPECT_THAT(Texts(page.root(), "//title", {{"", ""}}), ElementsAre("Four"));
  EXPECT_THAT(Texts(page.root(), "@n", {{"", "urn:o"}}), ElementsAre("3"));
  EXPECT_THAT(Texts(page.root(), "//@kind"), IsEmpty());
}

TEST(XPath, TellsNamesFromOperatorsFunctionsAndAxes) {
  const auto page =
      Xml("<a><div>6</div><mod>4</mod><and/><or/><text>t</text><count/><child>c</child>"
          "<a-b>1</a-b></a>");
  EXPECT_EQ(Computes(page.root(), "div div mod"), "1.5");
  EXPECT_EQ(Computes(page.root(), "div mod mod"), "2");
  EXPECT_EQ(Computes(page.root(), "div * mod"), "24");
  EXPECT_EQ(Computes(page.root(), "count(*) * 2"), "16");
  EXPECT_EQ(Computes(page.root(), "and and or"), "true");
  EXPECT_EQ(Computes(page.root(), "div - mod"), "2");
  EXPECT_THAT(Texts(page.root(), "a-b"), ElementsAre("1"));
  EXPECT_THAT(Texts(page.root(), "text"), ElementsAre("t"));
  EXPECT_THAT(Texts(page.root(), "text/text()"), ElementsAre("t"));
  EXPECT_THAT(Texts(page.root(), "child :: child"), ElementsAre("c"));
  EXPECT_THAT(Texts(page.root(), "descendant::*[.='4']"), ElementsAre("4"));
  EXPECT_EQ(Computes(page.root(), "string(div) = 'div' or \"mod\" = 'mod'"), "true");
  EXPECT_EQ(Computes(page.root(), ".5 + 1."), "1.5");
  EXPECT_EQ(Computes(page.root(), "-div"), "-6");
}

TEST(XPath, ComputesStringsNumbersAndBooleans) {
  const auto page = Xml(kPage);
  EXPECT_EQ(Computes(page.root(), "string(//title[3])"), R"("")");
  EXPECT_EQ(Computes(page.root(), "normalize-space(//record[2])"), R"("Two 2")");
  EXPECT_EQ(Computes(page.root(), "concat(@n, '-', count(//record))"), R"("3-3")");
  EXPECT_EQ(Computes(page.root(), "@n > 2"), "true");
  EXPECT_EQ(Computes(page.root(), "number('x')"), "null");
  EXPECT_EQ(Computes(page.root(), "1 div 0"), "null");
  EXPECT_TRUE(Compiled("//x").selects_nodes());
  EXPECT_FALSE(Compiled("count(//x)").selects_nodes());
}

TEST(XPath, StartsAtTheContext) {
  const auto page = Xml(kPage);
  const auto record = **Compiled("record[2]").First(page.root());
  EXPECT_THAT(Texts(record, "title"), ElementsAre("Two 2"));
  EXPECT_THAT(Texts(record, ".//i"), ElementsAre("2"));
  EXPECT_THAT(Texts(record, "@id"), ElementsAre("2"));
  EXPECT_THAT(Texts(record, "/list/@n"), ElementsAre("3"));
  EXPECT_THAT(Texts(record, "../@n"), ElementsAre("3"));
  const auto attribute = **Compiled("@id").First(record);
  EXPECT_THAT(Texts(attribute, "../title"), ElementsAre("Two 2"));
  EXPECT_EQ(Computes(attribute, "string(.)"), R"("2")");
  EXPECT_EQ(attribute.name(), "id");
  const auto text = **Compiled("title/text()").First(record);
  EXPECT_EQ(text.type(), NodeType::kText);
  EXPECT_EQ(text.Text(), "Two ");
}

TEST(XPath, GivesNodesInDocumentOrder) {
  const auto page = Xml("<a><b/><c/><b/></a>");
  std::vector<std::string> names;
  const auto nodes = Compiled("c | b").Select(page.root());
  for (const auto& node : *nodes) names.emplace_back(node.name());
  EXPECT_THAT(names, ElementsAre("b", "c", "b"));
  EXPECT_EQ((**Compiled("c | b").First(page.root())).name(), "b");
}

TEST(XPath, FindsNothingOutsideXml) {
  const auto page = Document::ParseJson("{\"a\":1}").value();
  EXPECT_THAT(Texts(page.root(), "a"), IsEmpty());
  EXPECT_FALSE(Compiled("a").First(page.root())->has_value());
  EXPECT_EQ(Computes(page.root(), "1 + 1"), "null");
}

TEST(XPath, PointsAtWhatIsWrong) {
  struct Wrong {
    std::string_view path;
    int column;
  };
  const std::vector<Wrong> cases = {{"", 1},           {"//o:a", 3},
                                    {"//record[", 10}, {"//record]", 9},
                                    {"a/@x:y", 4},     {"a[b = 'x]", 7},
                                    {"$x", 1},         {"a ! b", 3},
                                    {"nope(a)", 1},    {"//record[foo(title)]", 10},
                                    {"a/", 3},         {"record/title b", 14},
                                    {"\xFF", 1},       {"count()", 8},
                                    {"a[", 3},         {"record/title[1", 15}};
  for (const auto& [path, column] : cases) {
    SCOPED_TRACE(path);
    const auto compiled = XPath::Compile(path);
    ASSERT_FALSE(compiled);
    EXPECT_EQ(compiled.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(compiled.error().place.column, column) << compiled.error().Describe();
    EXPECT_FALSE(compiled.error().hint.empty());
  }
  EXPECT_THAT(XPath::Compile("//o:a", {{"oai", "urn:x"}}).error().hint, HasSubstr("oai"));
}

TEST(XPath, LimitsTheExpression) {
  EXPECT_EQ(XPath::Compile(std::string(20'000, 'a')).error().code, ErrorCode::kLimit);
  EXPECT_EQ(XPath::Compile(std::string(1000, '(') + "1" + std::string(1000, ')')).error().code,
            ErrorCode::kLimit);
  EXPECT_FALSE(XPath::Compile(std::string(15'000, '-') + "1"));
  std::string chain = "a";
  for (int i = 0; i < 7000; ++i) chain += "/a";
  const auto compiled = XPath::Compile(chain);
  EXPECT_TRUE(compiled || compiled.error().code == ErrorCode::kInvalidInput);
}

TEST(XPath, RefusesWhatCouldTakeForever) {
  std::string text = "<a>";
  for (int i = 0; i < 20'000; ++i) text += "<b><c>x</c></b>";
  const auto page = Xml(text + "</a>");
  const auto code = [&](std::string_view path) {
    const auto nodes = Compiled(path).Select(page.root());
    return nodes ? ErrorCode::kInternal : nodes.error().code;
  };
  EXPECT_EQ(code("//*[//*[//*]]"), ErrorCode::kLimit);
  EXPECT_EQ(code("//*/following::*"), ErrorCode::kLimit);
  EXPECT_EQ(code("//*[count(preceding::*) > 5]"), ErrorCode::kLimit);
  EXPECT_EQ(code("//b[contains(/, 'y')]"), ErrorCode::kLimit);
  EXPECT_EQ(Compiled("//b").Select(page.root(), {.results_max = 10}).error().code,
            ErrorCode::kLimit);

  // What pages are made for is not refused.
  for (const char* path :
       {"//b[c='x'][3]", "/a/b[position() < 5]/c", "//c[../@id]", "//b[not(c = 'y')]",
        "//b[contains(c, 'x') and string-length(normalize-space(c)) > 0]", "(//c)[last()]",
        "//b[.//c]//c", "b[c][last()]"}) {
    EXPECT_TRUE(Compiled(path).Select(page.root())) << path;
  }
  std::string smaller = "<a>";
  for (int i = 0; i < 2'000; ++i) smaller += "<b><c>x</c><d>y</d></b>";
  const auto records = Xml(smaller + "</a>");
  for (const char* path :
       {"//c[../d = 'y']", "//b[not(preceding-sibling::b)]", "//c[following-sibling::d]",
        "//d[preceding-sibling::c[1]]", "//c[ancestor::a]"}) {
    EXPECT_TRUE(Compiled(path).Select(records.root())) << path;
  }
}

TEST(Path, HidesWhichLanguageItIs) {
  const auto json = Document::ParseJson(R"({"items":[{"t":"a"},{"t":"b"}]})").value();
  const auto xml = Xml("<items><t>a</t><t>b</t></items>");
  const PathOptions xpath = {.language = PathLanguage::kXPath};
  Computed computed;
  const auto texts = [&](const Path& path, Node context) {
    std::vector<std::string> out;
    const auto nodes = path.Select(context, computed);
    for (const auto& node : *nodes) out.push_back(node.Text());
    return out;
  };
  EXPECT_THAT(texts(Path::Compile("$.items[*].t").value(), json.root()), ElementsAre("a", "b"));
  EXPECT_THAT(texts(Path::Compile("t", xpath).value(), xml.root()), ElementsAre("a", "b"));
  EXPECT_THAT(texts(Path::Compile("count(t)", xpath).value(), xml.root()), ElementsAre("2"));

  const auto first = Path::Compile("concat(t, '!')", xpath)->First(xml.root(), computed);
  EXPECT_EQ((**first).AsString(), "a!");
  EXPECT_EQ((**Path::Compile("$.items[1].t")->First(json.root(), computed)).AsString(), "b");
  EXPECT_EQ(Path::Compile("t", xpath)->language(), PathLanguage::kXPath);
  EXPECT_EQ(Path::Compile("$.t")->text(), "$.t");
  EXPECT_FALSE(Path::Compile("$.t", xpath));
  EXPECT_FALSE(Path::Compile("//t"));
}

TEST(XPath, ExtractsRecordsFromRecordedPages) {
  const auto folder = testing::SharedFolder() / "fixtures";
  SKIP_WITHOUT_SHARED(folder);
  const auto page = [&](const char* file) { return Xml(testing::ReadFile(folder / file)); };

  const auto pubmed = page("pubmed/efetch_batch5.xml");
  EXPECT_EQ(Texts(pubmed.root(), "/PubmedArticleSet/PubmedArticle/MedlineCitation/PMID").size(),
            5u);
  const auto markup = page("pubmed/efetch_markup_math.xml");
  for (const auto& title : Texts(markup.root(), "//ArticleTitle")) EXPECT_GT(title.size(), 20u);

  const Namespaces oai = {{"oai", "http://www.openarchives.org/OAI/2.0/"},
                          {"dc", "http://purl.org/dc/elements/1.1/"}};
  const auto records = page("oai-pmh/bepress_nppksu_p1.xml");
  const auto ids = Texts(records.root(), "//oai:record/oai:header/oai:identifier", oai);
  EXPECT_GT(ids.size(), 10u);
  for (const auto& id : ids) EXPECT_TRUE(id.starts_with("oai:")) << id;
  EXPECT_EQ(Computes(records.root(), "count(//oai:record)", oai), std::to_string(ids.size()));
  EXPECT_FALSE(Texts(records.root(), "//dc:title", oai).empty());
  EXPECT_THAT(Texts(page("oai-pmh/spec_example_badArgument.xml").root(),
                    "/oai:OAI-PMH/oai:error/@code", oai),
              ElementsAre("badArgument"));

  const auto arxiv = page("arxiv/atom_testing_s0_m10.xml");
  EXPECT_EQ(Texts(arxiv.root(), "a:entry/a:id", {{"a", "http://www.w3.org/2005/Atom"}}).size(),
            10u);
  EXPECT_EQ(Texts(arxiv.root(), "entry/id", {{"", "http://www.w3.org/2005/Atom"}}).size(), 10u);
  EXPECT_EQ(Texts(arxiv.root(), "entry/id").size(), 10u);
}

TEST(XPathCost, TextThatManyContextsReadIsCountedForEachOfThem) {
  std::string xml = "<r>";
  for (int i = 0; i < 20'000; ++i) xml += "<a>text of some length</a>";
  const auto document = *Document::ParseXml(xml + "</r>");
  const auto select = [&](const char* expression) {
    Computed computed;
    return Path::Compile(expression, {.language = PathLanguage::kXPath})
        ->Select(document.root(), computed);
  };
  for (const auto* costly :
       {"//a[.. = 'x']", "//a[contains(.., 'x')]", "//a['x' = ..]", "//a[string-length(..) > 3]",
        "//a[ancestor::* = 'x']", "//a[string(../..) = 'x']", "//a[not(.. = 'x')]",
        "//a[count(..) > 1 and .. = 'x']", "//a[concat(., ..) = 'x']"}) {
    const auto selected = select(costly);
    ASSERT_FALSE(selected) << costly;
    EXPECT_EQ(selected.error().code, ErrorCode::kLimit) << costly;
  }
  for (const auto* cheap : {"//a[..]", "//a[../@id = 'x']", "//a[not(..)]", "//a[count(..) = 1]",
                            "//a[. = 'x']", "//a[local-name(..) = 'r']", "//a[.. and . = 'x']"})
    EXPECT_TRUE(select(cheap)) << cheap;
}

}  // namespace patra::xpath_test
