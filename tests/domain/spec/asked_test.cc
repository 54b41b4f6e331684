#include "domain/spec/asked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::domain::asked_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

SpecSnapshot Spec() {
  SpecSnapshot spec{.provenance = "demo", .endpoint = "items"};
  spec.http.path = "/items";
  spec.http.query = {{"type", "a"}, {"page", "${page.number}"}, {"from", "${window.from}"}};
  spec.response.items = "$.items[*]";
  return spec;
}

TEST(Asked, OfWhatDecidesWhichRecordsComeEachDifferenceIsNamed) {
  auto other = Spec();
  other.http.path = "/records";
  other.http.query = {{"page", "${page.number}"}, {"from", "${window.from}"}, {"lang", "de"}};
  other.response.items = "$.items[?@.kept]";
  other.params = {{"set", "x"}};
  EXPECT_THAT(DifferencesOf(AskedBy(Spec()), AskedBy(other)),
              ElementsAre("params.set", "request.path", "request.query.lang", "request.query.type",
                          "response.items"));
}

TEST(Asked, HowPagesAreWalkedAndWhereTheProviderIsMakesNoDifference) {
  auto other = Spec();
  other.http.query[1] = {"offset", "${page.offset}"};
  other.http.base_url = "https://elsewhere.example.org";
  other.http.headers = {{"User-Agent", "b"}};
  other.paging.size = 7;
  EXPECT_THAT(DifferencesOf(AskedBy(Spec()), AskedBy(other)), IsEmpty());
}

TEST(Asked, WhereWindowsEndWhatRecordsAreKnownByAndWhichErrorsAreBelievedMakeADifference) {
  auto other = Spec();
  other.window.ends = WindowEnds::kInclusive;
  other.window.granularity = Granularity::kDay;
  other.window.timezone = "Asia/Shanghai";
  other.response.id = {"$.uuid"};
  other.errors = {{.text = "E17", .action = ErrorAction::kEmpty}};
  EXPECT_THAT(
      DifferencesOf(AskedBy(Spec()), AskedBy(other)),
      ElementsAre("errors", "response.id", "window.ends", "window.granularity", "window.timezone"));
  other = Spec();
  other.errors = {{.text = "E17", .action = ErrorAction::kRetry}};
  EXPECT_THAT(DifferencesOf(AskedBy(Spec()), AskedBy(other)), IsEmpty()) << "it is no answer";
}

TEST(Asked, BodiesAreComparedMemberByMember) {
  auto post = Spec();
  post.http.method = HttpMethod::kPost;
  post.http.json_body = Value::Object{{"q", "cats"}, {"page", "${page.number}"}};
  auto other = post;
  other.http.json_body = Value::Object{{"q", "dogs"}, {"page", "${page.offset}"}};
  EXPECT_THAT(DifferencesOf(AskedBy(post), AskedBy(other)), ElementsAre("request.json.q"));
}

TEST(Asked, IsTheSameAfterItWasWrittenDown) {
  EXPECT_EQ(AskedFrom(*ParseJson(PrintJson(ToValue(AskedBy(Spec()))))), AskedBy(Spec()));
}

}  // namespace patra::domain::asked_test
