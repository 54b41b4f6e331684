// Deciding about quarantined records, with the store and the reader that patra uses.
#include "app/quarantine/decide_quarantine.h"

#include <gmock/gmock.h>

#include "domain/page/page_reader.h"
#include "tests/infra/sqlite/sqlite_backend.h"

namespace patra::decide_quarantine_test {

using app::QuarantineStatus;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class DecideQuarantineTest : public testing::LedgerTest {
 protected:
  Id Quarantine(domain::BadRecord record, int hour = 0) {
    Planned(hour, hour + 1);
    const auto task = Claim(1).front();
    const auto run = ports_->runs().Open(task, kFirstPage);
    auto batch = BatchOf(task, *run, {});
    batch.bad_records = {std::move(record)};
    EXPECT_TRUE(ports_->runs().Commit(batch));
    return ports_->quarantine().List({}, 0, 1)->front().id;
  }

  domain::BadRecord WithoutTitle() {
    return {.id = "a",
            .path = "$.title",
            .rule = "required",
            .reason = "'title' is missing",
            .bytes = R"({"id":"a","at":"2026-01-01T05:00:00Z","name":"N","year":"never"})"};
  }

  app::DecideQuarantine Decide() {
    return {ports_->quarantine(), sources_,
            [this](const domain::Lane& lane) -> Result<domain::SpecSnapshot> {
              auto spec = spec_;
              if (lane.operation != domain::Operation::kUpdate) spec.details.reset();
              return spec;
            }};
  }

  std::int64_t Items(const std::string& where) {
    return ports_->Count("SELECT count(*) FROM ing_item WHERE " + where);
  }

  app::CompiledSources sources_;
  domain::SpecSnapshot spec_{
      .response = {.items = "$.items", .id = {"$.id"}, .updated = "$.at"},
      .fields = {{.name = "title", .path = "$.title", .required = true},
                 {.name = "name", .path = "$.name"},
                 {.name = "year", .path = "$.year", .type = domain::FieldType::kInteger}}};
  const app::Decision kAnna{{"anna"}, "because"};
};
INSTANTIATE_TEST_SUITE_P(OnSqlite, DecideQuarantineTest, ::testing::Values(testing::kSqlite),
                         [](const auto&) { return "Sqlite"; });

TEST_P(DecideQuarantineTest, ApprovingMapsWhatCanBeMapped) {
  const auto id = Quarantine(WithoutTitle());
  const auto done = Decide().Approve({.id = id}, kAnna);
  ASSERT_TRUE(done) << done.error().Describe();
  EXPECT_EQ(done->outcome, domain::Overwrite::kInsert);
  EXPECT_EQ(Items(R"(provider_item_id = 'a' AND fields = '{"name":"N"}')"), 1);
  EXPECT_FALSE(Decide().Approve({.id = id}, kAnna)->is_new);
}

TEST_P(DecideQuarantineTest, ApprovingTakesIdAndFieldsAsGiven) {
  const auto id = Quarantine({.path = "$", .rule = "json", .reason = "cut", .bytes = "{\"id\":"});
  const auto bare = Decide().Approve({.id = id}, kAnna);
  ASSERT_FALSE(bare);
  EXPECT_THAT(bare.error().hint, HasSubstr("‹wish.fields FILE›"));
  const auto nameless = Decide().Approve({.id = id, .fields = R"({"title":"T"})"}, kAnna);
  ASSERT_FALSE(nameless);
  EXPECT_THAT(nameless.error().hint, HasSubstr("‹wish.id ID›"));
  EXPECT_FALSE(Decide().Approve({.id = id, .item_id = "x", .fields = "[1]"}, kAnna));
  ASSERT_TRUE(Decide().Approve({.id = id, .item_id = "x", .fields = R"({ "title": "T" })"}, kAnna));
  EXPECT_EQ(Items(R"(provider_item_id = 'x' AND fields = '{"title":"T"}')"), 1);
}

TEST_P(DecideQuarantineTest, RetryingTakesInWhatTheCorrectedDefinitionCanMap) {
  const auto id = Quarantine(WithoutTitle());
  const auto still_bad = Decide().Retry(id, kAnna);
  ASSERT_FALSE(still_bad);
  EXPECT_THAT(still_bad.error().message, HasSubstr("$.title"));
  EXPECT_THAT(*ports_->quarantine().List({}, 0, 10), SizeIs(1)) << "it stays open";
  spec_.fields = {{.name = "title", .path = "$.name", .required = true}};
  ASSERT_TRUE(Decide().Retry(id, kAnna));
  EXPECT_EQ(Items(R"(fields = '{"title":"N"}')"), 1);
  EXPECT_THAT(*ports_->quarantine().List({.status = QuarantineStatus::kRetried}, 0, 10), SizeIs(1));
}

TEST_P(DecideQuarantineTest, RetryingHasTheRecordFetchedWhereTheSourceGivesDetails) {
  const auto id = Quarantine(WithoutTitle());
  spec_.details.emplace();
  const auto done = Decide().Retry(id, kAnna);
  ASSERT_TRUE(done) << done.error().Describe();
  EXPECT_TRUE(done->is_signalled);
}

// From isolation to the main table, or to UPDATE, without anybody looking at a record.
TEST_P(DecideQuarantineTest, WhatIsIsolatedIsDecidedByTheCorrectedDefinition) {
  const auto mapped = Quarantine(WithoutTitle());
  auto nameless = WithoutTitle();
  nameless.id = "b";
  nameless.bytes = R"({"id":"b","at":"2026-01-01T05:00:00Z"})";
  const auto fetched = Quarantine(nameless, 1);
  const auto open = ports_->quarantine().List({}, 0, 10);
  ASSERT_THAT(*open, SizeIs(2));
  for (const auto& entry : *open) EXPECT_NE(entry.lineage.batch, 0) << "it is known where from";
  spec_.fields = {{.name = "title", .path = "$.name", .required = true}};
  spec_.details.emplace();
  EXPECT_FALSE(Decide().Retry(mapped, kAnna)->is_signalled);
  EXPECT_EQ(Items(R"(provider_item_id = 'a' AND fields = '{"title":"N"}')"), 1);
  EXPECT_TRUE(Decide().Retry(fetched, kAnna)->is_signalled);
  EXPECT_EQ(Items("provider_item_id = 'b'"), 0);
  EXPECT_THAT(*ports_->quarantine().List({}, 0, 10), SizeIs(0));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit WHERE object_type = 'QUARANTINE' AND "
                          "actor = 'anna'"),
            2);
}

TEST_P(DecideQuarantineTest, XmlRecordsKeepTheirMarkupAndNamespaces) {
  spec_ = {.response = {.format = domain::ResponseFormat::kXml,
                        .items = "//o:record",
                        .id = {"o:id"},
                        .namespaces = {{"o", "urn:o"}}},
           .fields = {{.name = "title", .path = "o:title", .required = true}}};
  const auto page = sources_.Of(spec_).value()->reader().Read(
      {.status = 200,
       .body =
           R"(<x:list xmlns:x="urn:o"><x:record><x:id>7</x:id><x:n>N</x:n></x:record></x:list>)",
       .received_at = clock_.Now()});
  ASSERT_TRUE(page) << page.error().Describe();
  ASSERT_THAT(page->bad_records, SizeIs(1));
  EXPECT_EQ(page->bad_records[0].id, "7");
  const auto id = Quarantine(page->bad_records[0]);
  spec_.fields[0].path = "o:n";
  const auto done = Decide().Retry(id, kAnna);
  ASSERT_TRUE(done) << done.error().Describe();
  EXPECT_EQ(Items(R"(provider_item_id = '7' AND fields = '{"title":"N"}')"), 1);
}

}  // namespace patra::decide_quarantine_test
