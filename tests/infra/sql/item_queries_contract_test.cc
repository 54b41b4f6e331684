// What every store must answer about its records.
#include "base/canonical_json.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra::item_queries_contract_test {

using contract::ItemFilter;
using contract::Tombstones;
using testing::kHour;
using testing::kStart;

class ItemQueriesContract : public testing::LedgerTest {
 protected:
  contract::ItemQueries& items() { return ports_->read().items(); }

  void Store(const std::string& source, std::vector<domain::Record> records,
             std::vector<domain::BadRecord> bad = {}) {
    const auto plan = Planned(hour_, hour_ + 1, source);
    ++hour_;
    const auto task = Claim(1).at(0);
    const auto run = *ports_->runs().Open(task, kFirstPage);
    auto batch = BatchOf(task, run, std::move(records));
    batch.bad_records = std::move(bad);
    std::string page;
    for (const auto& record : batch.records) page += "{\"id\":\"" + record.id + "\"},";
    batch.raw_page = app::RawPage{"application/json", page, clock_.Now()};
    ASSERT_TRUE(ports_->runs().Commit(batch));
    ASSERT_TRUE(ports_->runs().Close({.task = task, .lineage = run.lineage}));
    last_batch_ = run.lineage.batch;
  }

  domain::Record Deleted(const std::string& id, Instant at) {
    auto record = RecordOf(id, at);
    record.version.deleted = true;
    return record;
  }

  // Every record in pages of that size.
  std::vector<std::string> Walk(const ItemFilter& filter, int page_size) {
    std::vector<std::string> ids;
    std::optional<contract::ItemPlace> after;
    do {
      const auto page = items().Page(filter, after, page_size);
      EXPECT_TRUE(page) << page.error().Describe();
      if (!page) break;
      EXPECT_LE(page->items.size(), static_cast<std::size_t>(page_size));
      for (const auto& item : page->items) ids.push_back(item.source + ":" + item.id);
      after = page->next;
    } while (after);
    return ids;
  }

  int hour_ = 0;
  Id last_batch_ = 0;
};
RUN_ON_EVERY_LEDGER(ItemQueriesContract);

TEST_P(ItemQueriesContract, PagesOfAnySizeYieldTheSameRecordsOnceInOneOrder) {
  Store("demo", {RecordOf("b", kStart), RecordOf("a", kStart + kHour), RecordOf("ä", kStart),
                 RecordOf("B", kStart), RecordOf("10", kStart), Deleted("gone", kStart)});
  Store("other", {RecordOf("a", kStart + 2 * kHour)});
  const std::vector<std::string> expected{"demo:10", "demo:B", "demo:a",
                                          "demo:b",  "demo:ä", "other:a"};
  for (const int size : {1, 2, 3, 5, 6, 100}) EXPECT_EQ(Walk({}, size), expected) << size;
  EXPECT_EQ(Walk({.source = "other"}, 2), std::vector<std::string>{"other:a"});
  EXPECT_TRUE(Walk({.source = "nobody"}, 2).empty());
}

TEST_P(ItemQueriesContract, WithTimesTheOrderIsThatOfTheUpdates) {
  Store("demo",
        {RecordOf("d", kStart), RecordOf("c", kStart + kHour), RecordOf("b", kStart + kHour),
         RecordOf("a", kStart + 2 * kHour), RecordOf("z", kStart + 3 * kHour)});
  const ItemFilter filter{.updated_from = kStart + kHour, .updated_to = kStart + 3 * kHour};
  const std::vector<std::string> expected{"demo:c", "demo:b", "demo:a"};
  for (const int size : {1, 2, 3, 100}) EXPECT_EQ(Walk(filter, size), expected) << size;
  EXPECT_EQ(Walk({.updated_to = kStart + kHour}, 2), std::vector<std::string>{"demo:d"});
}

TEST_P(ItemQueriesContract, APrefixIsTakenLiterally) {
  Store("demo", {RecordOf("10.1/a", kStart), RecordOf("10.1/b", kStart),
                 RecordOf("10.11/a", kStart), RecordOf("1", kStart), RecordOf("10%", kStart)});
  EXPECT_EQ(Walk({.id_prefix = "10.1/"}, 1),
            (std::vector<std::string>{"demo:10.1/a", "demo:10.1/b"}));
  EXPECT_EQ(Walk({.id_prefix = "10%"}, 9), std::vector<std::string>{"demo:10%"});
}

TEST_P(ItemQueriesContract, TombstonesComeOnRequest) {
  Store("demo", {RecordOf("a", kStart), Deleted("b", kStart)});
  EXPECT_EQ(Walk({}, 9), std::vector<std::string>{"demo:a"});
  EXPECT_EQ(Walk({.tombstones = Tombstones::kInclude}, 9).size(), 2u);
  EXPECT_EQ(Walk({.tombstones = Tombstones::kOnly}, 9), std::vector<std::string>{"demo:b"});
  const auto found = *items().Find("demo", "items", "b");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].deleted_at, kStart);
}

TEST_P(ItemQueriesContract, TheNewestComeFirst) {
  Store("demo", {RecordOf("a", kStart), RecordOf("b", kStart + 2 * kHour)});
  Store("other", {RecordOf("c", kStart + kHour)});
  const auto newest = *items().Newest({}, 2);
  ASSERT_EQ(newest.size(), 2u);
  EXPECT_EQ(newest[0].id, "b");
  EXPECT_EQ(newest[1].id, "c");
}

TEST_P(ItemQueriesContract, ARecordIsFoundInEverySourceThatHasIt) {
  Store("demo", {RecordOf("a", kStart, "first")});
  Store("other", {RecordOf("a", kStart, "second")});
  EXPECT_EQ(items().Find("", "", "a")->size(), 2u);
  const auto found = *items().Find("other", "", "a");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].fields, R"({"title":"second"})");
  EXPECT_EQ(found[0].batch, last_batch_);
  EXPECT_TRUE(items().Find("", "", "A")->empty()) << "ids are bytes";
}

TEST_P(ItemQueriesContract, EveryPageThatNamesARecordIsFoundAndTheFirstIsKnown) {
  Store("demo", {RecordOf("10.1/a", kStart), RecordOf("z", kStart)});
  const auto first = last_batch_;
  clock_.Advance(kHour);
  Store("demo", {RecordOf("10.1/ab", kStart)});
  Store("other", {RecordOf("10.1/a", kStart)});
  clock_.Advance(kHour);
  Store("demo", {RecordOf("10.1/a", kStart + kHour, "new")});
  const auto item = items().Find("demo", "items", "10.1/a")->at(0);
  EXPECT_EQ(item.batch, last_batch_);
  EXPECT_EQ(*items().FirstBatch(item), first);
  EXPECT_EQ(*items().PagesWith(item, 100), (std::vector{last_batch_, first}));
  EXPECT_EQ(*items().PagesWith(item, 1), std::vector{last_batch_});
}

TEST_P(ItemQueriesContract, WhatWasWrongWithARecordIsRemembered) {
  Store("demo", {},
        {{.id = "a", .path = "$.title", .rule = "required", .reason = "no", .bytes = "{}"}});
  const auto bad = *items().Quarantined("demo", "items", "a", 10);
  ASSERT_EQ(bad.size(), 1u);
  EXPECT_EQ(bad[0].rule, "required");
  EXPECT_EQ(bad[0].status, "OPEN");
  EXPECT_EQ(bad[0].batch, last_batch_);
}

class ItemViewsContract : public ItemQueriesContract {
 protected:
  static domain::SpecSnapshot Spec(const std::string& source = "demo",
                                   const std::string& endpoint = "items") {
    using enum domain::FieldType;
    return {.provenance = source,
            .endpoint = endpoint,
            .fields = {{.name = "title", .path = "$.title", .type = kText},
                       {.name = "year", .path = "$.year", .type = kInteger},
                       {.name = "score", .path = "$.score", .type = kNumber},
                       {.name = "seen", .path = "$.seen", .type = kInstant},
                       {.name = "batch_id", .path = "$.b"},
                       {.name = "it's \"odd\"", .path = "$.o"},
                       {.name = "it's odd", .path = "$.p"}}};
  }

  domain::Record Mapped(const std::string& id, const Value& fields) {
    auto record = RecordOf(id, kStart);
    record.fields = CanonicalJson(fields);
    return record;
  }
};
RUN_ON_EVERY_LEDGER(ItemViewsContract);

TEST_P(ItemViewsContract, FieldsAreTypedColumns) {
  Store("demo", {Mapped("a", Value::Object{{"title", "t"},
                                           {"year", 1999},
                                           {"score", 2},
                                           {"seen", "2026-01-01T00:00:00Z"},
                                           {"batch_id", "mine"},
                                           {"it's odd", "odd"}}),
                 Mapped("b", Value::Object{}), Deleted("c", kStart)});
  EXPECT_EQ(ports_->item_views().RefreshItemView(Spec()), "v_demo_items");
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM v_demo_items"), 2) << "tombstones are left out";
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM v_demo_items WHERE item_id = 'a' AND title = 't'"
                          " AND year = 1999 AND score = 2.0 AND seen = '2026-01-01T00:00:00Z'"
                          " AND field_batch_id = 'mine' AND \"it's odd\" = 'odd'"
                          " AND updated_at = '2026-01-01T00:00:00.000Z'"),
            1);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM v_demo_items WHERE item_id = 'b' AND title IS NULL"
                          " AND year IS NULL AND batch_id = " +
                          std::to_string(last_batch_)),
            1);
}

TEST_P(ItemViewsContract, AChangedMappingChangesTheView) {
  ASSERT_TRUE(ports_->item_views().RefreshItemView(Spec()));
  auto changed = Spec();
  changed.fields = {{.name = "venue", .path = "$.venue"}};
  EXPECT_EQ(ports_->item_views().RefreshItemView(changed), "v_demo_items");
  EXPECT_EQ(ports_->Count("SELECT count(venue) FROM v_demo_items"), 0);
  EXPECT_EQ(ports_->Count("SELECT count(title) FROM v_demo_items"), -1) << "is gone";
}

TEST_P(ItemViewsContract, NamesAreMadeSafeAndNeverTakeAnothersPlace) {
  EXPECT_EQ(ports_->item_views().RefreshItemView(Spec("a-b", "c")), "v_a_b_c");
  const auto second = ports_->item_views().RefreshItemView(Spec("a", "b_c"));
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->starts_with("v_a_b_c_")) << *second;
  const auto ledger = ports_->item_views().RefreshItemView(Spec("ing", "plan"));
  ASSERT_TRUE(ledger);
  EXPECT_TRUE(ledger->starts_with("v_ing_plan_")) << *ledger;
  EXPECT_EQ(ports_->Count("SELECT count(plan_key) FROM v_ing_plan"), 0);
  const auto hostile =
      ports_->item_views().RefreshItemView(Spec("x'; DROP TABLE ing_item; --", "*/"));
  EXPECT_TRUE(hostile) << hostile.error().Describe();
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item"), 0);
}

TEST_P(ItemViewsContract, StoringAPlanMakesTheView) {
  auto plan = Draft(50, 51);
  plan.snapshot = CanonicalJson(Spec().ToValue());
  ASSERT_TRUE(ports_->plans().AddIfAbsent(plan));
  EXPECT_EQ(ports_->Count("SELECT count(title) FROM v_demo_items"), 0);
  Store("demo", {RecordOf("a", kStart)});
  EXPECT_EQ(ports_->Count("SELECT count(title) FROM v_demo_items"), 1);
}

TEST_P(ItemViewsContract, FieldsAreThoseOfTheNewestPlanWithTheirKinds) {
  using enum contract::FieldKind;
  Store("demo", {RecordOf("a", kStart)});
  EXPECT_TRUE(items().Fields({})->empty()) << "a snapshot that cannot be read has none";
  clock_.Advance(kHour);
  auto plan = Draft(8, 9);
  auto spec = Spec();
  spec.fields.push_back(
      {.name = "names", .path = "$.n", .type = domain::FieldType::kText, .many = true});
  plan.snapshot = CanonicalJson(spec.ToValue());
  ASSERT_TRUE(ports_->plans().AddIfAbsent(plan));
  const auto fields = *items().Fields({});
  ASSERT_EQ(fields.size(), 8u);
  EXPECT_EQ(fields[0], (contract::ItemField{"title", kText}));
  EXPECT_EQ(fields[1], (contract::ItemField{"year", kInteger}));
  EXPECT_EQ(fields[3], (contract::ItemField{"seen", kInstant}));
  EXPECT_EQ(fields[4], (contract::ItemField{"batch_id", kAny}));
  EXPECT_EQ(fields[7], (contract::ItemField{"names", kList}));
}

}  // namespace patra::item_queries_contract_test
