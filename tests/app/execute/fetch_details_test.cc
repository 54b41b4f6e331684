#include "app/execute/fetch_details.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/execute/execute_fixture.h"

namespace patra::testing::fetch_details_test {

using namespace std::chrono_literals;
using app::NoPage;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> AskedIn(const app::HttpRequest& request) {
  std::vector<std::string> ids;
  const auto text = ParameterOf(request, "ids");
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('-', begin), text.size());
    ids.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return ids;
}

class FetchingDetails : public ExecuteRoom {
 protected:
  FetchingDetails() {
    spec_.details = domain::DetailSpec{.endpoint = "details",
                                       .id_batch_size = 4,
                                       .http = {.base_url = "https://api.example.org",
                                                .path = "/details",
                                                .query = {{"ids", "${ids | join('-')}"}}},
                                       .response = spec_.response,
                                       .fields = spec_.fields};
    ids_.open = {"a", "b", "c", "d"};
    Serve([this](const app::HttpRequest& request) {
      const auto ids = AskedIn(request);
      asked_.push_back(ParameterOf(request, "ids"));
      const auto is_in = [&](const std::set<std::string>& some) {
        return std::ranges::any_of(ids, [&](const auto& id) { return some.contains(id); });
      };
      if (is_down_) return Refusal(503);
      if (is_in(refused_)) return Refusal(400);
      std::vector<std::string> given;
      for (const auto& id : ids) {
        if (!lacking_.contains(id)) given.push_back(id);
      }
      return PageOf(given);
    });
  }

  app::BrokenOff Fetch() {
    auto& run = Open();
    run.position = {.is_detail = true};
    const auto broken = fetch_details_.Run(run);
    EXPECT_TRUE(broken);
    return *broken;
  }
  std::vector<std::string> BadIds() const {
    std::vector<std::string> bad;
    for (const auto& batch : runs_.commits) {
      for (const auto& id : batch.bad_ids) bad.push_back(id.id);
    }
    return bad;
  }
  void OpenIds(int count) {
    ids_.open.clear();
    for (int i = 0; i < count; ++i) ids_.open.insert(fmt::format("id{:02}", i));
  }

  bool is_down_ = false;
  std::set<std::string> refused_;  // a request for one of these is refused as a whole
  std::set<std::string> lacking_;  // left out of the answer
  std::vector<std::string> asked_;
};

TEST_F(FetchingDetails, MissingIdsAreAskedForAloneAndThenListedAsBad) {
  lacking_ = {"b"};
  EXPECT_EQ(Fetch(), std::nullopt);
  EXPECT_THAT(asked_, ElementsAre("a-b-c-d", "b"));
  ASSERT_THAT(runs_.commits, SizeIs(2));
  EXPECT_THAT(runs_.commits[0].answered_ids, ElementsAre("a", "c", "d"));
  EXPECT_EQ(runs_.commits[0].after, (app::Position{.token = "b", .is_detail = true}));
  EXPECT_THAT(BadIds(), ElementsAre("b"));
  ASSERT_THAT(runs_.commits[1].bad_records, SizeIs(1));
  EXPECT_EQ(runs_.commits[1].bad_records[0].rule, "no_details");
  EXPECT_EQ(runs_.commits[1].after, std::nullopt);
}

TEST_F(FetchingDetails, MissingIdsWaitForOthersAndAreAskedForTogether) {
  OpenIds(12);
  spec_.details->combine_threshold = 2;
  lacking_ = {"id01", "id05", "id09"};
  EXPECT_EQ(Fetch(), std::nullopt);
  EXPECT_THAT(asked_, ElementsAre("id00-id01-id02-id03", "id04-id05-id06-id07", "id01-id05",
                                  "id08-id09-id10-id11", "id09"))
      << "the last one has nobody to wait for";
  EXPECT_THAT(BadIds(), ElementsAre("id01", "id05", "id09"));
  EXPECT_THAT(ids_.open, IsEmpty());
}

TEST_F(FetchingDetails, MissingIdsThatComeInTheEndAreNotBad) {
  OpenIds(8);
  spec_.details->combine_threshold = 4;
  Serve([this](const app::HttpRequest& request) {
    asked_.push_back(ParameterOf(request, "ids"));
    auto ids = AskedIn(request);
    if (asked_.size() < 3) ids.pop_back();
    return PageOf(ids);
  });
  EXPECT_EQ(Fetch(), std::nullopt);
  EXPECT_THAT(asked_, ElementsAre("id00-id01-id02-id03", "id04-id05-id06-id07", "id03-id07"));
  EXPECT_THAT(BadIds(), IsEmpty());
  EXPECT_THAT(ids_.open, IsEmpty());
}

TEST_F(FetchingDetails, FewerIdsThanAreWorthJoiningAreAskedForOneByOne) {
  OpenIds(6);
  spec_.details->threshold = 3;
  EXPECT_EQ(Fetch(), std::nullopt);
  EXPECT_THAT(asked_, ElementsAre("id00-id01-id02-id03", "id04", "id05"));
  EXPECT_THAT(ids_.open, IsEmpty());
}

TEST_F(FetchingDetails, WhereTheBatchIsThereAlreadyNothingMissingIsAskedForTwice) {
  OpenIds(8);
  spec_.details->combine_threshold = 4;
  lacking_ = {"id01"};
  runs_.outcomes.push_back(
      app::BatchCommitted{.after = app::Position{.token = "id05", .is_detail = true}});
  EXPECT_EQ(Fetch(), std::nullopt);
  EXPECT_EQ(std::ranges::count_if(
                asked_, [](const auto& ids) { return ids.find("id01") != std::string::npos; }),
            2);
  EXPECT_THAT(BadIds(), ElementsAre("id01"));
}

TEST_F(FetchingDetails, ABatchThatFailsForGoodIsHalvedUntilTheBadIdStandsAlone) {
  refused_ = {"c"};
  EXPECT_EQ(Fetch(), std::nullopt);
  EXPECT_THAT(asked_, ElementsAre("a-b-c-d", "a-b", "c-d", "c", "d"));
  EXPECT_THAT(BadIds(), ElementsAre("c"));
  EXPECT_THAT(ids_.open, IsEmpty());
}

TEST_F(FetchingDetails, AfterTenBadIdsInARowItIsNotTheIds) {
  OpenIds(12);
  spec_.details->id_batch_size = 1;
  refused_ = ids_.open;
  const auto broken = Fetch();
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->kind, NoPage::Kind::kWrong);
  EXPECT_THAT(BadIds(), SizeIs(10));
  EXPECT_THAT(asked_, SizeIs(11));
}

TEST_F(FetchingDetails, ARecordThatStillComesShowsThatItIsTheIds) {
  OpenIds(12);
  spec_.details->id_batch_size = 1;
  refused_ = ids_.open;
  ids_.known = {"known"};
  EXPECT_EQ(Fetch(), std::nullopt);
  EXPECT_THAT(BadIds(), SizeIs(12));
  EXPECT_EQ(std::ranges::count(asked_, "known"), 1);
}

TEST_F(FetchingDetails, WhereNothingWorksNoIdIsGivenUp) {
  is_down_ = true;
  task_.failures = 2;
  const auto broken = Fetch();
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->kind, NoPage::Kind::kExhausted);
  EXPECT_THAT(runs_.commits, IsEmpty());
  EXPECT_THAT(ids_.open, SizeIs(4));
  ASSERT_THAT(asked_, SizeIs(5));
  for (std::size_t i = 1; i < asked_.size(); ++i)
    EXPECT_THAT(asked_[i], SizeIs(1)) << "single ids are tried after the batch failed";
}

TEST_F(FetchingDetails, ARecordThatNobodyAskedForMakesUpForNone) {
  Serve([this](const app::HttpRequest& request) {
    asked_.push_back(ParameterOf(request, "ids"));
    return asked_.size() == 1 ? PageOf({"a", "b", "c", "x"}) : PageOf({"d"});
  });
  EXPECT_EQ(Fetch(), std::nullopt);
  EXPECT_THAT(asked_, ElementsAre("a-b-c-d", "d"));
  EXPECT_EQ(runs_.commits.at(0).repeated, 1);
  EXPECT_THAT(runs_.commits[0].answered_ids, ElementsAre("a", "b", "c"));
  EXPECT_THAT(BadIds(), IsEmpty());
  EXPECT_TRUE(HasLogged("details.unasked"));
}

TEST_F(FetchingDetails, WhereTheBatchIsThereAlreadyWhatIsOpenIsLookedUpAnew) {
  spec_.details->id_batch_size = 2;
  ids_.open = {"a", "b", "c", "d", "e", "f"};
  runs_.outcomes.push_back(
      app::BatchCommitted{.after = app::Position{.token = "d", .is_detail = true}});
  runs_.on_commit = [this](const auto& batch) {
    ids_.Answer(batch);
    ids_.open.erase("c");  // the earlier attempt got further
    ids_.open.erase("e");
  };
  EXPECT_EQ(Fetch(), std::nullopt);
  EXPECT_THAT(asked_, ElementsAre("a-b", "d-f"));
}

}  // namespace patra::testing::fetch_details_test
