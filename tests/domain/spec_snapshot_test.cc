#include "domain/spec/spec_snapshot.h"

#include <gtest/gtest.h>

#include "base/canonical_json.h"

namespace patra::domain {
namespace {

SpecSnapshot Example() {
  return {.provenance = "demo",
          .endpoint = "items",
          .request = {.base_url = "http://127.0.0.1",
                      .path = "/items",
                      .query = {{"page", "${page.number}"}}},
          .paging = {.size = 50, .first_page = 0, .pages_max = 9},
          .window = {.start = Instant(Duration(7)),
                     .safety_lag = Duration(5),
                     .width = Duration(3),
                     .align = Duration(1),
                     .watermark_key = "updated_at"},
          .response = {.items = "$.items",
                       .id = "$.id",
                       .updated = "$.updated",
                       .total = "$.total",
                       .deleted = "$.deleted"},
          .fields = {{.name = "title", .path = "$.title", .required = true}},
          .rate = {.requests = 3, .per = std::chrono::seconds(1)}};
}

TEST(SpecSnapshot, ReadsBackWhatItWrote) {
  const auto text = CanonicalJson(Example().ToValue());
  const auto read = SpecSnapshot::FromValue(*ParseJson(text));
  ASSERT_TRUE(read) << read.error().Describe();
  EXPECT_EQ(*read, Example());
}

TEST(SpecSnapshot, NamesThePartThatIsMissingOrOfAnotherType) {
  auto value = Example().ToValue();
  value["window"]["width"] = "an hour";
  EXPECT_EQ(SpecSnapshot::FromValue(value).error().message,
            "the snapshot's 'width' is not an integer");
  value = Example().ToValue();
  value.AsObject()->erase("response");
  EXPECT_EQ(SpecSnapshot::FromValue(value).error().message,
            "the snapshot's 'response' is not an object");
}

TEST(SpecSnapshot, LeavesASnapshotOfANewerPatraAlone) {
  auto value = Example().ToValue();
  value["format"] = 99;
  EXPECT_EQ(SpecSnapshot::FromValue(value).error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace patra::domain
