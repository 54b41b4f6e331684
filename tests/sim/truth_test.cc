// A careful client that walks each provider as its documentation says must end up with exactly the
// truth: every id, every time, every content hash.
#include "sim/truth.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <pugixml.hpp>

#include "base/canonical_json.h"
#include "base/hash.h"
#include "sim/http_message.h"
#include "sim/record_book.h"
#include "sim/simulator.h"
#include "sim/text_format.h"
#include "tests/sim/http_client.h"

namespace patra::sim::truth_test {

using testing::HttpClient;

struct Held {
  std::string updated;
  std::string hash;  // empty: deleted
  friend bool operator==(const Held&, const Held&) = default;
};
void PrintTo(const Held& held, std::ostream* out) { *out << held.updated << " " << held.hash; }
using Harvest = std::map<std::string, Held>;

std::string HashOf(Value::Object fields) {
  return Sha256Hex(CanonicalJson(WithoutEmpty(std::move(fields))));
}

std::string TextAt(const Value& value, std::string_view name) {
  const auto* member = value.Find(name);
  return member && member->AsString() ? *member->AsString() : std::string();
}

Value Copy(const Value& value, std::string_view name) {
  const auto* member = value.Find(name);
  return member ? *member : Value();
}

const Value::Array& ArrayAt(const Value& value, std::string_view name) {
  static const Value::Array kNone;
  const auto* member = value.Find(name);
  return member && member->AsArray() ? *member->AsArray() : kNone;
}

std::string StringValue(const pugi::xml_node& node) {
  std::string text;
  for (const auto& child : node.children()) {
    text += child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata
                ? std::string(child.value())
                : StringValue(child);
  }
  return text;
}

class TruthOf : public ::testing::Test {
 protected:
  void SetUp() override {
    auto started = Simulator::Start({.seed = 3, .size = 6'000, .enforce_limits = false});
    ASSERT_TRUE(started) << started.error().Describe();
    simulator_ = std::move(*started);
  }

  Value Get(const std::string& path) { return client_.Get(simulator_->url() + path).Json(); }

  pugi::xml_document GetXml(const std::string& path) {
    pugi::xml_document document;
    const auto answer = client_.Get(simulator_->url() + path);
    EXPECT_TRUE(document.load_buffer(answer.body.data(), answer.body.size(),
                                     pugi::parse_default | pugi::parse_ws_pcdata))
        << answer.body.substr(0, 300);
    return document;
  }

  // Without what no harvest can know.
  Harvest Truth(std::string_view source, std::string_view from, std::string_view to) {
    Harvest truth;
    auto walk = simulator_->Truth(source, *ParseRfc3339(fmt::format("{}T00:00:00Z", from)),
                                  *ParseRfc3339(fmt::format("{}T00:00:00Z", to)));
    EXPECT_TRUE(walk);
    while (const auto entry = (*walk)->Next()) {
      if (!entry->silent) truth[entry->id] = {PrintSeconds(entry->updated), entry->hash};
    }
    EXPECT_GT(truth.size(), 100u);
    return truth;
  }

  void AddRest(const Value& page, Harvest& harvest) {
    for (const auto& item : ArrayAt(page, "items")) {
      harvest[TextAt(item, "id")] = {TextAt(item, "updated"),
                                     item.Find("deleted")
                                         ? std::string()
                                         : HashOf({{"title", Copy(item, "title")},
                                                   {"authors", Copy(item, "authors")},
                                                   {"year", Copy(item, "year")},
                                                   {"kind", Copy(item, "kind")},
                                                   {"abstract", Copy(item, "abstract")}})};
    }
  }

  Harvest WalkOai(const std::string& repository, std::string_view from) {
    Harvest harvest;
    auto query = fmt::format("metadataPrefix=oai_dc&from={}", from);
    while (true) {
      const auto document = GetXml(fmt::format("/oai/{}?verb=ListRecords&{}", repository, query));
      const auto list = document.child("OAI-PMH").child("ListRecords");
      for (const auto& record : list.children("record")) {
        const auto header = record.child("header");
        std::string stamp = header.child_value("datestamp");
        if (stamp.size() == 10) stamp += "T00:00:00Z";
        const auto dc = record.child("metadata").child("oai_dc:dc");
        Value::Array creators;
        Value::Array subjects;
        for (const auto& node : dc.children("dc:creator"))
          creators.emplace_back(node.child_value());
        for (const auto& node : dc.children("dc:subject"))
          subjects.emplace_back(node.child_value());
        harvest[header.child_value("identifier")] = {
            stamp, header.attribute("status") ? std::string()
                                              : HashOf({{"title", dc.child_value("dc:title")},
                                                        {"creators", std::move(creators)},
                                                        {"subjects", std::move(subjects)},
                                                        {"date", dc.child_value("dc:date")}})};
      }
      const std::string token = list.child_value("resumptionToken");
      if (token.empty()) return harvest;
      query = "resumptionToken=" + PercentEncode(token);
    }
  }

  std::unique_ptr<Simulator> simulator_;
  HttpClient client_;
};

TEST_F(TruthOf, RestByPage) {
  Harvest harvest;
  for (int page = 1;; ++page) {
    const auto answer =
        Get(fmt::format("/rest/page/items?page={}&size=97&from=2024-01-01&to=2026-01-01", page));
    AddRest(answer, harvest);
    if (page * 97 >= *answer.Find("total")->AsInteger()) break;
  }
  EXPECT_EQ(harvest, Truth("rest", "2024-01-01", "2026-01-01"));
}

TEST_F(TruthOf, RestByOffsetWithTombstones) {
  Harvest harvest;
  for (int offset = 0;; offset += 97) {
    const auto answer = Get(fmt::format(
        "/rest/offset/items?offset={}&limit=97&from=2024-01-01&to=2026-01-01&deleted=include",
        offset));
    AddRest(answer, harvest);
    if (offset + 97 >= *answer.Find("total")->AsInteger()) break;
  }
  EXPECT_EQ(harvest, Truth("rest/deleted", "2024-01-01", "2026-01-01"));
}

TEST_F(TruthOf, RestByTokenThatCanBeSentAgain) {
  Harvest harvest;
  std::string token;
  do {
    const auto path = "/rest/token/items?limit=97&from=2024-01-01&to=2026-01-01" +
                      (token.empty() ? "" : "&token=" + PercentEncode(token));
    const auto answer = Get(path);
    EXPECT_EQ(answer, Get(path));
    AddRest(answer, harvest);
    token = TextAt(answer, "next");
  } while (!token.empty());
  EXPECT_EQ(harvest, Truth("rest", "2024-01-01", "2026-01-01"));
}

TEST_F(TruthOf, RestByScrollThatCannotBeSentTwice) {
  Harvest harvest;
  std::string scroll;
  do {
    const auto path = "/rest/scroll/items?limit=97&from=2024-01-01&to=2026-01-01" +
                      (scroll.empty() ? "" : "&scroll=" + scroll);
    const auto answer = Get(path);
    if (!scroll.empty()) {
      EXPECT_EQ(client_.Get(simulator_->url() + path).status, 410);
    }
    AddRest(answer, harvest);
    scroll = TextAt(answer, "scroll");
  } while (!scroll.empty());
  EXPECT_EQ(harvest, Truth("rest", "2024-01-01", "2026-01-01"));
}

TEST_F(TruthOf, RestByUrlInBodyAndLinkHeader) {
  Harvest harvest;
  auto url = simulator_->url() + "/rest/url/items?limit=97&from=2024-01-01&to=2026-01-01";
  while (!url.empty()) {
    const auto answer = client_.Get(url);
    AddRest(answer.Json(), harvest);
    url = TextAt(answer.Json(), "next");
    EXPECT_EQ(answer.Header("link"), url.empty() ? "" : fmt::format("<{}>; rel=\"next\"", url));
  }
  EXPECT_EQ(harvest, Truth("rest", "2024-01-01", "2026-01-01"));
}

TEST_F(TruthOf, RestByTimeAcrossEqualTimestamps) {
  Harvest harvest;
  std::string position;
  while (true) {
    const auto answer = Get("/rest/time/items?limit=97&from=2020-01-01&to=2026-01-01" + position);
    AddRest(answer, harvest);
    if (answer.Find("more") == nullptr || !*answer.Find("more")->AsBool()) break;
    position = fmt::format("&since={}&after={}", TextAt(answer, "next_since"),
                           TextAt(answer, "next_after"));
  }
  EXPECT_EQ(harvest, Truth("rest", "2020-01-01", "2026-01-01"));
}

TEST_F(TruthOf, RestInXml) {
  Harvest harvest;
  const auto document =
      GetXml("/rest/page/items?size=10000&format=xml&from=2024-01-01&to=2026-01-01");
  for (const auto& item : document.child("items").children("item")) {
    Value::Array authors;
    for (const auto& author : item.child("authors").children("author")) {
      authors.emplace_back(author.child_value());
    }
    harvest[item.child_value("id")] = {item.child_value("updated"),
                                       HashOf({{"title", item.child_value("title")},
                                               {"authors", std::move(authors)},
                                               {"year", *ParseInteger(item.child_value("year"))},
                                               {"kind", item.child_value("kind")},
                                               {"abstract", item.child_value("abstract")}})};
  }
  EXPECT_EQ(harvest, Truth("rest", "2024-01-01", "2026-01-01"));
}

TEST_F(TruthOf, RestInTwoPhases) {
  Harvest harvest;
  const auto found = Get("/rest/ids?limit=400&from=2025-06-01&to=2026-01-01");
  std::string ids;
  for (const auto& id : ArrayAt(found, "ids")) ids += *id.AsString() + ",";
  AddRest(Get("/rest/details?ids=" + ids + "rest-999999999"), harvest);
  EXPECT_EQ(harvest.size(), ArrayAt(found, "ids").size());
}

TEST_F(TruthOf, CrossrefByTheScrollThatMovesOn) {
  Harvest harvest;
  std::string cursor = "*";
  std::string constant;
  while (true) {
    const auto answer = Get(fmt::format(
        "/crossref/"
        "works?rows=100&filter=from-index-date:2024-01-01,until-index-date:2025-12-31&cursor={}",
        PercentEncode(cursor)));
    const auto& message = *answer.Find("message");
    for (const auto& work : ArrayAt(message, "items")) {
      const auto& parts = *work.Find("issued")->Find("date-parts")->AsArray()->front().AsArray();
      std::string issued;
      for (const auto& part : parts) {
        if (part.is_null()) break;
        issued += issued.empty() ? fmt::format("{:04}", *part.AsInteger())
                                 : fmt::format("-{:02}", *part.AsInteger());
      }
      Value::Array families;
      for (const auto& author : ArrayAt(work, "author")) families.push_back(Copy(author, "family"));
      const auto& container = ArrayAt(work, "container-title");
      harvest[TextAt(work, "DOI")] = {
          TextAt(*work.Find("indexed"), "date-time"),
          HashOf({{"title", ArrayAt(work, "title").front()},
                  {"type", Copy(work, "type")},
                  {"publisher", Copy(work, "publisher")},
                  {"issued", issued},
                  {"container", container.empty() ? Value() : container.front()},
                  {"authors", std::move(families)}})};
    }
    cursor = TextAt(message, "next-cursor");
    if (constant.empty()) constant = cursor;
    EXPECT_EQ(cursor, constant);
    if (ArrayAt(message, "items").size() < 100) break;
  }
  EXPECT_EQ(harvest, Truth("crossref", "2024-01-01", "2026-01-01"));
}

TEST_F(TruthOf, PubmedBySearchAndFetchFromHistory) {
  Harvest harvest;
  const auto found =
      Get("/pubmed/esearch.fcgi?db=pubmed&term=&datetype=mdat&mindate=2024/01/01&maxdate=2025/12/31"
          "&retmode=json&usehistory=y&retmax=0");
  const auto& search = *found.Find("esearchresult");
  const auto count = *ParseInteger(TextAt(search, "count"));
  for (std::int64_t start = 0; start < count; start += 150) {
    const auto document = GetXml(fmt::format(
        "/pubmed/efetch.fcgi?db=pubmed&retmode=xml&WebEnv={}&query_key={}&retstart={}&retmax=150",
        TextAt(search, "webenv"), TextAt(search, "querykey"), start));
    for (const auto& article : document.child("PubmedArticleSet").children("PubmedArticle")) {
      const auto citation = article.child("MedlineCitation");
      const auto inner = citation.child("Article");
      std::string text;
      for (const auto& section : inner.child("Abstract").children("AbstractText")) {
        text += (text.empty() ? "" : " ") + StringValue(section);
      }
      std::string doi;
      for (const auto& id : article.child("PubmedData").child("ArticleIdList").children()) {
        if (std::string_view(id.attribute("IdType").value()) == "doi") doi = id.child_value();
      }
      const auto revised = citation.child("DateRevised");
      harvest[citation.child_value("PMID")] = {
          fmt::format("{}-{}-{}T00:00:00Z", revised.child_value("Year"),
                      revised.child_value("Month"), revised.child_value("Day")),
          HashOf(
              {{"title", StringValue(inner.child("ArticleTitle"))},
               {"journal", inner.child("Journal").child_value("Title")},
               {"year",
                inner.child("Journal").child("JournalIssue").child("PubDate").child_value("Year")},
               {"abstract", text},
               {"doi", doi}})};
    }
  }
  EXPECT_EQ(harvest, Truth("pubmed", "2024-01-01", "2026-01-01"));
}

TEST_F(TruthOf, EveryOaiRepository) {
  EXPECT_EQ(WalkOai("standard", "2025-01-01T00:00:00Z"), Truth("oai", "2025-01-01", "2027-01-01"));
  EXPECT_EQ(WalkOai("day", "2025-01-01"), Truth("oai/day", "2025-01-01", "2027-01-01"));
  EXPECT_EQ(WalkOai("bare", "2025-10-01"), Truth("oai/bare", "2025-10-01", "2027-01-01"));
  EXPECT_EQ(WalkOai("trailing", "2025-01-01"), Truth("oai/trailing", "2025-01-01", "2027-01-01"));
  EXPECT_EQ(WalkOai("clamped", "2025-01-01"), Truth("oai/clamped", "2025-01-01", "2027-01-01"));
}

TEST_F(TruthOf, TushareByOffset) {
  Harvest harvest;
  bool more = true;
  for (int offset = 0; more; offset += 1'000) {
    const auto answer = client_.Post(
        simulator_->url() + "/tushare",
        fmt::format(
            R"({{"api_name":"daily","token":"t","fields":"","params":{{"start_date":"20251201","end_date":"20251231","limit":"1000","offset":{}}}}})",
            offset));
    const auto reply = answer.Json();
    const auto& data = *reply.Find("data");
    const auto& fields = ArrayAt(data, "fields");
    for (const auto& row : ArrayAt(data, "items")) {
      Value::Object item;
      for (std::size_t i = 0; i < fields.size(); ++i) {
        item[*fields[i].AsString()] = (*row.AsArray())[i];
      }
      const auto date = *item["trade_date"].AsString();
      const auto id = *item["ts_code"].AsString() + ":" + date;
      harvest[id] = {
          fmt::format("{}-{}-{}T00:00:00Z", date.substr(0, 4), date.substr(4, 2), date.substr(6)),
          HashOf(std::move(item))};
    }
    more = *data.Find("has_more")->AsBool();
  }
  EXPECT_EQ(harvest, Truth("tushare", "2025-12-01", "2026-01-01"));
}

TEST_F(TruthOf, AdvancedWorldHasOtherTruthAndOtherPages) {
  const auto before = Truth("oai", "2020-01-01", "2027-01-01");
  simulator_->Advance(std::chrono::days(30));
  const auto after = Truth("oai", "2020-01-01", "2027-01-01");
  EXPECT_NE(before, after);
  EXPECT_EQ(WalkOai("standard", "2025-12-01T00:00:00Z"), Truth("oai", "2025-12-01", "2027-01-01"));
}

TEST_F(TruthOf, EndpointStreamsTheSameAsTheInterface) {
  const auto answer =
      client_.Get(simulator_->url() + "/__sim/truth?source=oai&from=2025-01-01&to=2026-01-01");
  Harvest streamed;
  for (std::string_view rest = answer.body; !rest.empty();) {
    const auto end = rest.find('\n');
    const auto line = ParseJson(rest.substr(0, end));
    ASSERT_TRUE(line);
    streamed[TextAt(*line, "id")] = {TextAt(*line, "updatedAt"), TextAt(*line, "hash")};
    rest.remove_prefix(end + 1);
  }
  EXPECT_EQ(streamed, Truth("oai", "2025-01-01", "2026-01-01"));
}

}  // namespace patra::sim::truth_test
