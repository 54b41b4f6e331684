// `gone: tombstone`: a list that every harvest reads whole tells what is gone by what it lacks, and nothing else does.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "boot/engine.h"
#include "tests/loopback_server.h"
#include "tests/raw_database.h"
#include "tests/run_harvest.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::gone_test {

using namespace std::chrono_literals;

const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

class GoneFromTheList : public ::testing::Test {
 protected:
  void SetUp() override {
    auto engine = boot::Engine::Open(
        {.database = stores_.At(folder_.Path("patra.db")), .allow_loopback = true}, clock_);
    ASSERT_TRUE(engine) << engine.error().Describe();
    engine_ = *std::move(engine);
  }

  domain::SpecSnapshot Spec(const std::string& query = "all") {
    domain::SpecSnapshot spec{.provenance = "wiki", .endpoint = "pages"};
    spec.query = query;
    spec.http.base_url = server_.url();
    spec.http.path = "/pages";
    spec.http.query = {{"list", "${query}"}, {"page", "${page.number}"}};
    spec.paging = {.size = 4, .ends = {domain::WalkEnd::kShortPage}};
    spec.order.stable = true;
    spec.window.filter = domain::WindowFilter::kNone;
    spec.window.start = kNow - 24h;
    spec.response = {.items = "$.items", .id = {"$.id"}, .updated = "$.updated"};
    spec.fields = {{.name = "title", .path = "$.title"}};
    spec.limits = {{.rate = domain::RateSpec{.requests = 1000, .per = 1s}}};
    spec.gone = domain::GonePolicy::kTombstone;
    return spec;
  }

  testing::HarvestSummary Harvest(const domain::SpecSnapshot& spec) {
    clock_.Advance(24h);
    const auto summary = testing::Harvest(*engine_, {.spec = spec}, {.workers = 0});
    EXPECT_TRUE(summary) << summary.error().Describe();
    return summary.value_or(testing::HarvestSummary{});
  }
  std::int64_t Gone(const domain::SpecSnapshot& spec) { return Harvest(spec).work.totals.gone; }

  std::int64_t Count(const std::string& sql) {
    return testing::DatabaseOf(engine_->store())
        .Read([&](infra::sql::Session& connection) { return connection.Integer(sql); })
        .value_or(-1);
  }
  std::int64_t Deleted() {
    return Count("SELECT count(*) FROM ing_item WHERE deleted_at IS NOT NULL");
  }

  std::int64_t TimesToldDeleted() {
    auto& store = engine_->store();
    while (store.outbox().NumberChanges(100).value_or(0) > 0) {
    }
    const auto page = store.read().changes().After({}, {}, 1'000);
    EXPECT_TRUE(page);
    return std::ranges::count_if(page->changes, [](const contract::ChangeRow& row) {
      return row.change.kind == contract::ChangeKind::kDeleted;
    });
  }

  static std::vector<std::string> Names(int count) {
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) names.push_back(fmt::format("p{:03}", i));
    return names;
  }

  void Answer(const sim::Request& request, sim::Response& response) {
    const auto parameter = [&](const std::string& name) {
      const auto at = request.target.find(name + "=");
      const auto begin = at + name.size() + 1;
      return request.target.substr(begin, request.target.find('&', begin) - begin);
    };
    const auto page = std::stoull(parameter("page"));
    if (page >= broken_from_) {
      response.status = 500;
      return;
    }
    const auto& names = lists_[parameter("list")];
    std::string items;
    for (auto i = (page - 1) * 4; i < std::min<std::size_t>(page * 4, names.size()); ++i) {
      items += fmt::format(R"({}{{"id":"{}","title":"of {}","updated":"{}-01-01T00:00:00Z"}})",
                           items.empty() ? "" : ",", names[i], names[i], year_);
    }
    response.body = fmt::format(R"({{"items":[{}]}})", items);
  }

  std::map<std::string, std::vector<std::string>> lists_;
  std::size_t broken_from_ = 1'000;
  int year_ = 2020;  // of every record
  VirtualClock clock_{kNow};
  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  testing::LoopbackServer server_{
      [this](const sim::Request& request, sim::Response& response) { Answer(request, response); }};
  std::unique_ptr<boot::Engine> engine_;
};

TEST_F(GoneFromTheList, WhatAProvenWalkLacksHasATombstoneAndComesBackWithTheList) {
  lists_["all"] = {"a", "b", "c", "d", "e", "f"};
  EXPECT_EQ(Gone(Spec()), 0);
  lists_["all"] = {"a", "c", "e", "f"};
  EXPECT_EQ(Gone(Spec()), 2);
  EXPECT_EQ(Deleted(), 2);
  EXPECT_EQ(TimesToldDeleted(), 2);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_item JOIN ing_task_run_batch AS batch ON batch.id = "
                  "ing_item.batch_id WHERE deleted_at IS NOT NULL"),
            2)
      << "the batch that shows it";
  EXPECT_EQ(Gone(Spec()), 0) << "once is enough";
  lists_["all"] = {"a", "b", "c", "e", "f"};
  EXPECT_EQ(Gone(Spec()), 0);
  EXPECT_EQ(Deleted(), 1) << "b is back, in the version that it had";
  lists_["all"] = {"a", "c", "e", "f"};
  EXPECT_EQ(Gone(Spec()), 1);
  EXPECT_EQ(TimesToldDeleted(), 3);
}

TEST_F(GoneFromTheList, AWalkThatIsNotProvenTellsNothing) {
  lists_["all"] = Names(10);
  Harvest(Spec());
  lists_["all"].erase(lists_["all"].begin());
  broken_from_ = 2;
  const auto broken = Harvest(Spec());
  EXPECT_FALSE(broken.complete());
  EXPECT_EQ(Deleted(), 0);
  broken_from_ = 1'000;
  Harvest(Spec());
  EXPECT_EQ(Deleted(), 1);
}

TEST_F(GoneFromTheList, ARecordIsGoneWhenNoListOfAnyQueryNamesIt) {
  lists_["cats"] = {"a", "b"};
  lists_["dogs"] = {"b", "c"};
  Harvest(Spec("cats"));
  Harvest(Spec("dogs"));
  EXPECT_EQ(Gone(Spec("cats")), 0) << "c is none of its records";
  lists_["cats"] = {"a"};
  EXPECT_EQ(Gone(Spec("cats")), 0) << "the other list has it";
  lists_["dogs"] = {"c"};
  EXPECT_EQ(Gone(Spec("dogs")), 1);
  EXPECT_EQ(Deleted(), 1);
}

TEST_F(GoneFromTheList, MoreThanHalfAtOnceWaitForTheNextHarvest) {
  lists_["all"] = Names(30);
  Harvest(Spec());
  lists_["all"] = Names(5);
  EXPECT_EQ(Gone(Spec()), 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_alert WHERE status_code = 'FIRING' AND alert_key LIKE "
                  "'gone/%'"),
            1);
  EXPECT_EQ(Gone(Spec()), 25);
  EXPECT_EQ(Gone(Spec()), 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_alert WHERE status_code = 'FIRING' AND alert_key LIKE "
                  "'gone/%'"),
            0);
}

// Both walks are doubtful, each in its own way.
// A provider whose ids were all made anew, or that answers from another index for a moment.
TEST_F(GoneFromTheList, AListAsLongAsBeforeThatNamesOthersWaitsForTheNextHarvest) {
  const auto all = Spec();
  lists_["all"] = Names(20);
  EXPECT_EQ(Gone(all), 0);
  for (auto& name : lists_["all"]) name = "other-" + name;
  EXPECT_EQ(Gone(all), 0) << "all twenty are missing";
  EXPECT_EQ(Gone(all), 20);
}

TEST_F(GoneFromTheList, WhatIsNamedAgainIsThereAgainHoweverOldItIs) {
  const auto all = Spec();
  lists_["all"] = Names(20);
  EXPECT_EQ(Gone(all), 0);
  lists_["all"] = Names(18);
  EXPECT_EQ(Gone(all), 2);
  lists_["all"] = Names(20);
  year_ = 2019;
  Harvest(all);
  EXPECT_EQ(Deleted(), 0) << "restored from a backup";
}

TEST_F(GoneFromTheList, AListThatIsEmptyConfirmsNothingOfOneThatWasTooShort) {
  lists_["all"] = Names(30);
  Harvest(Spec());
  lists_["all"] = Names(5);
  EXPECT_EQ(Gone(Spec()), 0);
  lists_["all"].clear();
  EXPECT_EQ(Gone(Spec()), 0);
  lists_["all"] = Names(30);
  EXPECT_EQ(Gone(Spec()), 0);
  EXPECT_EQ(Deleted(), 0);
}

TEST_F(GoneFromTheList, ADefinitionThatLearnsToTellKnowsWhatEarlierHarvestsBrought) {
  auto silent = Spec();
  silent.gone.reset();
  lists_["all"] = {"a", "b", "c"};
  Harvest(silent);
  lists_["all"] = {"a", "c"};
  EXPECT_EQ(Gone(silent), 0);
  EXPECT_EQ(Deleted(), 0);
  EXPECT_EQ(Gone(Spec()), 1);
}

}  // namespace patra::gone_test
