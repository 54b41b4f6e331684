// How often the server is asked for the commit of a page of a thousand: a handful of times, whatever became of its records.
#include <gtest/gtest.h>

#include "tests/infra/mysql/mysql_backend.h"

namespace patra::round_trips_test {

constexpr int kRecords = 1000;
// Those of every commit and their preparing, and some for each group that records go in.
constexpr std::int64_t kHandful = 80;

class RoundTrips : public testing::LedgerTest {
 protected:
  app::LeasedTask PlanAndClaim() {
    Planned(0, 1);
    return Claim(1).at(0);
  }

  std::vector<domain::Record> Records(int first, int count, const std::string& title) {
    std::vector<domain::Record> records;
    for (int i = first; i < first + count; ++i)
      records.push_back(RecordOf(fmt::format("item {}", i), now_, title));
    return records;
  }

  app::BatchCommit Next(std::vector<domain::Record> records) {
    now_ += std::chrono::seconds(1);
    auto batch = BatchOf(task_, run_, std::move(records));
    batch.batch_no = batch_no_;
    batch.before = {.page = batch_no_};
    batch.after = app::Position{.page = ++batch_no_};
    return batch;
  }

  // How often the server was asked for it, and what became of its records.
  struct Committed {
    std::int64_t round_trips = 0;
    domain::RecordCounts counts;
  };
  Committed Commit(const app::BatchCommit& batch) {
    const auto before = store().round_trips();
    const auto committed = ports_->runs().Commit(batch);
    EXPECT_TRUE(committed) << committed.error().Describe();
    if (!committed) return {};
    run_.lineage.batch = committed->next_batch;
    return {store().round_trips() - before, committed->counts};
  }

  infra::mysql::Store& store() {
    return dynamic_cast<infra::mysql::Store&>(
        static_cast<testing::MysqlPorts&>(*ports_).database());
  }

  Instant now_ = testing::kStart;
  int batch_no_ = 1;
  app::LeasedTask task_ = PlanAndClaim();
  app::RunOpened run_ = *ports_->runs().Open(task_, kFirstPage);
};

TEST_P(RoundTrips, OfRecordsThatAreNewChangedUnchangedAndMixed) {
  const auto records = Records(0, kRecords, "one");
  const auto inserted = Commit(Next(records));
  EXPECT_EQ(inserted.counts.inserted, kRecords);
  EXPECT_LE(inserted.round_trips, kHandful);

  const auto changed = Commit(Next(Records(0, kRecords, "two")));
  EXPECT_EQ(changed.counts.updated, kRecords);
  EXPECT_LE(changed.round_trips, kHandful);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item WHERE fields LIKE '%two%'"), kRecords);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item"), kRecords);

  const auto unchanged = Commit(Next(Records(0, kRecords, "two")));
  EXPECT_EQ(unchanged.counts.unchanged, kRecords);
  EXPECT_LE(unchanged.round_trips, kHandful);

  auto mixed = Records(0, kRecords / 2, "two");
  for (auto& record : Records(kRecords / 2, kRecords, "three")) mixed.push_back(std::move(record));
  const auto both = Commit(Next(mixed));
  EXPECT_EQ(both.counts.unchanged, kRecords / 2);
  EXPECT_EQ(both.counts.updated, kRecords / 2);
  EXPECT_EQ(both.counts.inserted, kRecords / 2);
  EXPECT_LE(both.round_trips, kHandful);
}

TEST_P(RoundTrips, OfRecordsThatAreFoldedWithWhatIsStored) {
  const auto kept =
      std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"title"});
  const auto with_kept = [&](std::vector<domain::Record> records, std::string_view fields) {
    for (auto& record : records) {
      record.kept_fields = kept;
      record.fields = fields;
      record.version.content_hash = Sha256(record.fields);
    }
    return records;
  };
  const auto first = Records(0, kRecords, "");
  Commit(Next(with_kept(Records(0, kRecords, ""), R"({"note":"n"})")));
  // An older version that knows the title.
  const auto filled = Commit(Next(with_kept(first, R"({"title":"t"})")));
  EXPECT_LE(filled.round_trips, kHandful);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item"), kRecords);
}

TEST_P(RoundTrips, OfBadRecordsThatComeAgainAndThenWell) {
  const auto bad = [&](std::string_view bytes) {
    auto batch = Next({});
    for (int i = 0; i < kRecords; ++i) {
      batch.bad_records.push_back({.id = fmt::format("item {}", i),
                                   .path = "$.title",
                                   .rule = "type",
                                   .reason = "no text",
                                   .bytes = fmt::format("{} {}", bytes, i)});
    }
    return batch;
  };
  const auto met = Commit(bad("broken"));
  EXPECT_EQ(met.counts.quarantined, kRecords);
  EXPECT_LE(met.round_trips, 2 * kHandful);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_signal"), kRecords);

  const auto again = Commit(bad("broken"));
  EXPECT_EQ(again.counts.quarantined, kRecords);
  EXPECT_LE(again.round_trips, 2 * kHandful);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_quarantine"), kRecords);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_quarantine_place"), kRecords);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_signal"), kRecords);

  // Another walk, which meets none of them.
  ports_->Execute("UPDATE ing_quarantine_place SET is_current = 0");
  const auto well = Commit(Next(Records(0, kRecords, "well")));
  EXPECT_EQ(well.counts.inserted, kRecords);
  EXPECT_LE(well.round_trips, kHandful);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_quarantine WHERE status_code = 'OPEN'"), 0);
}

TEST_P(RoundTrips, OfIdsThatAreFoundAndAnswered) {
  std::vector<std::string> ids;
  for (int i = 0; i < kRecords; ++i) ids.push_back(fmt::format("item {}", i));
  auto found = Next({});
  found.found_ids = ids;
  found.found_ids.push_back(ids.front());
  found.listed = ids;
  const auto first = Commit(found);
  EXPECT_LE(first.round_trips, kHandful);
  EXPECT_EQ(first.counts.unchanged, 1);  // the one that came twice
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_enumerated_id WHERE status_code = 'FOUND'"),
            kRecords);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_listed_item"), kRecords);

  auto answered = Next(Records(0, kRecords / 2, "one"));
  for (int i = 0; i < kRecords; ++i) {
    if (i < kRecords / 2) {
      answered.answered_ids.push_back(ids[static_cast<std::size_t>(i)]);
    } else {
      answered.bad_ids.push_back({ids[static_cast<std::size_t>(i)], "no details"});
    }
  }
  EXPECT_LE(Commit(answered).round_trips, kHandful);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_enumerated_id WHERE status_code = 'FETCHED' "
                          "AND attempts = 1"),
            kRecords / 2);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_bad_id"), kRecords / 2);
}

TEST_P(RoundTrips, OfTheDefinitionOfOneSourceAmongAHundred) {
  auto& registry = ports_->store().registry();
  const auto definition = [](const std::string& name) {
    auto tree = domain::DefinitionNode::Map();
    tree.Set("source", domain::DefinitionNode::Text(name));
    tree.Set("name", domain::DefinitionNode::Text(name));
    return tree;
  };
  const auto find = [&](const std::string& known) {
    const auto before = store().round_trips();
    EXPECT_TRUE(registry.Find("demo", now_, known));
    return store().round_trips() - before;
  };
  ASSERT_TRUE(registry.Apply({.definitions = {definition("demo")}}, now_));
  find("");  // its statements are prepared
  const auto alone = find("");
  std::vector<domain::DefinitionNode> others;
  for (int i = 0; i < 100; ++i) others.push_back(definition(fmt::format("other-{}", i)));
  ASSERT_TRUE(registry.Apply({.definitions = others}, now_));
  EXPECT_EQ(find(""), alone);
  EXPECT_LE(alone, 6) << "a transaction, the version and all tables at once";
  const auto version = (**registry.Find("demo", now_, "")).version;
  EXPECT_LT(find(version), alone) << "who has it reads nothing";
}

INSTANTIATE_TEST_SUITE_P(OnAServer, RoundTrips, ::testing::Values(testing::kMysql),
                         [](const auto& backend) { return std::string(backend.param.name); });

}  // namespace patra::round_trips_test
