#include "adapter/rest/event_hub.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/adapter/rest/fake_services.h"
#include "tests/adapter/rest/feed_listener.h"

namespace patra::adapter::rest::event_hub_test {

using ::testing::HasSubstr;
using ::testing::Not;

class EventHubTest : public ::testing::Test {
 protected:
  static std::string LastId(const std::string& heard) {
    const auto at = heard.rfind("id: ") + 4;
    return heard.substr(at, heard.find('\n', at) - at);
  }

  SystemClock clock_;
  FakeRestServices services_{clock_};
  EventHub hub_{services_,
                clock_,
                {.listeners_max = 2,
                 .events_kept = 4,
                 .look_every = std::chrono::milliseconds(5),
                 .look_seldom = std::chrono::milliseconds(5),
                 .status_every = Duration::zero(),
                 .heartbeat_every = std::chrono::milliseconds(20)}};
};

TEST_F(EventHubTest, TellsHowThingsAreAndThenNothingButThatItLives) {
  FeedListener listener(*hub_.Listen(""));
  EXPECT_TRUE(listener.HearsUntil("event: status\n"));
  EXPECT_THAT(listener.heard(), HasSubstr("retry: 3000\n\n"));
  EXPECT_THAT(listener.heard(), HasSubstr("event: queue\n"));
  EXPECT_THAT(listener.heard(), HasSubstr("event: alerts\n"));
  EXPECT_TRUE(listener.HearsUntil("\n:\n\n"));
  EXPECT_THAT(listener.heard(), Not(HasSubstr("event: run\n")));
}

TEST_F(EventHubTest, WhoComesBackHearsWhatWasMissedOrHowThingsAre) {
  FeedListener first(*hub_.Listen(""));
  ASSERT_TRUE(first.HearsUntil("event: status\n"));
  const auto heard = LastId(first.heard());
  FeedListener back(*hub_.Listen(heard));
  ASSERT_TRUE(back.HearsUntil("\n:\n\n"));
  EXPECT_THAT(back.heard(), Not(HasSubstr("event:"))) << "nothing was missed";
  hub_.Stop();
}

TEST_F(EventHubTest, IdsOfAnotherProcessSayNothing) {
  FeedListener first(*hub_.Listen(""));
  ASSERT_TRUE(first.HearsUntil("event: status\n"));
  FeedListener other(*hub_.Listen("17-3"));
  EXPECT_TRUE(other.HearsUntil("event: status\n"));
}

TEST_F(EventHubTest, ListenersAreBoundedAndThoseWhoHungUpDoNotCount) {
  const auto first = *hub_.Listen("");
  const auto second = *hub_.Listen("");
  EXPECT_EQ(hub_.Listen("").error().code, ErrorCode::kUnavailable);
  second->HungUp();
  EXPECT_EQ(hub_.listeners(), 1u);
  EXPECT_TRUE(hub_.Listen(""));
}

TEST_F(EventHubTest, WhoDoesNotKeepUpIsCutOff) {
  EventFeed feed(10);
  feed.Push("0123456789");
  EXPECT_FALSE(feed.is_over());
  feed.Push("x");
  EXPECT_TRUE(feed.is_over());
}

TEST_F(EventHubTest, StoppingEndsEveryFeed) {
  FeedListener listener(*hub_.Listen(""));
  ASSERT_TRUE(listener.HearsUntil("event: status\n"));
  hub_.Stop();
  EXPECT_FALSE(listener.HearsUntil("something that is never told"));
  EXPECT_FALSE(hub_.Listen(""));
}

TEST(EventFeedTest, WhoTakesNothingForAWhileOrMayNotStayIsLeft) {
  EventFeed silent;
  silent.Push("text");
  silent.Beat(std::chrono::seconds(0));
  silent.Beat(EventFeed::kSilentMax - Duration(1));
  EXPECT_FALSE(silent.is_over());
  char piece[2];
  std::size_t size = 0;
  silent.Take(piece, sizeof piece, size, [] {}, [] {});
  silent.Beat(EventFeed::kSilentMax);
  EXPECT_FALSE(silent.is_over()) << "it has just taken some";
  silent.Beat(2 * EventFeed::kSilentMax);
  EXPECT_TRUE(silent.is_over());

  EventFeed idle;
  idle.Beat(std::chrono::seconds(0));
  idle.Beat(std::chrono::hours(9));
  EXPECT_FALSE(idle.is_over()) << "there was nothing to take";
  bool may_stay = true;
  idle.WatchBy([&] { return may_stay; });
  idle.Beat(std::chrono::hours(10));
  EXPECT_FALSE(idle.is_over());
  may_stay = false;
  idle.Push("a secret");
  idle.Beat(std::chrono::hours(10));
  EXPECT_EQ(idle.Take(piece, sizeof piece, size, [] {}, [] {}), EventFeed::Taken::kOver);
}

}  // namespace patra::adapter::rest::event_hub_test
