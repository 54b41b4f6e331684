// The simulator beside recorded answers of the real providers: what it says must have the shape of
// what they say. It may leave things out; it may not invent any.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <pugixml.hpp>
#include <set>

#include "sim/http_message.h"
#include "sim/simulator.h"
#include "tests/conformance/shared.h"
#include "tests/sim/http_client.h"

namespace patra::sim::recorded_test {

using testing::HttpClient;
using ::testing::IsEmpty;

// Every path in a document with the types that occur there; array items share "[]".
using Shape = std::set<std::string>;

void AddShape(const Value& value, const std::string& path, Shape& shape) {
  shape.insert(path + " " + std::string(value.TypeName()));
  if (const auto* array = value.AsArray()) {
    for (const auto& item : *array) AddShape(item, path + "[]", shape);
  }
  if (const auto* object = value.AsObject()) {
    for (const auto& [name, member] : *object) AddShape(member, path + "." + name, shape);
  }
}

void AddShape(const pugi::xml_node& node, const std::string& path, Shape& shape) {
  for (const auto& child : node.children()) {
    if (child.type() != pugi::node_element) continue;
    const auto here = path + "/" + child.name();
    shape.insert(here);
    for (const auto& attribute : child.attributes()) {
      if (!std::string_view(attribute.name()).starts_with("xmlns")) {
        shape.insert(here + "/@" + attribute.name());
      }
    }
    AddShape(child, here, shape);
  }
}

Shape JsonShape(std::initializer_list<std::string> texts) {
  Shape shape;
  for (const auto& text : texts) {
    const auto value = ParseJson(text);
    EXPECT_TRUE(value) << value.error().Describe();
    if (value) AddShape(*value, "", shape);
  }
  return shape;
}

Shape XmlShape(std::initializer_list<std::string> texts) {
  Shape shape;
  for (const auto& text : texts) {
    pugi::xml_document document;
    EXPECT_TRUE(document.load_buffer(text.data(), text.size())) << text.substr(0, 200);
    AddShape(document, "", shape);
  }
  return shape;
}

Shape Without(Shape shape, std::initializer_list<std::string_view> prefixes) {
  std::erase_if(shape, [&](const std::string& path) {
    return std::ranges::any_of(prefixes, [&](auto prefix) { return path.starts_with(prefix); });
  });
  return shape;
}

// What the first has and the second has not.
Shape Beyond(const Shape& first, const Shape& second) {
  Shape beyond;
  std::ranges::set_difference(first, second, std::inserter(beyond, beyond.end()));
  return beyond;
}

class Recorded : public ::testing::Test {
 protected:
  void SetUp() override {
    fixtures_ = patra::testing::SharedFolder() / "fixtures";
    SKIP_WITHOUT_SHARED(fixtures_);
    auto started = Simulator::Start({.size = 5'000, .enforce_limits = false});
    ASSERT_TRUE(started) << started.error().Describe();
    simulator_ = std::move(*started);
  }

  std::string Fixture(const std::string& name) const {
    auto text = patra::testing::ReadFile(fixtures_ / name);
    EXPECT_FALSE(text.empty()) << name;
    return text;
  }

  testing::Answer Get(const std::string& path) { return client_.Get(simulator_->url() + path); }
  std::string Body(const std::string& path) { return Get(path).body; }

  // Names of recorded headers, without those that belong to one connection.
  std::set<std::string> HeaderNames(const std::string& name) const {
    std::set<std::string> names;
    const auto text = Fixture(name);
    for (std::string_view rest = text; !rest.empty();) {
      const auto end = rest.find('\n');
      const auto line = rest.substr(0, end);
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
      const auto colon = line.find(": ");
      if (line.starts_with('#') || colon == std::string_view::npos) continue;
      names.insert(LowerCase(line.substr(0, colon)));
    }
    names.erase("content-encoding");
    return names;
  }

  static std::set<std::string> HeaderNames(const testing::Answer& answer) {
    std::set<std::string> names;
    for (const auto& [name, value] : answer.headers) names.insert(name);
    return names;
  }

  std::filesystem::path fixtures_;
  std::unique_ptr<Simulator> simulator_;
  HttpClient client_;
};

TEST_F(Recorded, CrossrefWorksHaveNoFieldThatCrossrefHasNot) {
  const auto real = JsonShape({Fixture("crossref/works_polite_headers.json"),
                               Fixture("crossref/works_from_until_index_date.json"),
                               Fixture("crossref/works_ecology_rows30_cursor_p1.json"),
                               Fixture("crossref/works_empty.json")});
  EXPECT_THAT(Beyond(JsonShape({Body("/crossref/works?rows=200&cursor=*")}), real), IsEmpty());
  EXPECT_THAT(Beyond(JsonShape({Body("/crossref/works?query=nosuchword")}), real), IsEmpty());
  const auto single = JsonShape({Fixture("crossref/work_single.json")});
  const auto simulated = Body("/crossref/works/10.5555%2Fsim.4");
  EXPECT_THAT(Beyond(Without(JsonShape({simulated}), {".message."}), single), IsEmpty());
}

TEST_F(Recorded, CrossrefWorksHaveWhatEveryRealWorkHas) {
  const auto members_of_all = [](const std::string& text) {
    std::set<std::string> common;
    bool first = true;
    const auto page = *ParseJson(text);
    for (const auto& item : *page.Find("message")->Find("items")->AsArray()) {
      std::set<std::string> names;
      for (const auto& [name, value] : *item.AsObject()) names.insert(name);
      if (first) common = names;
      first = false;
      std::erase_if(common, [&](const auto& name) { return !names.contains(name); });
    }
    return common;
  };
  auto real = members_of_all(Fixture("crossref/works_ecology_rows30_cursor_p1.json"));
  for (const auto* varying : {"author", "container-title", "reference", "link", "license"})
    real.erase(varying);
  EXPECT_THAT(Beyond(real, members_of_all(Body("/crossref/works?rows=200"))), IsEmpty());
}

TEST_F(Recorded, CrossrefHeadersAreTheRealOnes) {
  simulator_->Stop();
  auto started = Simulator::Start({.size = 100});
  ASSERT_TRUE(started);
  const auto answer =
      client_.Get((*started)->url() + "/crossref/works?rows=1&mailto=a@example.org");
  EXPECT_THAT(Beyond(HeaderNames("crossref/works_polite_headers.headers.txt"), HeaderNames(answer)),
              IsEmpty());
  EXPECT_EQ(answer.Header("x-api-pool"), "polite");
  EXPECT_EQ(answer.Header("x-rate-limit-limit"), "10");
  EXPECT_EQ(answer.Header("x-concurrency-limit"), "3");
}

TEST_F(Recorded, CrossrefErrorsAreTheRealOnes) {
  const auto same = [&](const std::string& path, const std::string& fixture, int status) {
    const auto answer = Get(path);
    EXPECT_EQ(answer.status, status) << path;
    EXPECT_EQ(answer.Json(), *ParseJson(Fixture(fixture))) << path;
  };
  same("/crossref/works?query=widget&cursor=thing", "crossref/err_404_cursor_invalid.json", 404);
  same("/crossref/works?rows=things", "crossref/err_400_rows_not_integer.json", 400);
  same("/crossref/works?sample=200", "crossref/err_400_sample_too_large.json", 400);
  const auto missing = Get("/crossref/works/10.1371/notarealdoi");
  EXPECT_EQ(missing.status, 404);
  EXPECT_EQ(missing.body, "Resource not found.");
  EXPECT_EQ(missing.Header("content-type"), "text/plain");
  EXPECT_EQ(JsonShape({Body("/crossref/works?filter=has-x:1")}),
            JsonShape({Fixture("crossref/err_400_filter_not_available.json")}));
}

TEST_F(Recorded, PubmedArticlesHaveNoElementThatPubmedHasNot) {
  const auto real =
      XmlShape({Fixture("pubmed/efetch_batch5.xml"), Fixture("pubmed/efetch_two.xml"),
                Fixture("pubmed/efetch_two_b.xml"), Fixture("pubmed/efetch_markup_math.xml")});
  std::string ids;
  for (int i = 0; i < 300; ++i) ids += fmt::format("{},", 10'000'000 + i);
  const auto simulated = XmlShape({Body("/pubmed/efetch.fcgi?db=pubmed&retmode=xml&id=" + ids)});
  // No recorded article has a season for its date, or a formula of exactly these parts.
  const std::string article = "/PubmedArticleSet/PubmedArticle/MedlineCitation/Article";
  EXPECT_THAT(
      Beyond(Without(simulated, {article + "/Journal/JournalIssue/PubDate/MedlineDate",
                                 article + "/Abstract/AbstractText/mml:math",
                                 article + "/ArticleTitle/", article + "/Abstract/AbstractText/"}),
             real),
      IsEmpty());
}

TEST_F(Recorded, PubmedSearchesHaveTheRealShape) {
  const auto real_json = JsonShape({Fixture("pubmed/esearch_json_warning.json")});
  auto simulated =
      JsonShape({Body("/pubmed/esearch.fcgi?db=pubmed&term=x&retmode=json&sort=date&retmax=5")});
  EXPECT_THAT(Beyond(simulated, real_json), IsEmpty());
  const auto real_xml =
      XmlShape({Fixture("pubmed/esearch_p1.xml"), Fixture("pubmed/esearch_history_p1.xml"),
                Fixture("pubmed/esearch_empty_200_warning.xml")});
  for (const auto* query : {"term=x&usehistory=y", "term=nosuchword", "term=x&retmax=100"}) {
    EXPECT_THAT(
        Beyond(XmlShape({Body(fmt::format("/pubmed/esearch.fcgi?db=pubmed&{}", query))}), real_xml),
        IsEmpty())
        << query;
  }
}

TEST_F(Recorded, PubmedErrorsAreTheRealOnes) {
  EXPECT_EQ(Body("/pubmed/esummary.fcgi"), Fixture("pubmed/esummary_err.xml"));
  EXPECT_EQ(Body("/pubmed/epost.fcgi?db=nothing"), Fixture("pubmed/epost_err_bad_db.xml"));
  EXPECT_EQ(XmlShape({Body("/pubmed/epost.fcgi?db=pubmed&id=99999999999999999999999999999999")}),
            XmlShape({Fixture("pubmed/epost_err_bad_id.xml")}));
  EXPECT_EQ(XmlShape({Body("/pubmed/epost.fcgi?db=pubmed&id=10000000")}),
            XmlShape({Fixture("pubmed/epost_ok.xml")}));
  const auto search = Get("/pubmed/esearch.fcgi?db=pubmed&retmode=json&usehistory=y&term=x").Json();
  const auto& result = *search.Find("esearchresult");
  const auto beyond = Get(
      fmt::format("/pubmed/efetch.fcgi?db=pubmed&retmode=xml&WebEnv={}&query_key=1&retstart=9000",
                  *result.Find("webenv")->AsString()));
  EXPECT_EQ(beyond.status, 400);
  EXPECT_EQ(XmlShape({beyond.body}),
            XmlShape({Fixture("pubmed/err_400_efetch_history_range.xml")}));
  EXPECT_THAT(beyond.body, ::testing::HasSubstr("OUT OF RANGE"));
}

TEST_F(Recorded, PubmedSummariesHaveTheRealShape) {
  EXPECT_THAT(Beyond(XmlShape({Body("/pubmed/esummary.fcgi?db=pubmed&id=10000000,10000004")}),
                     XmlShape({Fixture("pubmed/esummary_two.xml")})),
              IsEmpty());
}

TEST_F(Recorded, PubmedRefusalIsTheRealOne) {
  ASSERT_TRUE(simulator_->SetLimits("pubmed", *ParseJson(R"([{"count":3,"window":"1h"}])")));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Get("/pubmed/einfo.fcgi").status, 200);
  const auto refused = Get("/pubmed/einfo.fcgi");
  ASSERT_EQ(refused.status, 429);
  EXPECT_EQ(JsonShape({refused.body}), JsonShape({Fixture("pubmed/err_429_rate_limit.json")}));
  EXPECT_EQ(refused.Header("x-ratelimit-limit"), "3");
}

TEST_F(Recorded, OaiListsHaveTheRealShape) {
  const auto real =
      XmlShape({Fixture("oai-pmh/bepress_calpoly_p1.xml"), Fixture("oai-pmh/rcaap_p1.xml"),
                Fixture("oai-pmh/dash_deleted.xml"), Fixture("oai-pmh/dspace_dryad_p3.xml"),
                Fixture("oai-pmh/zenodo_single.xml")});
  for (const auto* repository : {"standard", "day", "bare", "trailing", "clamped"}) {
    const auto page = Body(
        fmt::format("/oai/{}?verb=ListRecords&metadataPrefix=oai_dc&from=2025-01-01", repository));
    // The whole of <request> is the client's, not the repository's.
    EXPECT_THAT(Beyond(Without(XmlShape({page}), {"/OAI-PMH/request/@"}), real), IsEmpty())
        << repository;
  }
}

TEST_F(Recorded, OaiErrorsHaveTheShapeOfTheSpecification) {
  const auto same = [&](const std::string& query, const std::string& fixture) {
    pugi::xml_document real;
    pugi::xml_document simulated;
    const auto body = Body("/oai/standard?" + query);
    ASSERT_TRUE(real.load_string(Fixture("oai-pmh/" + fixture).c_str()));
    ASSERT_TRUE(simulated.load_string(body.c_str())) << body;
    EXPECT_STREQ(simulated.child("OAI-PMH").child("error").attribute("code").value(),
                 real.child("OAI-PMH").child("error").attribute("code").value())
        << query;
  };
  same("verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-02&until=2026-01-01",
       "spec_example_badArgument.xml");
  same("verb=ListRecords&resumptionToken=junk", "spec_example_badResumptionToken.xml");
  same("verb=ListRecords&metadataPrefix=oai_dc&until=1990-01-01",
       "spec_example_noRecordsMatch.xml");
  same("verb=GetRecord&identifier=oai:sim.example.org:1&metadataPrefix=oai_marc",
       "spec_example_cannotDisseminateFormat.xml");
  same("verb=ListMetadataFormats&identifier=oai:lcoa1", "spec_example_idDoesNotExist.xml");
}

TEST_F(Recorded, TushareRepliesHaveTheRealShape) {
  const auto ask = [&](const std::string& body) {
    return client_.Post(simulator_->url() + "/tushare", body);
  };
  const auto real = JsonShape({Fixture("tushare/stock_basic_full.json")});
  EXPECT_THAT(
      Beyond(JsonShape(
                 {ask(R"({"api_name":"stock_basic","token":"t","params":{},"fields":""})").body}),
             real),
      IsEmpty());
  const auto no_permission = ask(R"({"api_name":"fina_indicator","token":"t"})").Json();
  const auto real_refusal = *ParseJson(Fixture("tushare/err_40203_no_permission.json"));
  EXPECT_EQ(*no_permission.Find("code"), *real_refusal.Find("code"));
  EXPECT_EQ(*no_permission.Find("msg"), *real_refusal.Find("msg"));

  EXPECT_TRUE(simulator_->SetLimits(
      "tushare",
      *ParseJson(R"([{"kind":"fixed","scope":"key+endpoint","count":1,"window":"1h"}])")));
  ask(R"({"api_name":"trade_cal","token":"t"})");
  const auto too_often = ask(R"({"api_name":"trade_cal","token":"t"})");
  EXPECT_EQ(too_often.status, 200);
  EXPECT_EQ(*too_often.Json().Find("msg"),
            *ParseJson(Fixture("tushare/err_40203_hourly_limit.json"))->Find("msg"));
}

}  // namespace patra::sim::recorded_test
