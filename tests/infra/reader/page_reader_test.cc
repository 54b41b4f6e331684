#include "infra/reader/page_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "infra/reader/link_header.h"

namespace patra::infra::reader {
namespace {

using domain::FieldSpec;
using domain::FieldType;
using domain::SpecSnapshot;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 3 / 1}};

SpecSnapshot JsonSpec(std::vector<FieldSpec> fields) {
  return {.response = {.items = "$.items", .id = {"$.id"}, .updated = "$.at", .total = "$.total"},
          .fields = std::move(fields)};
}

app::PageContent Read(const SpecSnapshot& spec, std::string body, int status = 200) {
  PageReader reader;
  auto content =
      reader.Read(spec, {.status = status, .body = std::move(body), .received_at = kNow});
  EXPECT_TRUE(content) << content.error().Describe();
  return content ? *std::move(content) : app::PageContent{};
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
  PageReader reader;
  const auto content = reader.Read(JsonSpec({}), {.status = 200, .body = R"({"message":"hello"})"});
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code, ErrorCode::kCorruption);
}

TEST(PageReader, AStatusThatNobodyForesawIsAnError) {
  PageReader reader;
  const auto content = reader.Read(JsonSpec({}), {.status = 502, .body = "<html>"});
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code, ErrorCode::kUnavailable);
}

TEST(PageReader, AnEnvelopeThatIsMissingIsNoEmptyPage) {
  SpecSnapshot spec{.response = {.format = domain::ResponseFormat::kXml,
                                 .items = "/list/record",
                                 .envelope = "/list",
                                 .id = {"id"}}};
  EXPECT_THAT(Read(spec, "<list/>").records, IsEmpty());
  PageReader reader;
  EXPECT_FALSE(reader.Read(spec, {.status = 200, .body = "<other/>"}));
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

TEST(NextLink, IsTheOneWhoseRelationIsNext) {
  EXPECT_EQ(
      NextLink(R"(<https://x/1>; rel="prev", <https://x/3,a>; title="a, b"; rel="next last")"),
      "https://x/3,a");
  EXPECT_EQ(NextLink("<https://x/2>; rel=next"), "https://x/2");
  EXPECT_EQ(NextLink(R"(<https://x/2>; rel="first")"), std::nullopt);
  EXPECT_EQ(NextLink("nonsense"), std::nullopt);
}

}  // namespace
}  // namespace patra::infra::reader
