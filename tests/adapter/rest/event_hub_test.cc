#include "adapter/rest/event_hub.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/adapter/rest/fake_services.h"

namespace patra::adapter::rest {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Hears what a feed has, waiting for it as the server does.
class Listener {
 public:
  explicit Listener(std::shared_ptr<EventFeed> feed) : feed_(std::move(feed)) {}

  // Until the text is in what was heard, or the feed is over.
  bool HearsUntil(std::string_view text) {
    while (heard_.find(text) == std::string::npos) {
      char piece[512];
      std::size_t size = 0;
      bool is_woken = false;
      const auto taken = feed_->Take(
          piece, sizeof piece, size, [] {},
          [&] {
            const std::lock_guard lock(mutex_);
            is_woken = true;
            woken_.notify_one();
          });
      if (taken == EventFeed::Taken::kOver) return false;
      heard_.append(piece, size);
      if (taken == EventFeed::Taken::kSome) continue;
      std::unique_lock lock(mutex_);
      if (!woken_.wait_for(lock, std::chrono::seconds(20), [&] { return is_woken; })) {
        lock.unlock();
        feed_->HungUp();
        return false;
      }
    }
    return true;
  }
  const std::string& heard() const { return heard_; }

 private:
  std::shared_ptr<EventFeed> feed_;
  std::mutex mutex_;
  std::condition_variable woken_;
  std::string heard_;
};

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
  Listener listener(*hub_.Listen(""));
  EXPECT_TRUE(listener.HearsUntil("event: status\n"));
  EXPECT_THAT(listener.heard(), HasSubstr("retry: 3000\n\n"));
  EXPECT_THAT(listener.heard(), HasSubstr("event: queue\n"));
  EXPECT_THAT(listener.heard(), HasSubstr("event: alerts\n"));
  EXPECT_TRUE(listener.HearsUntil("\n:\n\n"));
  EXPECT_THAT(listener.heard(), Not(HasSubstr("event: run\n")));
}

TEST_F(EventHubTest, WhoComesBackHearsWhatWasMissedOrHowThingsAre) {
  Listener first(*hub_.Listen(""));
  ASSERT_TRUE(first.HearsUntil("event: status\n"));
  const auto heard = LastId(first.heard());
  Listener back(*hub_.Listen(heard));
  ASSERT_TRUE(back.HearsUntil("\n:\n\n"));
  EXPECT_THAT(back.heard(), Not(HasSubstr("event:"))) << "nothing was missed";
  hub_.Stop();
}

TEST_F(EventHubTest, IdsOfAnotherProcessSayNothing) {
  Listener first(*hub_.Listen(""));
  ASSERT_TRUE(first.HearsUntil("event: status\n"));
  Listener other(*hub_.Listen("17-3"));
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
  Listener listener(*hub_.Listen(""));
  ASSERT_TRUE(listener.HearsUntil("event: status\n"));
  hub_.Stop();
  EXPECT_FALSE(listener.HearsUntil("something that is never told"));
  EXPECT_FALSE(hub_.Listen(""));
}

}  // namespace
}  // namespace patra::adapter::rest
