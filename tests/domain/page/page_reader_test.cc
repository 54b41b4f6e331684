#include "domain/page/page_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/page/link_header.h"

namespace patra::page_reader_test {

using domain::FieldSpec;
using domain::FieldType;
using domain::NextLink;
using domain::PageContent;
using domain::PageReader;
using domain::SpecSnapshot;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 3 / 1}};

SpecSnapshot JsonSpec(std::vector<FieldSpec> fields) {
  return {.response = {.items = "$.items", .id = {"$.id"}, .updated = "$.at", .total = "$.total"},
          .fields = std::move(fields)};
}

Result<PageContent> TryRead(const SpecSnapshot& spec, const std::string& body, int status = 200) {
  const auto reader = PATRA_TRY(PageReader::Compile(spec));
  return reader.Read({.status = status, .body = body, .received_at = kNow});
}

PageContent Read(const SpecSnapshot& spec, const std::string& body, int status = 200) {
  auto content = TryRead(spec, body, status);
  EXPECT_TRUE(content) << content.error().Describe();
  return content ? *std::move(content) : PageContent{};
}

TEST(PageReader, RecordsKnowWhichOfTheirFieldsSurviveAnEmptyValue) {
  const auto body = R"({"items":[{"id":"a","at":"2026-01-01T00:00:00Z","f":1}]})";
  FieldSpec kept{.name = "f", .path = "$.f", .keep_when_empty = true};
  const auto record = Read(JsonSpec({kept, {.name = "g", .path = "$.g"}}), body).records.at(0);
  ASSERT_TRUE(record.kept_fields);
  EXPECT_THAT(*record.kept_fields, ::testing::ElementsAre("f"));
  kept.keep_when_empty = false;
  EXPECT_FALSE(Read(JsonSpec({kept}), body).records.at(0).kept_fields);
}

TEST(PageReader, IdsThatDifferInTypeAloneAreNotTakenForOne) {
  auto spec = JsonSpec({});
  spec.response.updated.reset();
  const auto page = Read(spec, R"({"items":[{"id":1},{"id":"1"},{"id":"2"},{"id":2},{"id":1}]})");
  ASSERT_THAT(page.records, SizeIs(3));
  EXPECT_EQ(page.records.at(2).id, "1") << "the same id twice is another matter";
  ASSERT_THAT(page.bad_records, SizeIs(2));
  EXPECT_FALSE(page.bad_records.at(0).id) << "nobody knows whose it is";
  EXPECT_EQ(page.bad_records.at(0).rule, "exact");
  EXPECT_EQ(page.bad_records.at(0).bytes, R"({"id":"1"})");
}

TEST(PageReader, WhatAFilterPassesOverIsCounted) {
  auto spec = JsonSpec({});
  spec.response.updated.reset();
  spec.response.items = "$.items[?@.k=='x']";
  const auto page = Read(spec, R"({"items":[{"id":1,"k":"x"},{"id":2,"k":"y"},{"id":3}]})");
  EXPECT_THAT(page.records, SizeIs(1));
  EXPECT_EQ(page.passed_over, 2);
  EXPECT_EQ(Read(spec, R"({"items":[{"id":2,"k":"y"}]})").passed_over, 1);
  EXPECT_EQ(Read(spec, R"({"items":[]})").passed_over, 0);
}

TEST(PageReader, AFilterThatComparesWhatNoRecordHasIsNamed) {
  auto spec = JsonSpec({});
  spec.response.updated.reset();
  const auto unmet = [&](const std::string& filter, const std::string& items) {
    spec.response.items = "$.items[?" + filter + "]";
    return Read(spec, R"({"items":)" + items + "}").unmet_member.value_or("");
  };
  EXPECT_EQ(unmet("@.knd=='x'", R"([{"id":1,"kind":"x"}])"), "knd");
  EXPECT_EQ(unmet("@.kind=='x' && @.sate==1", R"([{"id":1,"kind":"x","state":1}])"), "sate");
  EXPECT_EQ(unmet("@.kind=='x'", R"([{"id":1,"kind":"y"},{"id":2}])"), "");
  EXPECT_EQ(unmet("@.kind=='x'", "[]"), "");
  EXPECT_EQ(unmet("@.gone", R"([{"id":1}])"), "") << "its absence is what the filter asks for";
}

// "next" is where the token stands; the definition looks elsewhere.
TEST(PageReader, APageWithoutATokenSaysWhatSeemsToLeadOn) {
  auto spec = JsonSpec({});
  spec.response.total.reset();
  spec.response.total_kind = domain::TotalKind::kNone;
  const auto instead = [&](const std::string& path, const std::string& members) {
    spec.paging.next = path;
    return Read(spec, R"({"items":[])" + members + "}").no_next;
  };
  EXPECT_EQ(instead("$.nxt", R"(,"next":"a")"), "$.next");
  EXPECT_EQ(instead("$.next", R"(,"meta":{"nextCursor":"a"})"), "$.meta.nextCursor");
  EXPECT_EQ(instead("$.page.token", R"(,"page":{"tokn":"a"})"), "$.page.tokn");
  EXPECT_EQ(instead("$.next", R"(,"hasMore":true)"), "$.hasMore");
  EXPECT_EQ(instead("$.next", R"(,"links":{"next":{"href":"/b"}})"), "$.links.next");
  EXPECT_EQ(instead("$.nxt", R"(,"next":null,"more":false,"tokens":7)"), "");
  EXPECT_EQ(instead("$.after", R"(,"request":{"cursor":"*"},"next_update":"2026")"), "");
  EXPECT_FALSE(instead("$.next", R"(,"next":null,"cursor":"a")")) << "it says that this is the end";
  EXPECT_FALSE(instead("$.next", R"(,"next":"b")"));
}

// Fifty of three hundred came, and the definition looks for `$.next`.
TEST(PageReader, APageWithoutATokenSaysWhatTellsOfOthers) {
  auto spec = JsonSpec({});
  spec.response.updated.reset();
  spec.response.total.reset();
  spec.response.total_kind = domain::TotalKind::kNone;
  spec.paging.next = "$.next";
  const auto instead = [&](const std::string& members) {
    return Read(spec, R"({"items":[{"id":1},{"id":2}],)" + members + "}").no_next.value_or("none");
  };
  const auto find = [](const char* words) { return HasSubstr(words); };
  EXPECT_EQ(instead(R"("links":[{"rel":"self","href":"/a"},{"rel":"next","href":"/b"}])"),
            "$.links[?@.rel=='next'].href");
  EXPECT_EQ(instead(R"("link":[{"relation":"next","url":"/b"}])"),
            "$.link[?@.relation=='next'].url");
  EXPECT_EQ(instead(R"("paging":{"cursors":{"before":"a","after":"b"}})"),
            "$.paging.cursors.after");
  for (const auto* name : {"marker", "bookmark", "iterator", "_scroll_id", "LastEvaluatedKey"})
    EXPECT_EQ(instead(fmt::format(R"("{}":"a")", name)), fmt::format("$.{}", name));
  EXPECT_EQ(instead(R"("page":1,"pages":6)"), "$.pages, which says 6");
  EXPECT_EQ(instead(R"("meta":{"last_page":6})"), "$.meta.last_page, which says 6");
  EXPECT_EQ(instead(R"("totalCount":300)"), "$.totalCount, which says 300");
  EXPECT_EQ(instead(R"("@odata.count":"300")"), "$.@odata.count, which says 300");
  EXPECT_THAT(instead(R"("hits":{"total":{"value":300}})"), find("$.hits.total"));
  EXPECT_THAT(instead(R"("startAt":0,"maxResults":50,"total":300)"), find("$.total"));
  EXPECT_THAT(instead(R"("remaining":250)"), find("$.remaining"));
  EXPECT_EQ(instead(R"("isLast":false)"), "$.isLast, which is false");
  EXPECT_EQ(instead(R"("complete":false)"), "$.complete, which is false");
  EXPECT_EQ(instead(R"("exceededTransferLimit":true)"), "$.exceededTransferLimit");
}

TEST(PageReader, WhatTheLastPageHasAsWellTellsOfNoOthers) {
  auto spec = JsonSpec({});
  spec.response.updated.reset();
  spec.response.total.reset();
  spec.response.total_kind = domain::TotalKind::kNone;
  spec.paging.next = "$.paging.next";
  const auto instead = [&](const std::string& members) {
    return Read(spec, R"({"items":[{"id":1},{"id":2}],)" + members + "}").no_next.value_or("none");
  };
  EXPECT_EQ(instead(R"("paging":{"cursors":{"after":"b"}})"), "")
      << "a link is looked for beside it";
  EXPECT_EQ(instead(R"("nextSyncToken":"a","@odata.deltaLink":"/b","previous_token":"c")"), "");
  EXPECT_EQ(instead(R"("cursor":"a","hasMore":false)"), "") << "it says that there is no more";
  EXPECT_EQ(instead(R"("bookmark":"a","isLast":true)"), "");
  EXPECT_EQ(instead(R"("links":[{"rel":"self","href":"/a"},{"rel":"next","href":null}])"), "");
  EXPECT_EQ(instead(R"("total":2,"pages":1,"remaining":0,"done":true)"), "") << "all of it came";
  EXPECT_EQ(instead(R"("remaining":99,"reset":7,"rate_limit":{"remaining":4999})"), "");
  EXPECT_EQ(instead(R"("facets":{"year":{"total":300}},"recordsTotal":300)"), "");
  EXPECT_EQ(instead(R"("after":"2026-01-01T00:00:00Z")"), "") << "said once more";
  spec.response.total = "$.total";
  spec.response.total_kind = domain::TotalKind::kEstimate;
  EXPECT_EQ(instead(R"("total":2,"count":300)"), "") << "the definition says which one counts";
}

TEST(PageReader, APageOfXmlWithoutATokenSaysWhatTellsOfOthers) {
  auto spec = JsonSpec({});
  spec.response = {.format = domain::ResponseFormat::kXml,
                   .items = "/list/record[@status='ok']",
                   .envelope = "/list",
                   .id = {"id"}};
  spec.paging.next = "/list/token";
  const auto instead = [&](const std::string& parts, const std::string& attributes = "") {
    return Read(spec, fmt::format("<list {}>{}<record status='ok'><id>1</id><pages>12</pages>"
                                  "</record></list>",
                                  attributes, parts))
        .no_next.value_or("none");
  };
  EXPECT_EQ(instead(""), "") << "a record's pages are those of a paper";
  EXPECT_EQ(instead("<totalResults>300</totalResults>"), "<totalResults>, which says 300");
  EXPECT_EQ(instead("", "total='300'"), "<list total>, which says 300");
  EXPECT_EQ(instead("", "total='1'"), "");
  EXPECT_EQ(instead("<link rel='next' href='/b'/>"), "<link rel=\"next\">");
}

TEST(PageReader, APageWithoutATokenInItsHeadersSaysWhatSeemsToLeadOn) {
  auto spec = JsonSpec({});
  spec.response.total.reset();
  spec.response.total_kind = domain::TotalKind::kNone;
  using Headers = std::vector<std::pair<std::string, std::string>>;
  const auto instead = [&](const Headers& headers) {
    const auto reader = PageReader::Compile(spec);
    const std::string body = R"({"items":[]})";
    return reader->Read({.status = 200, .headers = headers, .body = body, .received_at = kNow})
        ->no_next;
  };
  spec.paging.next = "$.next";
  EXPECT_THAT(*instead({{"Link", R"(</b>; rel="next")"}}), HasSubstr("link_header"));
  EXPECT_EQ(instead({{"Content-Type", "text"}, {"X-CSRF-Token", "a"}}), "");
  EXPECT_EQ(instead({{"X-Total-Count", "300"}}), "the header 'X-Total-Count', which says 300");
  EXPECT_EQ(instead({{"X-WP-TotalPages", "6"}}), "the header 'X-WP-TotalPages', which says 6");
  EXPECT_THAT(*instead({{"Content-Range", "items 0-49/300"}}), HasSubstr("Content-Range"));
  EXPECT_EQ(instead({{"X-Total-Count", "0"}, {"X-RateLimit-Remaining", "59"}}), "");
  EXPECT_EQ(instead({{"Content-Range", "bytes 0-49/300"}}), "");
  spec.paging.next.reset();
  spec.paging.next_header = "X-Continue";
  EXPECT_EQ(instead({{"X-Continuation", "a"}}), "the header 'X-Continuation'");
  EXPECT_FALSE(instead({{"x-continue", ""}})) << "it says that this is the end";
  spec.paging.next_header.reset();
  spec.paging.next_in_link_header = true;
  EXPECT_EQ(instead({}), "");
  EXPECT_FALSE(instead({{"link", R"(</a>; rel="first")"}}));
}

TEST(PageReader, ARuleBringsTheWordsThatItFound) {
  auto spec = JsonSpec({});
  spec.errors = {{.body = "$.error"}};
  const auto page = Read(spec, R"({"error":"the key is unknown"})");
  ASSERT_TRUE(page.rule);
  EXPECT_EQ(page.rule_words, "the key is unknown");
}

TEST(PageReader, APageOfTooManyRecordsIsRefusedBeforeTheyTakeMemory) {
  const auto read = [](const std::string& body) { return TryRead(JsonSpec({}), body); };
  std::string items = "{}";
  for (std::size_t i = 0; i < domain::kRecordsPerPageMax; ++i) items += ",{}";
  const auto many = read("{\"items\":[" + items + "]}");
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().code, ErrorCode::kExhausted);
  EXPECT_THAT(many.error().message, HasSubstr("more than 250000 records"));
  const auto bad = read("{\"items\":[" + items.substr(0, 3 * 20'000 + 2) + "]}");
  ASSERT_FALSE(bad) << "each of them would be kept with a reason";
  EXPECT_THAT(bad.error().message, HasSubstr("more than 10000 records that break a rule"));
  EXPECT_THAT(
      Read(JsonSpec({}), "{\"items\":[" + items.substr(0, 3 * 5'000 + 2) + "]}").bad_records,
      SizeIs(5'001));
}

SpecSnapshot HookedSpec(domain::HookSpec hooks) {
  auto spec = JsonSpec({{.name = "f", .path = "$.f"}});
  spec.hooks = std::move(hooks);
  return spec;
}

TEST(PageReader, AWrappedAnswerIsReadLikeAnyOther) {
  const auto spec = HookedSpec({.response = "jsonp"});
  const auto page =
      Read(spec, R"(f({"total":2,"items":[{"id":"a","at":"2026-01-01","f":1},{"f":2}]});)");
  EXPECT_EQ(page.announced, 2);
  ASSERT_THAT(page.records, SizeIs(1));
  EXPECT_THAT(page.bad_records, SizeIs(1)) << "what has no id is in quarantine, not lost";
}

TEST(PageReader, AnAnswerWithoutItsWrappingIsNoPageUnlessARuleKnowsIt) {
  auto spec = HookedSpec({.response = "jsonp"});
  const auto* page = R"({"total":1,"items":[{"id":"a","at":"2026-01-01"}]})";
  const auto read = TryRead(spec, page);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("does not begin with a function's name"));
  EXPECT_EQ(read.error().place.line, 1);
  EXPECT_EQ(TryRead(spec, page, 500).error().code, ErrorCode::kUnavailable);
  spec.errors = {{.body = "$.error", .action = domain::ErrorAction::kWait, .until = "1m"},
                 {.text = "Busy", .action = domain::ErrorAction::kRetry}};
  EXPECT_EQ(Read(spec, R"({"error":"too fast"})").rule->action, domain::ErrorAction::kWait);
  EXPECT_EQ(Read(spec, "<h1>Busy</h1>", 503).rule->action, domain::ErrorAction::kRetry);
  EXPECT_EQ(Read(spec, R"(f({"error":"too fast"}))").rule->action, domain::ErrorAction::kWait);
}

TEST(PageReader, AnExactTotalOfAHookHasToCome) {
  auto spec = HookedSpec({.paging = "total-count-header"});
  spec.response.total.reset();
  spec.response.total_kind = domain::TotalKind::kExact;
  const auto reader = PageReader::Compile(spec);
  ASSERT_TRUE(reader) << reader.error().Describe();
  const std::string body = R"({"items":[{"id":"a","at":"2026-01-01"}]})";
  const auto read = [&](std::vector<std::pair<std::string, std::string>> headers) {
    return reader->Read({.status = 200, .headers = headers, .body = body, .received_at = kNow});
  };
  EXPECT_EQ(read({{"X-Total-Count", "17"}})->announced, 17);
  EXPECT_THAT(read({}).error().message, HasSubstr("announces no total where the hook"));
  EXPECT_THAT(read({{"X-Total-Count", "many"}}).error().message, HasSubstr("'many'"));
  const auto kept =
      reader->Read({.status = 200, .body = body, .received_at = kNow, .has_headers = false});
  ASSERT_TRUE(kept) << "the raw vault keeps no headers";
  EXPECT_THAT(kept->records, SizeIs(1));
}

TEST(PageReader, ATokenIsMadeOfTheLastRecordWhateverBecomesOfIt) {
  auto spec = HookedSpec({.paging = "after-last-id"});
  spec.fields.front().required = true;
  const auto page =
      Read(spec, R"({"total":9,"items":[{"id":"a","at":"2026-01-01","f":1},{"id":"b"}]})");
  EXPECT_THAT(page.bad_records, SizeIs(1));
  EXPECT_EQ(page.next, "b") << "a bad record is passed by, too";
  EXPECT_EQ(Read(spec, R"({"total":0,"items":[]})").next, std::nullopt);
  const auto lost =
      TryRead(spec, R"({"total":9,"items":[{"id":"a","at":"2026-01-01","f":1},{"f":2}]})");
  ASSERT_FALSE(lost);
  EXPECT_THAT(lost.error().message, HasSubstr("record 2 of the page"));
}

TEST(PageReader, AHookThatNobodyWroteIsNoHook) {
  EXPECT_EQ(PageReader::Compile(HookedSpec({.response = "magic"})).error().code,
            ErrorCode::kNotFound);
  EXPECT_EQ(PageReader::Compile(HookedSpec({.paging = "magic"})).error().code,
            ErrorCode::kNotFound);
}

TEST(PageReader, ATotalThatNobodyCanHaveIsNone) {
  for (const auto* total :
       {"9223372036854775807", "9223372036854775808", "-1", "1000000000000001"}) {
    auto spec = JsonSpec({});
    const auto page = fmt::format(R"({{"items":[],"total":{}}})", total);
    spec.response.total_kind = domain::TotalKind::kExact;
    EXPECT_FALSE(TryRead(spec, page)) << total;
    spec.response.total_kind = domain::TotalKind::kEstimate;
    const auto read = TryRead(spec, page);
    ASSERT_TRUE(read) << read.error().Describe();
    EXPECT_FALSE(read->announced) << total;
  }
}

TEST(PageReader, AnIdThatIsTooLongIsNone) {
  const auto page = [](std::size_t bytes) {
    return Read(JsonSpec({}),
                fmt::format(R"({{"items":[{{"id":"{}","at":"2026-01-01T00:00:00Z"}}]}})",
                            std::string(bytes, 'i')));
  };
  EXPECT_THAT(page(domain::kItemIdBytesMax).records, SizeIs(1));
  const auto content = page(domain::kItemIdBytesMax + 1);
  ASSERT_THAT(content.bad_records, SizeIs(1));
  EXPECT_EQ(content.bad_records[0].rule, "size");
  EXPECT_FALSE(content.bad_records[0].id);
}

TEST(PageReader, ANumberThatCannotBeKeptExactlyIsNoIdAndNoToken) {
  const auto ids = [](const std::string& id) {
    return Read(JsonSpec({}), "{\"items\":[{\"id\":" + id + ",\"at\":\"2026-01-01T00:00:00Z\"}]}");
  };
  EXPECT_EQ(ids("9223372036854775807").records.at(0).id, "9223372036854775807");
  EXPECT_EQ(ids("18446744073709551615").records.at(0).id, "18446744073709551615");
  const auto beside_a_longer_one = Read(JsonSpec({}), R"({"etag":99999999999999999999999,"items":[
          {"id":9223372036854775809,"at":"2026-01-01T00:00:00Z"},
          {"id":9223372036854775810,"at":"2026-01-01T00:00:00Z"}]})");
  ASSERT_THAT(beside_a_longer_one.records, SizeIs(2));
  EXPECT_EQ(beside_a_longer_one.records[0].id, "9223372036854775809");
  EXPECT_EQ(beside_a_longer_one.records[1].id, "9223372036854775810");
  for (const auto* id : {"18446744073709551617", "1e25", "9223372036854775809.0",
                         "-9223372036854775809", "0.12345678901234567"}) {
    const auto page = ids(id);
    EXPECT_THAT(page.records, IsEmpty()) << id;
    ASSERT_THAT(page.bad_records, SizeIs(1));
    EXPECT_THAT(page.bad_records[0].reason, HasSubstr("cannot be kept exactly"));
  }
  auto spec = JsonSpec({});
  spec.paging.style = domain::PagingStyle::kToken;
  spec.paging.next = "$.next";
  const auto page = TryRead(spec, R"({"items":[],"next":18446744073709551618})");
  EXPECT_FALSE(page) << "another token would be sent";
}

TEST(PageReader, WhetherThereIsMoreIsUnknownWhereThePageDoesNotSay) {
  auto spec = JsonSpec({});
  spec.paging.has_more = "$.more";
  EXPECT_EQ(Read(spec, R"({"items":[],"more":false})").has_more, false);
  EXPECT_EQ(Read(spec, R"({"items":[]})").has_more, std::nullopt);
}

TEST(PageReader, TheNextLinkMayStandInAnyOfTheLinkHeaders) {
  auto spec = JsonSpec({});
  spec.paging.style = domain::PagingStyle::kUrl;
  spec.paging.next_in_link_header = true;
  const std::vector<std::pair<std::string, std::string>> headers = {
      {"Link", "<https://x/1>; rel=\"prev\""}, {"link", "<https://x/3>; rel=\"next\""}};
  const auto page = PageReader::Compile(spec).value().Read(
      {.status = 200, .headers = headers, .body = R"({"items":[]})", .received_at = kNow});
  ASSERT_TRUE(page) << page.error().Describe();
  EXPECT_EQ(page->next, "https://x/3");
}

TEST(PageReader, ALinkHeaderThatSpeaksOfANextPageAndNamesNoneIsNoPage) {
  auto spec = JsonSpec({});
  spec.paging.style = domain::PagingStyle::kUrl;
  spec.paging.next_in_link_header = true;
  const auto read = [&](const std::string& link) {
    const std::vector<std::pair<std::string, std::string>> headers = {{"Link", link}};
    return PageReader::Compile(spec).value().Read(
        {.status = 200, .headers = headers, .body = R"({"items":[]})", .received_at = kNow});
  };
  for (const auto* link : {R"(/i?page=2; rel="next")", R"(rel="next"; </i?page=2>)", "rel=next"}) {
    const auto page = read(link);
    ASSERT_FALSE(page) << link;
    EXPECT_THAT(page.error().message, HasSubstr("speaks of a next page")) << link;
  }
  EXPECT_EQ(read("</i?page=2>; rel='next'")->next, "/i?page=2");
  EXPECT_FALSE(read(R"(</i?page=1&next=3>; rel="first")")->next);
}

TEST(PageReader, RecordsSayWhichOthersAreWorthAnotherLook) {
  auto spec = JsonSpec({{.name = "f", .path = "$.f", .signal_when_empty = true}});
  spec.response.deleted = "$.gone";
  spec.response.merged_into = "$.into";
  spec.response.retracts = "$.about[*].id";
  spec.response.id_case = domain::TextCase::kLower;
  const auto records = Read(spec, R"({"items":[
      {"id":"A","at":"2026-01-01T00:00:00Z","f":1,"about":[{"id":"X"},{"id":""},{"id":"y"}]},
      {"id":"b","at":"2026-01-01T00:00:00Z","f":null},
      {"id":"c","at":"2026-01-01T00:00:00Z","gone":true,"into":"Z"},
      {"id":"d","at":"2026-01-01T00:00:00Z","f":1}]})")
                           .records;
  ASSERT_THAT(records, SizeIs(4));
  using domain::Concern;
  EXPECT_THAT(records[0].concerns,
              ::testing::ElementsAre(Concern{"x", "RETRACTION", "a speaks of it"},
                                     Concern{"y", "RETRACTION", "a speaks of it"}));
  EXPECT_THAT(records[1].concerns,
              ::testing::ElementsAre(Concern{"b", "MISSING_FIELD", "'f' is empty"}));
  EXPECT_THAT(records[2].concerns,
              ::testing::ElementsAre(Concern{"z", "MERGE", "c became part of it"}))
      << "a tombstone has few fields left";
  EXPECT_THAT(records[3].concerns, IsEmpty());
}

TEST(PageReader, ARecordThatSpeaksOfVeryManyOthersIsBelievedToAPoint) {
  auto spec = JsonSpec({});
  spec.response.retracts = "$.about[*]";
  std::string ids = "0";
  for (int i = 1; i < 1'000; ++i) ids += "," + std::to_string(i);
  const auto content =
      Read(spec, R"({"items":[{"id":"a","at":"2026-01-01T00:00:00Z","about":[)" + ids + "]}]}");
  EXPECT_THAT(content.records.at(0).concerns, SizeIs(100));
}

struct Typed {
  FieldSpec field;
  std::string json;      // of the member "f"
  std::string expected;  // the mapped fields, or the rule that is broken
};

class TypedFields : public ::testing::TestWithParam<Typed> {};

TEST_P(TypedFields, AreConvertedOrTheirRecordIsQuarantined) {
  auto field = GetParam().field;
  field.name = "f";
  if (field.path.empty()) field.path = "$.f";
  const auto content =
      Read(JsonSpec({field}),
           R"({"items":[{"id":"a","at":"2026-01-01T00:00:00Z","f":)" + GetParam().json + "}]}");
  const auto found =
      content.records.empty() ? content.bad_records.front().rule : content.records.front().fields;
  EXPECT_EQ(found, GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    OfEveryType, TypedFields,
    ::testing::Values(Typed{{.type = FieldType::kText}, "12", R"({"f":"12"})"},
                      Typed{{.type = FieldType::kText}, "{\"a\":1}", "type"},
                      Typed{{.type = FieldType::kInteger}, "\"12\"", R"({"f":12})"},
                      Typed{{.type = FieldType::kInteger}, "1.5", "type"},
                      Typed{{.type = FieldType::kNumber}, "\"1.5\"", R"({"f":1.5})"},
                      Typed{{.type = FieldType::kBoolean}, "\"Y\"", R"({"f":true})"},
                      Typed{{.type = FieldType::kInstant},
                            "\"2026-01-01T02:00:00+02:00\"",
                            R"({"f":"2026-01-01T00:00:00Z"})"},
                      Typed{{.type = FieldType::kInstant, .formats = {"epoch_ms"}},
                            "1774746000000",
                            R"({"f":"2026-03-29T01:00:00Z"})"},
                      Typed{{.type = FieldType::kInstant}, "\"yesterday\"", "date"},
                      Typed{{.type = FieldType::kDate, .formats = {"yyyyMMdd"}},
                            "\"20260105\"",
                            R"({"f":"2026-01-05"})"},
                      Typed{{.type = FieldType::kPartialDate}, "[[2020,5]]", R"({"f":"2020-05"})"},
                      Typed{{.type = FieldType::kPartialDate}, "[[null]]", "{}"},
                      Typed{{.path = "$.f[*].n", .many = true},
                            R"([{"n":"a"},{},{"n":"b"}])",
                            R"({"f":["a","b"]})"},
                      Typed{{.path = "$.f[*]", .join = " "}, R"(["a","b"])", R"({"f":"a b"})"},
                      Typed{{.one_of = {"a", "b"}}, "\"c\"", "enum"},
                      Typed{{.pattern = "[a-z]+"}, "\"abc\"", R"({"f":"abc"})"},
                      Typed{{.pattern = "[a-z]+"}, "\"abc1\"", "pattern"},
                      Typed{{.required = true}, "\"\"", "required"}, Typed{{}, "[]", "{}"}));

TEST(PageReader, ADeletedRecordNeedsNoFields) {
  auto spec = JsonSpec({{.name = "title", .path = "$.title", .required = true}});
  spec.response.deleted = "$.gone";
  const auto content =
      Read(spec, R"({"items":[{"id":"a","at":"2026-01-01T00:00:00Z","gone":true}]})");
  ASSERT_THAT(content.records, SizeIs(1));
  EXPECT_TRUE(content.records[0].version.deleted);
}

TEST(PageReader, WithoutAnUpdateTimeThePagesOwnDecides) {
  auto spec = JsonSpec({{.name = "t", .path = "$.t"}});
  spec.response.updated.reset();
  const auto content = Read(spec, R"({"items":[{"id":"a","t":1}]})");
  EXPECT_EQ(content.records.at(0).version.updated_at, kNow);
}

TEST(PageReader, APageOfAnotherShapeIsAnError) {
  const auto content = TryRead(JsonSpec({}), R"({"message":"hello"})");
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code, ErrorCode::kCorruption);
}

TEST(PageReader, AStatusThatNobodyForesawIsAnError) {
  const auto content = TryRead(JsonSpec({}), "<html>", 502);
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code, ErrorCode::kUnavailable);
}

TEST(PageReader, AnEnvelopeThatIsMissingIsNoEmptyPage) {
  SpecSnapshot spec{.response = {.format = domain::ResponseFormat::kXml,
                                 .items = "/list/record",
                                 .envelope = "/list",
                                 .id = {"id"}}};
  EXPECT_THAT(Read(spec, "<list/>").records, IsEmpty());
  EXPECT_FALSE(TryRead(spec, "<other/>"));
}

void ExpectNoPage(const SpecSnapshot& spec, const std::string& body, std::string_view why) {
  const auto content = TryRead(spec, body);
  ASSERT_FALSE(content) << body;
  // Whoever is to blame.
  EXPECT_THAT(content.error().code, ::testing::AnyOf(ErrorCode::kCorruption, ErrorCode::kNotFound))
      << body;
  EXPECT_THAT(content.error().message, HasSubstr(std::string(why))) << body;
}

TEST(PageReader, AnXmlPageWithoutRecordsAndEnvelopeProvesNothing) {
  const SpecSnapshot spec{
      .response = {.format = domain::ResponseFormat::kXml, .items = "/list/record", .id = {"id"}}};
  ExpectNoPage(spec, "<list/>", "without an envelope");
  EXPECT_THAT(Read(spec, "<list><record><id>a</id></record></list>").records, SizeIs(1));
}

TEST(PageReader, AnEnvelopeThatIsNullOrFalseIsNotThere) {
  auto spec = JsonSpec({});
  spec.response.envelope = "$.ok";
  ExpectNoPage(spec, R"({"ok":null,"items":[]})", "$.ok");
  EXPECT_THAT(Read(spec, R"({"ok":1,"items":[]})").records, IsEmpty());
  const SpecSnapshot xml{.response = {.format = domain::ResponseFormat::kXml,
                                      .items = "/list/record",
                                      .envelope = "count(/list) = 1",
                                      .id = {"id"}}};
  ExpectNoPage(xml, "<other/>", "count");
}

SpecSnapshot WithTotal(domain::TotalKind kind) {
  auto spec = JsonSpec({});
  spec.response.total_kind = kind;
  return spec;
}

TEST(PageReader, AnExactTotalThatIsNotSentMakesNoPage) {
  const auto spec = WithTotal(domain::TotalKind::kExact);
  ExpectNoPage(spec, R"({"items":[]})", "announces no total at $.total");
  for (const auto* total : {"null", R"("")", "[]", "{}", R"("many")", "-1", R"("-1")", "12.5",
                            R"("12.5")", "[3]", R"({"value":3})", "true", "1e40"}) {
    ExpectNoPage(spec, fmt::format(R"({{"items":[],"total":{}}})", total), "total");
  }
  for (const auto* total : {"3", R"("3")", R"(" 3 ")", "3.0"}) {
    EXPECT_EQ(Read(spec, fmt::format(R"({{"items":[],"total":{}}})", total)).announced, 3) << total;
  }
}

TEST(PageReader, AnExactTotalThatIsNotSentMakesNoPageInXmlEither) {
  SpecSnapshot spec{.response = {.format = domain::ResponseFormat::kXml,
                                 .items = "/list/record",
                                 .envelope = "/list",
                                 .id = {"id"},
                                 .total = "/list/@size",
                                 .total_kind = domain::TotalKind::kExact}};
  ExpectNoPage(spec, "<list/>", "announces no total");
  ExpectNoPage(spec, R"(<list size="some"/>)", "is no total");
  EXPECT_EQ(Read(spec, R"(<list size="0"/>)").announced, 0);
  spec.response.total = "count(/list/record)";
  EXPECT_EQ(Read(spec, "<list><record><id>a</id></record></list>").announced, 1);
}

TEST(PageReader, ATotalOnTheFirstPageMayBeMissingElsewhereButNeverWrong) {
  auto spec = WithTotal(domain::TotalKind::kExact);
  spec.response.total_on_first_page = true;
  EXPECT_FALSE(Read(spec, R"({"items":[]})").announced);
  EXPECT_FALSE(Read(spec, R"({"items":[],"total":null})").announced);
  ExpectNoPage(spec, R"({"items":[],"total":"many"})", "is no total");
}

// Elasticsearch counts to ten thousand, and says so.
TEST(PageReader, ATotalThatIsOnlyABoundIsNoExactOne) {
  auto spec = WithTotal(domain::TotalKind::kExact);
  spec.response.total = "$.hits.total.value";
  const auto* bound = R"({"items":[],"hits":{"total":{"value":10000,"relation":"gte"}}})";
  ExpectNoPage(spec, bound, "no total but a bound");
  EXPECT_EQ(Read(spec, R"({"items":[],"hits":{"total":{"value":7,"relation":"eq"}}})").announced,
            7);
  EXPECT_EQ(Read(spec, R"({"items":[],"hits":{"total":{"value":7}}})").announced, 7);
  spec.paging.reach = 10'000;
  EXPECT_EQ(Read(spec, bound).announced, 10'000) << "slices that announce as much are cut";
  spec.paging.reach.reset();
  spec.response.total_kind = domain::TotalKind::kEstimate;
  EXPECT_EQ(Read(spec, bound).announced, 10'000);
}

TEST(PageReader, AnEmptyListOfAnAnswerThatIsNotThereYetIsNoPage) {
  const auto read = [](int status, const std::string& body) {
    return PageReader::Compile(JsonSpec({}))
        .value()
        .Read({.status = status, .body = body, .received_at = kNow});
  };
  EXPECT_FALSE(read(202, R"({"items":[]})"));
  EXPECT_TRUE(read(203, R"({"items":[]})"));
  EXPECT_TRUE(read(202, R"({"items":[{"id":"a"}]})"));
}

TEST(PageReader, AnEstimateMayBeMissing) {
  const auto spec = WithTotal(domain::TotalKind::kEstimate);
  EXPECT_FALSE(Read(spec, R"({"items":[]})").announced);
  EXPECT_FALSE(Read(spec, R"({"items":[],"total":-1})").announced);
  EXPECT_EQ(Read(spec, R"({"items":[],"total":7})").announced, 7);
}

TEST(PageReader, AnEmptyListBesideAnErrorIsNoEmptyPage) {
  const auto spec = JsonSpec({});
  for (const auto* error : {R"("error":"overloaded")",
                            R"("Error":{"code":3})",
                            R"("errors":[{"code":3}])",
                            R"("status":"error")",
                            R"("status":"FAILED")",
                            R"("success":false)",
                            R"("fault":true)",
                            R"("exception":1)",
                            R"("code":500)",
                            R"("code":40203,"msg":"too often")",
                            R"("errno":7)",
                            R"("code":"E_BUSY")",
                            R"("message":"try again later")",
                            R"("msg":"busy","code":null)",
                            R"("meta":{"error":"x"})",
                            R"("header":{"code":503})",
                            R"("timed_out":true)",
                            R"("incomplete_results":true)",
                            R"("ret":-1)",
                            R"("http_status":503)",
                            R"("reason":"busy")",
                            R"("warnings":["a shard is away"])",
                            R"("hasError":true)",
                            R"("failure":{"code":3})",
                            R"("error_description":"token expired")",
                            R"("errorCount":1)",
                            R"("status":"processing")",
                            R"("err":"too deep")",
                            R"("exceededTransferLimit":true)",
                            R"("complete":false,"success":true)",
                            R"("done":false)",
                            R"("timeout":true)",
                            R"("retry":true)",
                            R"("type":"about:blank","title":"Service Unavailable")",
                            R"("Information":"our standard API call frequency is 5 a minute")",
                            R"("isError":true)",
                            R"("failed":true)",
                            R"("failedShards":2)",
                            R"("is_truncated":true)",
                            R"("queryTimedOut":true)",
                            R"("has_partial_results":true)",
                            R"("isLimited":true)",
                            R"("status":"unavailable")",
                            R"("available":false)",
                            R"("isValid":false)",
                            R"("response":{"status":"failed"})",
                            R"("messages":["rate limited"])",
                            R"("info":"Your plan does not include this")",
                            R"("_shards":{"total":5,"failed":2})"}) {
    ExpectNoPage(spec, fmt::format(R"({{{},"items":[]}})", error), "beside an error");
  }
  for (const auto* remark : {R"("title":"Search results")",
                             R"("failedShards":0)",
                             R"("isError":false)",
                             R"("allow_partial_results":true)",
                             R"("ignoreErrors":true)",
                             R"("errorFree":true)",
                             R"("isAvailable":true)",
                             R"("response":{"status":"ok"})",
                             R"("info":"see our pages")",
                             R"("note":"all of them")",
                             R"("error":null)",
                             R"("error":"")",
                             R"("error":false)",
                             R"("errors":[])",
                             R"("error":{})",
                             R"("error":0)",
                             R"("error":"none")",
                             R"("status":"ok")",
                             R"("success":true)",
                             R"("errorlist":["a"])",
                             R"("code":0,"msg":"no such records")",
                             R"("code":200)",
                             R"("message":"OK")",
                             R"("message":"")",
                             R"("message":{"a":1})",
                             R"("status":"success","message":"nothing found")",
                             R"("code":1,"msg":"success")",
                             R"("meta":{"code":200})",
                             R"("query":{"error":"x"})",
                             R"("timed_out":false)",
                             R"("err":0)",
                             R"("exceededTransferLimit":false)",
                             R"("complete":true)",
                             R"("timeout":30)",
                             R"("retry":3)",
                             R"("warnings":[])",
                             R"("_shards":{"total":5,"failed":0})"}) {
    EXPECT_THAT(Read(spec, fmt::format(R"({{{},"items":[]}})", remark)).records, IsEmpty())
        << remark;
  }
  auto nested = spec;
  nested.response.items = "$.answer.items";
  ExpectNoPage(nested, R"({"answer":{"error":"x","items":[]}})", "beside an error");
  const SpecSnapshot xml{.response = {.format = domain::ResponseFormat::kXml,
                                      .items = "/list/record",
                                      .envelope = "/list",
                                      .id = {"id"}}};
  ExpectNoPage(xml, "<list><error>no backend</error></list>", "beside an error");
}

// GraphQL and search engines send what they could get at.
TEST(PageReader, RecordsBesideAnErrorAreNoPageUnlessARuleSaysSo) {
  auto spec = JsonSpec({});
  const auto with = [](std::string_view member) {
    return fmt::format(R"({{{},"items":[{{"id":"a","at":"2026-01-01"}}]}})", member);
  };
  for (const auto* error :
       {R"("errors":[{"message":"a field timed out"}])", R"("error":"x")", R"("success":false)",
        R"("success":0)", R"("status":"error")", R"("timed_out":true)", R"("partial":true)",
        R"("status":"partial")", R"("terminated_early":true)",
        R"("responseHeader":{"partialResults":true})", R"("_shards":{"total":5,"successful":4})",
        R"("extensions":{"errors":["x"]})", R"("incomplete_results":true)",
        R"("_shards":{"total":5,"failed":2})", R"("meta":{"errors":["x"]})", R"("isError":true)",
        R"("failed":true)", R"("isTruncated":true)", R"("response":{"hasFailures":true})"}) {
    ExpectNoPage(spec, with(error), "1 records stand beside an error");
  }
  for (const auto* remark :
       {R"("errors":[])", R"("error":null)", R"("success":true)", R"("failed":3)",
        R"("exceededTransferLimit":true)", R"("done":false)", R"("complete":false)",
        R"("failedShards":2)", R"("available":false)", R"("isLimited":true)", R"("retry":true)",
        R"("message":"quota exceeded")", R"("code":500)", R"("warnings":["old version"])"}) {
    EXPECT_THAT(Read(spec, with(remark)).records, SizeIs(1)) << remark;
  }
  spec.errors.push_back({.body = "$.errors", .action = domain::ErrorAction::kPage});
  EXPECT_THAT(Read(spec, with(R"("errors":[{"message":"deprecated"}])")).records, SizeIs(1));
  ExpectNoPage(spec, with(R"("success":false)"), "beside an error");

  const SpecSnapshot xml{.response = {.format = domain::ResponseFormat::kXml,
                                      .items = "/list/state",
                                      .envelope = "/list",
                                      .id = {"id"}}};
  ExpectNoPage(xml, "<list><error>half of it</error><state><id>a</id></state></list>",
               "beside an error");
  EXPECT_THAT(Read(xml, "<list><state><id>failed</id></state></list>").records, SizeIs(1));
}

TEST(PageReader, PartsOfAnIdNeverRunIntoEachOther) {
  auto spec = JsonSpec({});
  spec.response.id = {"$.a", "$.b"};
  spec.response.id_join = ":";
  spec.response.updated.reset();
  const auto page =
      Read(spec, R"({"items":[{"a":"x","b":"y:z"},{"a":"x:y","b":"z"},{"a":"x\\","b":"y"},
                                            {"a":"x","b":"y"}]})");
  std::vector<std::string> ids;
  for (const auto& record : page.records) ids.push_back(record.id);
  EXPECT_THAT(ids, testing::ElementsAre("x:y\\:z", "x\\:y:z", "x\\\\:y", "x:y"));
}

TEST(PageReader, AnIdIsOneValue) {
  auto spec = JsonSpec({});
  spec.response.updated.reset();
  const auto page = Read(spec, R"({"items":[{"id":["a"]},{"id":{"a":1}},{"id":"a"}]})");
  EXPECT_THAT(page.records, SizeIs(1));
  EXPECT_THAT(page.bad_records, SizeIs(2));
}

TEST(PageReader, WhatIsNullOrEmptySaysNothingAboutMoreAndFalseIsNoToken) {
  auto spec = JsonSpec({});
  spec.paging.has_more = "$.more";
  spec.paging.next = "$.next";
  for (const auto* nothing : {"null", R"("")", "{}", "[]"}) {
    const auto page = Read(spec, fmt::format(R"({{"items":[],"more":{}}})", nothing));
    EXPECT_FALSE(page.has_more) << nothing;
  }
  const auto page = Read(spec, R"({"items":[],"more":"N","next":false})");
  EXPECT_EQ(page.has_more, false);
  EXPECT_FALSE(page.next);
}

// Parsers differ in which one they take.
TEST(PageReader, ANameThatStandsTwiceOnTheWayToRecordsOrIdsIsNotTakenForEitherOfThem) {
  auto spec = JsonSpec({});
  spec.response.total = "$.total";
  spec.response.total_kind = domain::TotalKind::kExact;
  ExpectNoPage(spec, R"({"total":0,"items":[],"items":[{"id":"a"}]})", "'items' stands twice");
  ExpectNoPage(spec, R"({"total":0,"items":[],"total":5})", "'total' stands twice");
  const auto page = Read(spec, R"({"total":2,"items":[{"id":"a","id":"b","at":"2026-01-01"},
                                                      {"id":"c","at":"2026-01-01"}]})");
  EXPECT_THAT(page.records, SizeIs(1));
  ASSERT_THAT(page.bad_records, SizeIs(1));
  EXPECT_THAT(page.bad_records.front().reason, HasSubstr("'id' stands twice"));
}

TEST(PageReader, APageThatAnnouncesNothingMaySaySoInWords) {
  auto spec = JsonSpec({});
  spec.response.total = "$.total";
  spec.response.total_kind = domain::TotalKind::kExact;
  EXPECT_THAT(Read(spec, R"({"total":0,"items":[],"message":"No results found"})").records,
              IsEmpty());
  ExpectNoPage(spec, R"({"total":3,"items":[],"message":"No results found"})", "beside an error");
  ExpectNoPage(spec, R"({"total":0,"items":[],"error":"overloaded"})", "beside an error");
  ExpectNoPage(spec, R"({"total":0,"items":[],"code":500})", "beside an error");
  ExpectNoPage(spec, R"({"total":0,"items":[],"message":"quota exceeded"})", "beside an error");
}

SpecSnapshot ItemsAt(std::string path) {
  auto spec = JsonSpec({});
  spec.response.items = std::move(path);
  spec.response.updated.reset();
  return spec;
}

std::vector<std::string> IdsIn(const SpecSnapshot& spec, const std::string& body) {
  std::vector<std::string> ids;
  for (const auto& record : Read(spec, body).records) ids.push_back(record.id);
  return ids;
}

TEST(PageReader, AnObjectAmongListsIsNoPage) {
  ExpectNoPage(ItemsAt("$.g[*].l[*]"), R"({"g":[{"l":[{"id":"a"}]},{"l":{"x":{"id":"b"}}}]})",
               "no list");
  ExpectNoPage(ItemsAt("$.g[*].l[*]"), R"({"g":[{"l":{"x":{"id":"b"}}},{"l":[{"id":"a"}]}]})",
               "no list");
  ExpectNoPage(ItemsAt("$.g[*].l[*]"), R"({"g":[{"l":{"id":"b","title":"one, not many"}}]})",
               "has an id");
}

TEST(PageReader, EverythingThatItemsSelectsIsARecord) {
  using ::testing::ElementsAre;
  const std::string list = R"([{"id":"a"},{"id":"b"}])";
  EXPECT_THAT(IdsIn(ItemsAt("$"), list), ElementsAre("a", "b"));
  EXPECT_THAT(IdsIn(ItemsAt("$[*]"), list), ElementsAre("a", "b"));
  EXPECT_THAT(IdsIn(ItemsAt("$.l[*]"), R"({"l":)" + list + "}"), ElementsAre("a", "b"));
  EXPECT_THAT(IdsIn(ItemsAt("$.l.*"), R"({"l":{"x":{"id":"a"},"y":{"id":"b"}}})"),
              ElementsAre("a", "b"));
  EXPECT_THAT(IdsIn(ItemsAt("$.g[*].l[*]"),
                    R"({"g":[{"l":[{"id":"a"}]},{"l":[]},{"l":[{"id":"b"},{"id":"c"}]}]})"),
              ElementsAre("a", "b", "c"));
  EXPECT_THAT(IdsIn(ItemsAt("$.hits[*].source"),
                    R"({"hits":[{"source":{"id":"a"}},{"source":{"id":"b"}}]})"),
              ElementsAre("a", "b"));
}

TEST(PageReader, ItemsMayBeChosenByAnyPath) {
  using ::testing::ElementsAre;
  EXPECT_THAT(IdsIn(ItemsAt("$.l[?@.k=='x']"),
                    R"({"l":[{"id":"a","k":"x"},{"id":"b","k":"y"},{"id":"c","k":"x"}]})"),
              ElementsAre("a", "c"));
  EXPECT_THAT(IdsIn(ItemsAt("$..work"), R"({"x":{"work":{"id":"a"}},"y":[{"work":{"id":"b"}}]})"),
              ElementsAre("a", "b"));
  EXPECT_THAT(IdsIn(ItemsAt("$['new','old'][*]"), R"({"old":[{"id":"a"}],"new":[{"id":"b"}]})"),
              ElementsAre("b", "a"));
  EXPECT_THAT(IdsIn(ItemsAt("$.l[1:]"), R"({"l":[{"id":"head"},{"id":"a"}]})"), ElementsAre("a"));
  EXPECT_THAT(IdsIn(ItemsAt("$.*.l[*]"), R"({"p":{"l":[{"id":"a"}]},"q":{"l":[{"id":"b"}]}})"),
              ElementsAre("a", "b"));
  EXPECT_THAT(IdsIn(ItemsAt("$.l[?@.k=='x']"), R"({"l":[{"id":"b","k":"y"}]})"), IsEmpty());
}

TEST(PageReader, AStepThatFindsNothingIsNoPageAlsoBehindAFilter) {
  ExpectNoPage(ItemsAt("$.l[?@.k].s"), R"({"l":[{"k":1,"s":{"id":"a"}},{"k":1}]})", "no list");
  ExpectNoPage(ItemsAt("$.l[?@.k]"), R"({"m":[]})", "no list");
  ExpectNoPage(ItemsAt("$.l[?@.k]"), R"({"l":"none"})", "no list");
  ExpectNoPage(ItemsAt("$..l"), R"({"x":{"l":[{"id":"a"}]}})", "has an id");
}

TEST(PageReader, AllMembersOfAnObjectAreRecordsAndNoneIsTakenForAll) {
  std::string members;
  for (int i = 0; i < 50; ++i)
    members += fmt::format(R"({}"m{}":{{"id":"{}"}})", i ? "," : "", i, i);
  const auto body = R"({"results":{)" + members + "}}";
  EXPECT_THAT(IdsIn(ItemsAt("$.results.*"), body), SizeIs(50));
  const auto refused = TryRead(ItemsAt("$.results"), body);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().hint, HasSubstr("object of 50 members: $.results.*"));
}

TEST(PageReader, WhatIsThereIsNamedWhereItemsFindNothing) {
  const auto why = [](const char* path, const char* body) {
    const auto read = TryRead(ItemsAt(path), body);
    EXPECT_FALSE(read);
    return read ? std::string() : read.error().hint;
  };
  EXPECT_THAT(why("$.data.itmes", R"({"data":{"total":1,"items":[]}})"),
              HasSubstr("$.data has total, items; did you mean 'items'?"));
  EXPECT_THAT(why("$.data.x", R"({"data":[{"x":1}]})"), HasSubstr("$.data[*] goes on"));
  EXPECT_THAT(why("$.data.x", R"({"data":"none"})"), HasSubstr("$.data is a text"));
}

TEST(PageReader, AMemberThatIsNotThereBlamesTheDefinitionUnlessTheAnswerLooksLikeAnError) {
  const auto code = [](const char* path, const char* body) {
    const auto read = TryRead(ItemsAt(path), body);
    return read ? std::optional<ErrorCode>() : read.error().code;
  };
  EXPECT_EQ(code("$.itmes", R"({"total":3,"items":[]})"), ErrorCode::kNotFound);
  EXPECT_EQ(code("$.items", R"([{"id":"a"}])"), ErrorCode::kNotFound);
  EXPECT_EQ(code("$.items", R"({"error":"backend_failed"})"), ErrorCode::kCorruption);
  EXPECT_EQ(code("$.items", R"({"items":null})"), ErrorCode::kCorruption) << "it is there";
  EXPECT_EQ(code("$.items", "{}"), ErrorCode::kCorruption) << "it says nothing";
  EXPECT_EQ(code("$.items", R"("maintenance")"), ErrorCode::kCorruption);

  auto spec = JsonSpec({});
  spec.response.total_kind = domain::TotalKind::kExact;
  const auto total = TryRead(spec, R"({"items":[],"totl":3})");
  ASSERT_FALSE(total);
  EXPECT_EQ(total.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(total.error().hint, HasSubstr("did you mean 'totl'?"));
  EXPECT_EQ(TryRead(spec, R"({"items":[],"total":null})").error().code, ErrorCode::kCorruption);
}

TEST(PageReader, AListThatIsMissingIsEmptyWhereTheDefinitionSaysSo) {
  auto spec = ItemsAt("$.data.items");
  spec.response.items_missing = domain::ItemsMissing::kEmpty;
  EXPECT_THAT(IdsIn(spec, R"({"data":{"count":0}})"), IsEmpty());
  EXPECT_THAT(IdsIn(spec, R"({"count":0})"), IsEmpty());
  EXPECT_THAT(IdsIn(spec, R"({"data":{"items":null}})"), IsEmpty());
  EXPECT_THAT(IdsIn(spec, R"({"data":{"items":[{"id":"a"}]}})"), SizeIs(1));
  ExpectNoPage(spec, R"({"data":{"items":"none"}})", "no list");
  ExpectNoPage(spec, R"({"error":"x"})", "beside an error");
  ExpectNoPage(spec, R"({"data":{"itmes":[{"id":"a"}]}})", "no list at");
  auto nested = ItemsAt("$.groups[*].records[*]");
  nested.response.items_missing = domain::ItemsMissing::kEmpty;
  EXPECT_THAT(IdsIn(nested, R"({"groups":[{"records":[{"id":"a"}]},{"name":"empty"}]})"), SizeIs(1))
      << "one group without records takes none from the others";
}

TEST(PageReader, OneOfSeveralValuesIsNeverTakenSilently) {
  const auto record = [](FieldSpec field) {
    return Read(JsonSpec({std::move(field)}),
                R"({"items":[{"id":"a","at":"2026-01-01","t":["x","y"],"s":["z","z",""]}]})");
  };
  const auto bad = record({.name = "t", .path = "$.t[*]"});
  ASSERT_THAT(bad.bad_records, SizeIs(1));
  EXPECT_EQ(bad.bad_records.front().rule, "one");
  EXPECT_THAT(bad.bad_records.front().reason, HasSubstr("selects 2 values"));
  EXPECT_THAT(record({.name = "t", .path = "$.t[0]"}).records, SizeIs(1));
  EXPECT_THAT(record({.name = "t", .path = "$.t[*]", .many = true}).records, SizeIs(1));
  EXPECT_THAT(record({.name = "t", .path = "$.t[*]", .join = " "}).records, SizeIs(1));
  EXPECT_THAT(record({.name = "s", .path = "$.s[*]"}).records, SizeIs(1)) << "they say the same";

  auto spec = JsonSpec({});
  spec.response.id = {"$.ids[*]"};
  const auto ids = Read(spec, R"({"items":[{"ids":["a","b"],"at":"2026-01-01"}]})");
  ASSERT_THAT(ids.bad_records, SizeIs(1));
  EXPECT_EQ(ids.bad_records.front().rule, "one");

  spec = JsonSpec({});
  spec.response.total = "$..total";
  spec.response.total_kind = domain::TotalKind::kExact;
  ExpectNoPage(spec, R"({"items":[],"total":1,"more":{"total":2}})", "selects 2 values");
  spec.response.total.reset();
  spec.response.total_kind = domain::TotalKind::kNone;
  spec.paging.next = "$..next";
  ExpectNoPage(spec, R"({"items":[],"next":"a","more":{"next":"b"}})", "selects 2 values");
}

TEST(PageReader, OneRecordOfXmlIsNotTheFirstOfMany) {
  const SpecSnapshot spec{.response = {.format = domain::ResponseFormat::kXml,
                                       .items = "//item",
                                       .one_record = true,
                                       .id = {"id"}}};
  EXPECT_THAT(IdsIn(spec, "<r><item><id>a</id></item></r>"), SizeIs(1));
  ExpectNoPage(spec, "<r><item><id>a</id></item><item><id>b</id></item></r>", "selects 2 records");
}

SpecSnapshot TokenSpec(domain::TokenKind kind) {
  auto spec = ItemsAt("$.items");
  spec.paging = {.style = domain::PagingStyle::kToken, .next = "$.continue", .token_kind = kind};
  return spec;
}

TEST(PageReader, ATokenThatIsAnObjectIsKeptAsOneTextHoweverItIsWritten) {
  const auto spec = TokenSpec(domain::TokenKind::kParameters);
  EXPECT_EQ(Read(spec, R"({"items":[],"continue":{"b":"-||","a": "X"}})").next,
            R"({"a":"X","b":"-||"})");
  EXPECT_EQ(Read(spec, R"({"items":[],"continue":{"a":"X","b":null}})").next, R"({"a":"X"})");
  EXPECT_EQ(Read(spec, R"({"items":[],"continue":{"b":null}})").next, std::nullopt);
  EXPECT_EQ(Read(spec, R"({"items":[],"continue":{}})").next, std::nullopt);
  EXPECT_EQ(Read(spec, R"({"items":[]})").next, std::nullopt);
  ExpectNoPage(spec, R"({"items":[],"continue":{"a":{"b":1}}})", "no object of single values");
  ExpectNoPage(spec, R"({"items":[],"continue":"X"})", "no object of single values");
  ExpectNoPage(spec, R"({"items":[],"continue":{"a":0.12345678901234567}})", "kept exactly");
}

TEST(PageReader, AListMayBeATokenWhereTheDefinitionSaysThatItIsAValue) {
  const auto spec = TokenSpec(domain::TokenKind::kValue);
  EXPECT_EQ(Read(spec, R"({"items":[],"continue":[1700000000000, "id-7"]})").next,
            R"([1700000000000,"id-7"])");
  const auto text = TryRead(TokenSpec(domain::TokenKind::kText), R"({"items":[],"continue":[1]})");
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().hint, HasSubstr("token: parameters"));
}

TEST(PageReader, ATokenMayStandInAHeader) {
  auto spec = ItemsAt("$.items");
  spec.paging = {.style = domain::PagingStyle::kToken, .next_header = "X-Continuation"};
  const auto reader = PageReader::Compile(spec).value();
  const std::string body = R"({"items":[]})";
  const auto next = [&](std::vector<std::pair<std::string, std::string>> headers) {
    return reader.Read({.status = 200, .headers = headers, .body = body, .received_at = kNow});
  };
  EXPECT_EQ(next({{"x-continuation", "abc"}})->next, "abc");
  EXPECT_EQ(next({{"x-continuation", "abc"}, {"X-Continuation", "abc"}})->next, "abc");
  EXPECT_EQ(next({{"x-continuation", ""}})->next, std::nullopt);
  EXPECT_EQ(next({})->next, std::nullopt);
  EXPECT_FALSE(next({{"x-continuation", "abc"}, {"x-continuation", "def"}}));
}

TEST(PageReader, AnObjectInThePlaceOfAListIsNoPage) {
  ExpectNoPage(ItemsAt("$"), R"({"error":"x"})", "no list at $");
  ExpectNoPage(ItemsAt("$"), R"({"id":"a"})", "no list at $");
  ExpectNoPage(ItemsAt("$.l"), R"({"l":{"x":{"id":"a"},"y":{"id":"b"}}})", "no list at $.l");
  for (const auto* body : {R"({"l":null})", R"({"l":"none"})", R"({"l":3})", "{}", "[]", "null"}) {
    ExpectNoPage(ItemsAt("$.l"), body, "no list");
    ExpectNoPage(ItemsAt("$.l[*]"), body, "no list");
  }
  ExpectNoPage(ItemsAt("$.g[*].l[*]"), R"({"g":[{"l":[{"id":"a"}]},{"error":"x"}]})", "no list");
  ExpectNoPage(ItemsAt("$.*"), R"({"error":{"code":"x"}})", "has an id");
  ExpectNoPage(ItemsAt("$.*"), R"({"status":"error","message":"x"})", "has an id");
}

TEST(PageReader, OneRecordIsTakenWhereTheDefinitionSaysSo) {
  auto spec = ItemsAt("$.message");
  spec.response.one_record = true;
  EXPECT_THAT(IdsIn(spec, R"({"message":{"id":"a"}})"), ::testing::ElementsAre("a"));
  ExpectNoPage(spec, R"({"message":{"error":"x"}})", "no id");
  ExpectNoPage(spec, R"({"message":[{"id":"a"}]})", "no record");
  ExpectNoPage(spec, R"({"message":null})", "no record");
}

TEST(PageReader, ABrokenRecordStandsAloneWhereverItemsLead) {
  const std::string bad = "{\"id\":\"\xFF\"}";
  for (const auto& [path, body] : std::vector<std::pair<std::string, std::string>>{
           {"$.l", R"({"l":[{"id":"a"},)" + bad + R"(,{"id":"c"}]})"},
           {"$.l[*]", R"({"l":[{"id":"a"},)" + bad + R"(,{"id":"c"}]})"},
           {"$.l.*", R"({"l":{"x":{"id":"a"},"y":)" + bad + R"(,"z":{"id":"c"}}})"},
           {"$.g[*].l[*]", R"({"g":[{"l":[{"id":"a"},)" + bad + R"(]},{"l":[{"id":"c"}]}]})"},
           {"$.h[*].s", R"({"h":[{"s":{"id":"a"}},{"s":)" + bad + R"(},{"s":{"id":"c"}}]})"}}) {
    const auto content = Read(ItemsAt(path), body);
    EXPECT_THAT(content.records, SizeIs(2)) << path;
    ASSERT_THAT(content.bad_records, SizeIs(1)) << path;
    EXPECT_EQ(content.bad_records.front().bytes, bad) << path;
  }
}

TEST(PageReader, ADateFarAheadGoesToQuarantine) {
  const auto read = [](std::string_view date, bool may_lie_ahead) {
    auto spec = JsonSpec({});
    spec.response.updated_may_lie_ahead = may_lie_ahead;
    return Read(spec, fmt::format(R"({{"items":[{{"id":"a","at":"{}"}}]}})", date));
  };
  const auto ahead = read("9999-12-31T00:00:00Z", false);
  ASSERT_THAT(ahead.bad_records, SizeIs(1));
  EXPECT_EQ(ahead.bad_records.front().rule, "future");
  EXPECT_EQ(ahead.bad_records.front().id, "a");
  EXPECT_THAT(read("2026-03-02T00:00:01Z", false).bad_records, SizeIs(1));
  EXPECT_THAT(read("2026-03-02T00:00:00Z", false).records, SizeIs(1)) << "clocks differ";
  const auto published = read("2030-01-01T00:00:00Z", true);
  ASSERT_THAT(published.records, SizeIs(1));
  EXPECT_EQ(published.records.front().version.updated_at, kNow) << "the later look wins";
  EXPECT_EQ(FormatRfc3339(published.records.front().date()), "2030-01-01T00:00:00Z");
}

TEST(PageReader, ALoneRecordWithADateFarAheadIsJudgedAlike) {
  const auto reader = PageReader::Compile(JsonSpec({})).value();
  const std::string bytes = R"({"id":"a","at":"9999-12-31T00:00:00Z"})";
  EXPECT_THAT(reader.ReadRecord({bytes, kNow})->bad_records, SizeIs(1));
  const auto approved = reader.ReadRecord({bytes, kNow, true});
  ASSERT_THAT(approved->records, SizeIs(1));
  EXPECT_EQ(approved->records.front().version.updated_at, kNow) << "it freezes nothing";
}

TEST(PageReader, TheFirstErrorRuleThatMatchesDecides) {
  auto spec = JsonSpec({});
  spec.errors = {
      {.statuses = {{500, 599}},
       .header = "X-Kind",
       .header_matches = "^never$",
       .action = domain::ErrorAction::kStop},
      {.text = "busy", .action = domain::ErrorAction::kRetry},
      {.statuses = {{200, 200}}, .body = "$.error", .action = domain::ErrorAction::kEmpty}};
  EXPECT_EQ(Read(spec, "busy!", 503).rule->action, domain::ErrorAction::kRetry);
  EXPECT_EQ(Read(spec, R"({"error":"none"})").rule->action, domain::ErrorAction::kEmpty);
  EXPECT_FALSE(Read(spec, R"({"items":[]})").rule);
}

TEST(PageReader, ASnapshotWithAPathThatIsNoneCannotBeCompiled) {
  auto spec = JsonSpec({});
  spec.response.items = "$.items[";
  EXPECT_FALSE(PageReader::Compile(spec));
  spec = JsonSpec({});
  spec.details = domain::DetailSpec{.response = {.items = "$.items", .id = {"$.["}}};
  EXPECT_FALSE(PageReader::Compile(spec)) << "of the second phase";
}

TEST(NextLink, IsTheOneWhoseRelationIsNext) {
  EXPECT_EQ(
      NextLink(R"(<https://x/1>; rel="prev", <https://x/3,a>; title="a, b"; rel="next last")"),
      "https://x/3,a");
  EXPECT_EQ(NextLink("<https://x/2>; rel=next"), "https://x/2");
  EXPECT_EQ(NextLink("<https://x/2>; REL=\"NEXT\""), "https://x/2") << "by RFC 8288";
  EXPECT_EQ(NextLink(R"(<https://x/2>; rel="first")"), std::nullopt);
  EXPECT_EQ(NextLink("nonsense"), std::nullopt);
}

}  // namespace patra::page_reader_test
