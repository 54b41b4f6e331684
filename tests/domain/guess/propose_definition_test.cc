#include "domain/guess/propose_definition.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/guess/source_name.h"

namespace patra::domain::propose_definition_test {

using ::testing::HasSubstr;
using ::testing::Not;

using Headers = std::vector<std::pair<std::string, std::string>>;

std::string Proposed(const std::string& address, const std::string& body,
                     const Headers& headers = {}, std::vector<std::string> secrets = {}) {
  const auto answer = ParseAnswer(body);
  EXPECT_TRUE(answer) << answer.error().Describe();
  const auto text = ProposeDefinition({.source = "x",
                                       .url = *ParseUrl(address),
                                       .secret_parameters = std::move(secrets),
                                       .headers = headers,
                                       .answer = *answer});
  return text ? text->text : text.error().Describe();
}

TEST(ProposeDefinition, FindsRecordsIdDateTotalAndTypes) {
  const auto text = Proposed("https://api.example.org/v1/things?page=1&per_page=2",
                             R"({"meta":{"total":7},"data":[
          {"thing_id":"a","modified":"2026-01-02T00:00:00Z","size":1,"kind":"k","tags":["p","q"]},
          {"thing_id":"b","modified":"2026-01-03T00:00:00Z","size":2,"kind":"k","tags":[]}]})");
  for (const auto* line :
       {"base_url: \"https://api.example.org\"", "path: /v1/things", R"("page": "${page.number}")",
        R"("per_page": "${page.size}")", "style: page", "first_page: 1", "size: 2", "filter: none",
        "items: $.data", "id: $.thing_id", "updated: $.modified", "total: $.meta.total",
        "size: {path: \"$.size\", as: integer}", "modified: {path: \"$.modified\", as: instant}",
        "tags: {path: \"$.tags[*]\", many: true}", "kind: $.kind"})
    EXPECT_THAT(text, HasSubstr(line));
}

TEST(ProposeDefinition, MarksEveryGuess) {
  const auto text =
      Proposed("https://a.org/x?offset=0&limit=5", R"({"items":[{"id":1},{"id":2}]})");
  for (const auto* key : {"style: offset", "items: $.items", "id: $.id", "updated: none",
                          "total: none", "- {rate: 1/s}", "filter: none"}) {
    const auto at = text.find(key);
    ASSERT_NE(at, std::string::npos) << key << "\n" << text;
    EXPECT_THAT(text.substr(at, text.find('\n', at) - at), HasSubstr("# guess: ")) << text;
  }
}

struct PagingCase {
  const char* address;
  const char* body;
  Headers headers;
  std::vector<const char*> lines;
};

class WaysOfPaging : public ::testing::TestWithParam<PagingCase> {};

TEST_P(WaysOfPaging, AreToldByAddressAndAnswer) {
  const auto& [address, body, headers, lines] = GetParam();
  const auto text = Proposed(address, body, headers);
  for (const auto* line : lines) EXPECT_THAT(text, HasSubstr(line));
}

INSTANTIATE_TEST_SUITE_P(
    Table, WaysOfPaging,
    ::testing::Values(
        PagingCase{"https://a.org/x",
                   R"([{"id":1},{"id":2}])",
                   {{"Link", "<https://a.org/x?after=2>; rel=\"next\""}},
                   {"style: url", "link_header: true", "items: $  "}},
        PagingCase{"https://a.org/x",
                   R"({"rows":[{"id":1}],"links":{"next":{"href":"/x?p=2"}}})",
                   {},
                   {"style: url", "next: $.links.next.href"}},
        PagingCase{"https://a.org/x?cursor=*",
                   R"({"rows":[{"id":1}],"next-cursor":"abc"})",
                   {},
                   {"style: token", R"(next: "$['next-cursor']")", R"(first: "*")",
                    R"("cursor": "${page.token}")"}},
        PagingCase{"https://a.org/x?limit=1",
                   R"({"rows":[{"id":1}],"nextPageToken":"abc"})",
                   {},
                   {"style: token", "next: $.nextPageToken", R"("pageToken": "${page.token}")",
                    R"("limit": "${page.size}")"}},
        PagingCase{"https://a.org/x?page=0", R"({"rows":[{"id":1}]})", {}, {"first_page: 0"}},
        PagingCase{
            "https://a.org/x?start=20&rows=10",
            R"({"docs":[{"id":1}],"numFound":99})",
            {},
            {"style: offset", R"("start": "${page.offset}")", "size: 10", "total: $.numFound"}},
        PagingCase{"https://a.org/x",
                   R"([{"id":1}])",
                   {{"X-Total-Count", "9"}},
                   {"total: {is: exact}", "hooks: {paging: total-count-header}"}},
        PagingCase{"https://a.org/x",
                   R"({"features":[{"id":1}],"links":[{"rel":"self","href":"/a"},
                      {"rel":"next","href":"/b"}]})",
                   {},
                   {"style: url", R"(next: "$.links[?@.rel=='next'].href")"}},
        PagingCase{"https://a.org/x",
                   R"({"entry":[{"id":1}],"link":[{"relation":"next","url":"/b"}]})",
                   {},
                   {"style: url", R"(next: "$.link[?@.relation=='next'].url")"}},
        PagingCase{"https://a.org/x",
                   R"({"data":[{"id":1}],"paging":{"cursors":{"after":"b"}}})",
                   {},
                   {"style: token", "next: $.paging.cursors.after", "ends: [no_token, empty_page]",
                    R"("after": "${page.token}")"}},
        PagingCase{"https://a.org/x",
                   R"({"rows":[{"id":1}],"currentPage":0,"pages":13})",
                   {},
                   {"style: page", "first_page: 0", R"("currentPage": "${page.number}")"}},
        PagingCase{"https://a.org/x",
                   R"({"rows":[{"id":1}],"total":250})",
                   {},
                   {"$.total, which says 250: there is more", "total: $.total"}},
        PagingCase{"https://a.org/x",
                   R"({"rows":[{"id":1}],"LastEvaluatedKey":{"id":"7"}})",
                   {},
                   {"$.LastEvaluatedKey: there is more"}},
        PagingCase{"https://a.org/x",
                   R"([{"id":1}])",
                   {{"Content-Range", "items 0-0/250"}},
                   {"link_header: true", "'Content-Range'", "there is more"}},
        PagingCase{"https://a.org/x",
                   R"([{"id":1}])",
                   {},
                   {"style: url", "link_header: true", "this is all there is"}},
        PagingCase{"https://a.org/x", R"({"rows":[{"id":1}]})", {}, {"this is all there is"}}));

TEST(ProposeDefinition, TwoDatesOfTheAddressAreTheWindow) {
  const auto days =
      Proposed("https://a.org/x?date_from=2026-01-01&date_to=2026-01-05", R"([{"id":1}])");
  for (const auto* line : {R"("date_from": "${window.from | formatDateTime('iso_date')}")",
                           R"("date_to": "${window.to | formatDateTime('iso_date')}")",
                           "start: 2026-01-01", "granularity: day", "ends: inclusive"})
    EXPECT_THAT(days, HasSubstr(line));
  const auto filter =
      Proposed("https://a.org/x?filter=from:2026-01-01T00:00:00Z,until:2026-01-05T00:00:00Z",
               R"([{"id":1}])");
  EXPECT_THAT(filter, HasSubstr("from:${window.from},until:${window.to}"));
}

TEST(ProposeDefinition, ASecretOfTheAddressBecomesAReference) {
  const auto text =
      Proposed("https://a.org/x?api_key=s3cr3t-of-mine&q=1", R"([{"id":1}])", {}, {"api_key"});
  EXPECT_THAT(text, Not(HasSubstr("s3cr3t")));
  EXPECT_THAT(text, HasSubstr("keys: \"${env:X_KEY}\""));
}

constexpr const char* kTwoRecords = R"({"items":[{"id":1},{"id":2}],"total":9})";

TEST(ProposeDefinition, WritesNoValueThatMayBeACredential) {
  for (const auto* name : {"key", "appid", "subscription-key", "apiToken", "user_key", "hapikey",
                           "auth", "jwt", "code", "session", "X-Amz-Signature", "cache_id"}) {
    const auto text = Proposed(
        fmt::format("https://a.org/x?offset=0&limit=2&{}=S3cr3tKeyValue99", name), kTwoRecords);
    EXPECT_THAT(text, Not(HasSubstr("S3cr3tKeyValue99"))) << name;
    EXPECT_THAT(text, HasSubstr("keys: \"${env:X_KEY}\"")) << name;
    EXPECT_THAT(text, HasSubstr("required: true")) << "it may be a filter: " << name;
  }
}

TEST(ProposeDefinition, OfSeveralCredentialsOneBecomesAReferenceAndAllAreNamed) {
  const auto url =
      *ParseUrl("https://a.org/t0k3nS3cr3tV4lue9/list?hapikey=S3cr3t-1&sig=S3cr3t-2&offset=0");
  const auto answer = ParseAnswer(kTwoRecords);
  const auto proposal = ProposeDefinition(
      {.source = "x", .url = url, .secret_parameters = {"sig"}, .answer = *answer});
  ASSERT_TRUE(proposal) << proposal.error().Describe();
  EXPECT_THAT(proposal->text, HasSubstr("name: sig"));
  EXPECT_THAT(proposal->text, HasSubstr(R"(# "hapikey" is left out, too)"));
  EXPECT_THAT(proposal->text, Not(HasSubstr("S3cr3t-")));
  EXPECT_THAT(proposal->text, HasSubstr("part 1 of the path looks random"));
  EXPECT_THAT(proposal->notes, ::testing::ElementsAre(HasSubstr("'hapikey' may be a credential"),
                                                      HasSubstr("part 1 of the path")));
}

TEST(ProposeDefinition, WhatOnlyLooksLikeACredentialIsWritten) {
  for (const auto* parameter :
       {"code=US", "code=000001", "key=name", "sortkey=title", "session=spring", "user=ada",
        "since=20260101T000000", "q=machine-learning-2024", "doi=10.1000/xyz123",
        "fields=id,title,updated_at", "isbn=9783161484100000"}) {
    const std::string name(parameter, std::string_view(parameter).find('='));
    EXPECT_THAT(Proposed(fmt::format("https://a.org/x?offset=0&{}", parameter), kTwoRecords),
                HasSubstr(fmt::format("\"{}\": \"{}\"", name,
                                      std::string_view(parameter).substr(name.size() + 1))))
        << parameter;
  }
}

TEST(ProposeDefinition, ATokenThatWasHandedOutBeginsNoWalk) {
  const auto text = Proposed("https://a.org/x?cursor=eyJpZCI6MTIzfQ9aX2k0", R"({"items":[{"id":1},
      {"id":2}],"next_cursor":"eyJpZCI6NDU2fQ9aX2k0"})");
  EXPECT_THAT(text, HasSubstr(R"("cursor": "${page.token}")"));
  EXPECT_THAT(text, Not(HasSubstr("eyJ")));
}

TEST(ProposeDefinition, ReadsXml) {
  const auto text = Proposed(
      "https://a.org/api?start=0&max_results=2",
      R"(<feed xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/">
           <o:totalResults>7</o:totalResults>
           <entry><id>a</id><updated>2026-01-01T00:00:00Z</updated><title>A</title></entry>
           <entry><id>b</id><updated>2026-01-02T00:00:00Z</updated><title>B</title></entry></feed>)");
  for (const auto* line : {"format: xml", "o: \"http://a9.com/-/spec/opensearch/1.1/\"",
                           "envelope: /feed\n", "items: /feed/entry", "id: id", "updated: updated",
                           "total: \"/feed/o:totalResults\"", "style: offset", "title: title"})
    EXPECT_THAT(text, HasSubstr(line));
  EXPECT_THAT(Proposed("https://a.org/api",
                       R"(<feed><link rel="next" href="https://a.org/2"/><link rel="self" href="x"/>
                          <entry><id>a</id></entry><entry><id>b</id></entry></feed>)"),
              HasSubstr(R"(next: "/feed/link[@rel='next']/@href")"));
}

TEST(ProposeDefinition, AnAnswerOfOaiPmhIsExtendedFromWhatIsKnown) {
  EXPECT_EQ(Proposed("https://a.org/oai?verb=ListRecords&metadataPrefix=mods&set=theses",
                     "<OAI-PMH><ListRecords/></OAI-PMH>"),
            "source: x\nextends: oai-pmh\nname: \"a.org (OAI-PMH)\"\n"
            "http: {base_url: \"https://a.org/oai\"}\n"
            "params:\n  prefix: \"mods\"\n  set: \"theses\"\n");
}

TEST(ProposeDefinition, AnAnswerWithoutRecordsIsAnError) {
  EXPECT_THAT(Proposed("https://a.org/x", R"({"items":[]})"), HasSubstr("no list of records"));
}

TEST(SourceName, ComesFromTheHost) {
  EXPECT_EQ(SourceNameOf(*ParseUrl("https://www.repository.Example.org/oai")),
            "repository-example-org");
  EXPECT_EQ(SourceNameOf(*ParseUrl("http://127.0.0.1:8080/")), "127-0-0-1-8080");
}

}  // namespace patra::domain::propose_definition_test
