// What JSONPath costs beside parsing: a page of 1,000 Crossref-like works (3.5 MB) is parsed, then
// eight fields of every work are taken with compiled paths. Taking them must cost less than the
// parse; the ratio is printed, with the same over Values and, for XML, the price of the strict
// check.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/document.h"
#include "base/json_path.h"
#include "base/xpath.h"

namespace patra {
namespace {

constexpr int kItems = 1'000;
constexpr int kRounds = 60;

std::string DateParts(std::string_view name, int i) {
  return fmt::format(
      R"("{}":{{"date-parts":[[{},{},{}]],"date-time":"2024-{:02}-{:02}T10:{:02}:05Z","timestamp":17{:011}}})",
      name, 1990 + i % 35, 1 + i % 12, 1 + i % 28, 1 + i % 12, 1 + i % 28, i % 60, i * 7919);
}

std::string Author(int i, int k) {
  return fmt::format(
      R"({{"given":"Ana Maria {0}","family":"Família-{1}","sequence":"{2}","ORCID":"http:\/\/orcid.org\/0000-0002-{0:04}-{1:04}",)"
      R"("authenticated-orcid":false,"affiliation":[{{"name":"Department of Ecology, University No. {1}, 10{0:03} Somewhere"}}]}})",
      k, i, k == 0 ? "first" : "additional");
}

std::string Reference(int i, int k) {
  return fmt::format(
      R"({{"key":"ref{0}","doi-asserted-by":"publisher","DOI":"10.1000\/ref.{1}.{0}","first-page":"{2}","volume":"{3}","author":"Smith","year":"{4}","journal-title":"Journal of Things"}})",
      k, i, 100 + k, k, 1980 + k);
}

// The members in the order and of the sizes that Crossref sends; DOI and title stand in the middle.
std::string Work(int i) {
  std::string authors;
  for (int k = 0; k < 3 + i % 3; ++k) authors += (k > 0 ? "," : "") + Author(i, k);
  std::string references;
  for (int k = 0; k < 2 + i % 5; ++k) references += (k > 0 ? "," : "") + Reference(i, k);
  return "{" + DateParts("indexed", i) +
         fmt::format(
             R"(,"reference-count":{},"publisher":"Elsevier BV","issue":"{}","license":[{{"start":{{"date-parts":[[2020,1,1]]}},"content-version":"tdm","delay-in-days":0,"URL":"https:\/\/www.elsevier.com\/tdm\/userlicense\/1.0\/"}}],"content-domain":{{"domain":["elsevier.com","sciencedirect.com"],"crossmark-restriction":true}},"short-container-title":["J. Things"],)",
             4 + i % 6, i % 12) +
         DateParts("published-print", i) +
         fmt::format(
             R"(,"DOI":"10.1016\/j.things.2024.{0:06}","type":"journal-article",{1},"page":"{0}-{2}","source":"Crossref","is-referenced-by-count":{3},"title":["The effect of temperature and precipitation on the \"growth\" of beech forests, part {0}: a meta-analysis with 한국어 and ünïcode"],"prefix":"10.1016","volume":"{3}","author":[{4}],"member":"78","reference":[{5}],"container-title":["Journal of Things and Other Matters"],"original-title":[],"language":"en","link":[{{"URL":"https:\/\/api.elsevier.com\/content\/article\/PII:S{0:016}?httpAccept=text\/xml","content-type":"text\/xml","content-version":"vor","intended-application":"text-mining"}}],)",
             i, DateParts("created", i), i + 12, i % 97, authors, references) +
         DateParts("deposited", i) +
         fmt::format(
             R"(,"score":{}.5,"resource":{{"primary":{{"URL":"https:\/\/linkinghub.elsevier.com\/retrieve\/pii\/S{:016}"}}}},"subtitle":[],"short-title":[],)",
             i % 40, i) +
         DateParts("issued", i) +
         fmt::format(
             R"(,"references-count":{},"journal-issue":{{"issue":"{}",{}}},"alternative-id":["S{:016}"],"URL":"http:\/\/dx.doi.org\/10.1016\/j.things.2024.{:06}","relation":{{}},"ISSN":["0000-0019"],"issn-type":[{{"value":"0000-0019","type":"print"}}],"subject":["Ecology","Forestry"],{}}})",
             4 + i % 6, i % 12, DateParts("published-print", i), i, i, DateParts("published", i));
}

std::string Page() {
  std::string text =
      R"({"status":"ok","message-type":"work-list","message-version":"1.0.0","message":{"facets":{},"next-cursor":"DnF1ZXJ5VGhlbkZldGNo","total-results":123456,"items":[)";
  for (int i = 0; i < kItems; ++i) text += (i > 0 ? "," : "") + Work(i);
  return text + R"(],"items-per-page":1000,"query":{"start-index":0,"search-terms":null}}})";
}

std::string XmlPage() {
  std::string text =
      R"(<?xml version="1.0"?><o:OAI-PMH xmlns:o="urn:o" xmlns:d="urn:d"><o:ListRecords>)";
  for (int i = 0; i < kItems; ++i) {
    text += fmt::format(
        "\n<o:record><o:header><o:identifier>oai:x:{0}</o:identifier><o:datestamp>2024-01-02</"
        "o:datestamp>"
        "</o:header>\n <o:metadata><d:dc><d:title>On the growth of beech &amp; oak {0}</d:title>"
        "<d:creator>Família, A.</d:creator><d:date>{1}</d:date><d:type>text</d:type>"
        "<d:description>{2}</d:description></d:dc></o:metadata></o:record>",
        i, 1990 + i % 35, std::string(600, 'x'));
  }
  return text + "</o:ListRecords></o:OAI-PMH>";
}

template <typename Work>
double Milliseconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

double Median(std::vector<double> times) {
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  return times[times.size() / 2];
}

// Bytes of all fields together, so that nothing can be left out.
std::size_t Extract(Node items, const std::vector<JsonPath>& fields) {
  std::size_t bytes = 0;
  for (const auto& [name, item] : items.children()) {
    for (const auto& field : fields) {
      const auto node = field.First(item);
      PATRA_ASSERT(node && *node);
      const auto text = (**node).AsString();
      bytes += text ? text->size() : (**node).size();
    }
  }
  return bytes;
}

void MeasureJson() {
  const auto text = Page();
  std::vector<JsonPath> fields;
  for (const char* path :
       {"$.DOI", "$.title[0]", "$.type", "$.indexed['date-time']", "$.issued['date-parts'][0]",
        "$.publisher", "$['container-title'][0]", "$.author[0].family"}) {
    fields.push_back(JsonPath::Compile(path).value());
  }
  const auto items = JsonPath::Compile("$.message.items").value();
  const auto all_dois = JsonPath::Compile("$.message.items[*].DOI").value();
  const auto filtered =
      JsonPath::Compile("$.message.items[?@.author[0].family == 'Família-7'].DOI").value();

  std::vector<double> parse;
  std::vector<double> extract;
  std::vector<double> select;
  std::vector<double> filter;
  std::size_t bytes = 0;
  for (int round = 0; round < kRounds; ++round) {
    auto copy = text;
    copy.reserve(copy.size() + 64);
    std::optional<Document> page;
    parse.push_back(Milliseconds([&] { page = Document::ParseJson(std::move(copy)).value(); }));
    const auto records = **items.First(page->root());
    extract.push_back(Milliseconds([&] { bytes += Extract(records, fields); }));
    select.push_back(Milliseconds([&] { bytes += all_dois.Select(page->root())->size(); }));
    filter.push_back(Milliseconds([&] { bytes += filtered.Select(page->root())->size(); }));
  }
  const auto value = ParseJson(text).value();
  std::vector<double> over_value;
  const auto* records = value.Find("message")->Find("items");
  for (int round = 0; round < kRounds / 4; ++round) {
    over_value.push_back(Milliseconds([&] { bytes += Extract(Node(*records), fields); }));
  }
  PATRA_ASSERT(bytes > 0);

  fmt::print("json page                {:8.2f} MB, {} items\n",
             static_cast<double>(text.size()) / 1e6, kItems);
  fmt::print("json parse               {:8.2f} ms  {:.2f} GB/s\n", Median(parse),
             static_cast<double>(text.size()) / Median(parse) / 1e6);
  fmt::print("json 8 fields per item   {:8.2f} ms  {:.2f} of the parse (required: below 1)\n",
             Median(extract), Median(extract) / Median(parse));
  fmt::print("json select all DOIs     {:8.2f} ms  {:.2f} of the parse\n", Median(select),
             Median(select) / Median(parse));
  fmt::print("json filter by author    {:8.2f} ms  {:.2f} of the parse\n", Median(filter),
             Median(filter) / Median(parse));
  fmt::print("value 8 fields per item  {:8.2f} ms\n", Median(over_value));
}

void MeasureXml() {
  const auto text = XmlPage();
  const Namespaces namespaces = {{"oai", "urn:o"}, {"dc", "urn:d"}};
  const auto records = XPath::Compile("//oai:record", namespaces).value();
  std::vector<XPath> fields;
  for (const char* path : {"oai:header/oai:identifier", "oai:header/oai:datestamp",
                           "oai:metadata/dc:dc/dc:title", "oai:metadata/dc:dc/dc:creator",
                           "oai:metadata/dc:dc/dc:date", "oai:metadata/dc:dc/dc:type"}) {
    fields.push_back(XPath::Compile(path, namespaces).value());
  }
  std::vector<double> parse;
  std::vector<double> extract;
  std::size_t bytes = 0;
  for (int round = 0; round < kRounds / 2; ++round) {
    auto copy = text;
    std::optional<Document> page;
    parse.push_back(Milliseconds([&] { page = Document::ParseXml(std::move(copy)).value(); }));
    extract.push_back(Milliseconds([&] {
      const auto found = records.Select(page->root()).value();
      for (const auto& record : found) {
        for (const auto& field : fields) bytes += (**field.First(record)).Text().size();
      }
    }));
  }
  PATRA_ASSERT(bytes > 0);
  fmt::print("xml page                 {:8.2f} MB, {} records\n",
             static_cast<double>(text.size()) / 1e6, kItems);
  fmt::print("xml check and parse      {:8.2f} ms  {:.2f} GB/s\n", Median(parse),
             static_cast<double>(text.size()) / Median(parse) / 1e6);
  fmt::print("xml 6 fields per record  {:8.2f} ms  {:.2f} of the parse\n", Median(extract),
             Median(extract) / Median(parse));
}

}  // namespace
}  // namespace patra

int main() {
  patra::MeasureJson();
  patra::MeasureXml();
}
