#include "domain/spec/spec_snapshot.h"

#include <gtest/gtest.h>

#include "base/canonical_json.h"

namespace patra::domain::spec_snapshot_test {

using namespace std::chrono_literals;

// Something other than the default in every part.
SpecSnapshot Example() {
  return {.provenance = "demo",
          .endpoint = "items",
          .params = {{"set", "a"}},
          .http = {.method = HttpMethod::kPost,
                   .base_url = "https://example.org",
                   .path = "/items",
                   .query = {{"page", "${page.number}"}},
                   .next_query = NamedTexts{{"token", "${page.token}"}},
                   .json_body = Value::Object{{"from", "${window.from}"}},
                   .hosts = {"cdn.example.org"}},
          .auth = {.type = AuthType::kApiKey,
                   .location = AuthLocation::kQuery,
                   .name = "api_key",
                   .credentials = {"env:KEY"}},
          .paging = {.style = PagingStyle::kToken,
                     .by = PagedBy::kSnapshot,
                     .size = 50,
                     .first_token = "*",
                     .next = "$.next",
                     .replayable = false,
                     .token_lifetime = 5min,
                     .ends = {WalkEnd::kShortPage},
                     .split_by = {{.name = "created", .kind = SplitKind::kDate}}},
          .window = {.start = Instant(Duration(7)),
                     .safety_lag = 5s,
                     .granularity = Granularity::kDay,
                     .ends = WindowEnds::kInclusive,
                     .outside_max = 0.5},
          .details = DetailSpec{.endpoint = "detail", .response = {.format = ResponseFormat::kXml}},
          .response = {.items = "$.items",
                       .one_record = true,
                       .id = {"$.id"},
                       .updated = "$.updated",
                       .updated_may_lie_ahead = true,
                       .total_on_first_page = true},
          .fields = {{.name = "title", .path = "$.title", .required = true, .one_of = {"a"}}},
          .limits = {{.rate = RateSpec{.requests = 3, .per = 1s}, .quotas = {{100, 24h}}}},
          .retry = {.statuses = {{500, 599}}, .retry_after_cap = 1h},
          .errors = {{.statuses = {{404, 404}}, .action = ErrorAction::kRestartSlice}},
          .expr = {.fields = {{.field = "title", .render = "ti:${value}"}}}};
}

TEST(SpecSnapshot, ReadsBackWhatItWrote) {
  const auto text = CanonicalJson(Example().ToValue());
  const auto read = SpecSnapshot::FromValue(*ParseJson(text));
  ASSERT_TRUE(read) << read.error().Describe();
  EXPECT_EQ(*read, Example());
  EXPECT_EQ(CanonicalJson(read->ToValue()), text);
}

// Plans that exist are found, and records told apart, by the hashes of their snapshots.
TEST(SpecFingerprint, OfASnapshotThatUsesNothingNewStaysAsItWas) {
  EXPECT_EQ(SpecFingerprint(Example()),
            "3e9ae1284b21c17553b8720c9cd27c46a1777d099adee3ef3ad8acb48fdd679e");
  EXPECT_EQ(ExprPrototypeHash(Example()),
            "6523151dd29d9d1b0e3c4c08f6bb5999df957cac59d2a3d271d17586da0619a3");
}

TEST(SpecSnapshot, NamesThePartThatIsMissingOrOfAnotherType) {
  auto value = Example().ToValue();
  value["window"]["width"] = 3;
  EXPECT_EQ(SpecSnapshot::FromValue(value).error().message,
            "the snapshot's 'width' is not a duration");
  value = Example().ToValue();
  value.AsObject()->erase("response");
  EXPECT_EQ(SpecSnapshot::FromValue(value).error().message,
            "the snapshot's 'response' is not an object");
  value = Example().ToValue();
  value["pagination"]["type"] = "SCROLL";
  EXPECT_EQ(SpecSnapshot::FromValue(value).error().message,
            "the snapshot's 'type' is not one of its codes");
}

TEST(SpecSnapshot, LeavesASnapshotOfANewerPatraAlone) {
  auto value = Example().ToValue();
  value["format"] = 99;
  EXPECT_EQ(SpecSnapshot::FromValue(value).error().code, ErrorCode::kUnavailable);
}

SpecSnapshot WithInclusiveEnd(const std::string& upper_end) {
  auto spec = Example();
  spec.http.query = {{"until", upper_end}};
  return spec;
}

TEST(SpecSnapshot, OneWithHooksIsOfAFormatThatOlderReadersRefuse) {
  SpecSnapshot spec{.provenance = "demo", .endpoint = "items"};
  EXPECT_EQ(spec.ToValue()["format"], Value(2));
  EXPECT_EQ(spec.ToValue().Find("hooks"), nullptr) << "hashes of those without stay";
  spec.hooks = HookSpec{.request = "plain-separators", .paging = "after-last-id"};
  EXPECT_EQ(spec.ToValue()["format"], Value(4));
  EXPECT_EQ(*SpecSnapshot::FromValue(spec.ToValue()), spec);
  spec.hooks.reset();
  spec.details = DetailSpec{.hooks = HookSpec{.response = "jsonp"}};
  EXPECT_EQ(spec.ToValue()["format"], Value(4));
  EXPECT_EQ(*SpecSnapshot::FromValue(spec.ToValue()), spec);
}

TEST(SpecSnapshot, OneInWhichEndsActIsOfAFormatOfItsOwn) {
  EXPECT_EQ(WithInclusiveEnd("${window.last}").ToValue()["format"], Value(2));
  EXPECT_EQ(WithInclusiveEnd("${window.to}").ToValue()["format"], Value(3));
  EXPECT_EQ(SpecSnapshot::FromValue(WithInclusiveEnd("${window.to}").ToValue())->window.ends,
            WindowEnds::kInclusive);
}

TEST(SpecSnapshot, AnOlderOneKeepsTheEndThatItsRequestsHad) {
  auto older = WithInclusiveEnd("${window.to}").ToValue();
  older["format"] = 2;
  EXPECT_EQ(SpecSnapshot::FromValue(older)->window.ends, WindowEnds::kExclusive);
}

TEST(SpecFingerprint, ChangesWithAnything) {
  auto faster = Example();
  faster.limits.front().rate->requests = 4;
  EXPECT_NE(SpecFingerprint(faster), SpecFingerprint(Example()));
}

TEST(ExprPrototype, ChangesWithWhatYieldsRecordsAndNotWithHowFast) {
  auto faster = Example();
  faster.limits.front().rate->requests = 4;
  faster.retry.attempts_max = 9;
  faster.http.read_timeout = 1s;
  EXPECT_EQ(ExprPrototypeHash(faster), ExprPrototypeHash(Example()));
  auto other = Example();
  other.fields.front().path = "$.titles[0]";
  EXPECT_NE(ExprPrototypeHash(other), ExprPrototypeHash(Example()));
}

TEST(ExprPrototype, IsTheSameForEveryQueryAndEveryWayOfCuttingTime) {
  auto other = Example();
  other.query = "cancer";
  other.window.width = std::chrono::hours(7);
  other.window.safety_lag = std::chrono::hours(7);
  EXPECT_EQ(ExprPrototypeHash(other), ExprPrototypeHash(Example()));
  EXPECT_NE(SpecFingerprint(other), SpecFingerprint(Example()));
}

TEST(SpecSnapshot, TheBreakerOpensAfterThreeFailuresInARowByDefault) {
  EXPECT_EQ(RetrySpec{}.circuit_failures_max, 3);
}

}  // namespace patra::domain::spec_snapshot_test
