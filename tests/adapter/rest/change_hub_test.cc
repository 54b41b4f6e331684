#include "adapter/rest/change_hub.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/adapter/rest/fake_services.h"
#include "tests/adapter/rest/feed_listener.h"

namespace patra::adapter::rest::change_hub_test {

using ::testing::HasSubstr;
using ::testing::Not;

// As many changes as a test says, each a position of its own.
class ListOfChanges final : public app::Changes {
 public:
  Result<contract::ChangePage> After(const std::string& after, const contract::ChangeFilter&,
                                     int changes_max) override {
    const std::lock_guard lock(mutex_);
    if (error_) return std::unexpected(*error_);
    contract::ChangePage page{.place = {.position = count_ + 1}};
    if (after == "end") return page;
    auto place =
        after.empty() ? contract::ChangePlace{} : PATRA_TRY(contract::ChangePlace::Parse(after));
    while (place.position <= count_ && std::ssize(page.changes) < changes_max) {
      contract::ChangeRow row{.place = {.position = place.position + 1}};
      row.change.id = fmt::format("r{}", place.position);
      place = row.place;
      page.changes.push_back(std::move(row));
    }
    page.place = place;
    page.has_more = place.position <= count_;
    return page;
  }
  void Grow(std::int64_t to) {
    const std::lock_guard lock(mutex_);
    count_ = to;
  }
  void Fail(std::optional<Error> error) {
    const std::lock_guard lock(mutex_);
    error_ = std::move(error);
  }

 private:
  std::mutex mutex_;
  std::int64_t count_ = 0;
  std::optional<Error> error_;
};

class ChangeHubTest : public ::testing::Test {
 protected:
  SystemClock clock_;
  FakeRestServices services_{clock_};
  ListOfChanges changes_;
  ChangeHub hub_{(services_.fake_desk.told_changes = &changes_, services_),
                 clock_,
                 {.listeners_max = 2,
                  .look_every = std::chrono::milliseconds(5),
                  .heartbeat_every = std::chrono::milliseconds(20)}};
};

TEST_F(ChangeHubTest, TellsWhatThereIsAndThenWhatComes) {
  changes_.Grow(450);
  FeedListener listener(*hub_.Listen("", {}));
  ASSERT_TRUE(listener.HearsUntil("\"id\":\"r450\""));
  EXPECT_THAT(listener.heard(), HasSubstr("id: 2.0\nevent: change\n"));
  EXPECT_THAT(listener.heard(), HasSubstr("\"id\":\"r1\""));
  changes_.Grow(451);
  EXPECT_TRUE(listener.HearsUntil("\"id\":\"r451\""));
  EXPECT_TRUE(listener.HearsUntil("\n:\n\n"));
}

TEST_F(ChangeHubTest, WhoComesBackGoesOnWhereItStood) {
  changes_.Grow(5);
  FeedListener listener(*hub_.Listen("4.0", {}));
  ASSERT_TRUE(listener.HearsUntil("\"id\":\"r5\""));
  EXPECT_THAT(listener.heard(), HasSubstr("\"id\":\"r4\""));
  EXPECT_THAT(listener.heard(), Not(HasSubstr("\"id\":\"r3\"")));
}

TEST_F(ChangeHubTest, TheEndIsWhereItWasWhenSomebodyBeganToListen) {
  changes_.Grow(5);
  FeedListener listener(*hub_.Listen("end", {}));
  changes_.Grow(6);
  ASSERT_TRUE(listener.HearsUntil("\"id\":\"r6\""));
  EXPECT_THAT(listener.heard(), Not(HasSubstr("\"id\":\"r5\"")));
}

TEST_F(ChangeHubTest, AStoreThatIsAwayIsWaitedFor) {
  FeedListener listener(*hub_.Listen("", {}));
  changes_.Fail(Error{ErrorCode::kUnavailable, "away", {}, ""});
  ASSERT_TRUE(listener.HearsUntil("\n:\n\n"));
  changes_.Grow(1);
  changes_.Fail(std::nullopt);
  EXPECT_TRUE(listener.HearsUntil("\"id\":\"r1\""));
}

TEST_F(ChangeHubTest, WhatWasCollectedIsToldAndEndsTheFeed) {
  FeedListener listener(*hub_.Listen("", {}));
  changes_.Fail(Error{ErrorCode::kNotFound, "not kept any more", {}, "read all records"});
  EXPECT_TRUE(listener.HearsUntil("event: gone\ndata: {\"detail\":\"not kept any more\""));
  EXPECT_FALSE(listener.HearsUntil("something that is never told"));
}

TEST_F(ChangeHubTest, WhatIsWrongWithAPlaceIsAnAnswer) {
  EXPECT_EQ(hub_.Listen("seven", {}).error().code, ErrorCode::kInvalidInput);
}

TEST_F(ChangeHubTest, ListenersAreBoundedAndStoppingEndsThem) {
  FeedListener first(*hub_.Listen("", {}));
  const auto second = *hub_.Listen("", {});
  EXPECT_EQ(hub_.Listen("", {}).error().code, ErrorCode::kUnavailable);
  hub_.Stop();
  EXPECT_FALSE(first.HearsUntil("something that is never told"));
  EXPECT_FALSE(hub_.Listen("", {}));
}

}  // namespace patra::adapter::rest::change_hub_test
