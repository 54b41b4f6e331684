#include "app/execute/fetch_ahead.h"

#include <atomic>
#include <set>
#include <thread>

#include <gtest/gtest.h>

namespace patra::app::fetch_ahead_test {

Result<Fetched> PageOf(int retries) {
  FetchedPage page;
  page.retries = retries;
  return page;
}

int RetriesOf(const Result<Fetched>& fetched) { return std::get<FetchedPage>(*fetched).retries; }

TEST(FetchAhead, FetchesBesideTheWorkerAlwaysInTheSameThread) {
  std::set<std::thread::id> threads;
  for (int i = 0; i < 20; ++i) {
    FetchAhead ahead(true);
    std::atomic<bool> may_end = false;
    ahead.Begin([&, i] {
      while (!may_end) std::this_thread::yield();
      threads.insert(std::this_thread::get_id());
      return PageOf(i);
    });
    EXPECT_TRUE(ahead.is_under_way());
    may_end = true;  // only reached because the fetch does not keep the worker
    EXPECT_EQ(RetriesOf(ahead.Take()), i);
    EXPECT_FALSE(ahead.is_under_way());
  }
  EXPECT_EQ(threads.size(), 1u);
  EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
}

TEST(FetchAhead, EachWorkerHasAThreadOfItsOwn) {
  std::set<std::thread::id> threads;
  std::mutex mutex;
  std::vector<std::jthread> workers;
  for (int w = 0; w < 4; ++w) {
    workers.emplace_back([&, w] {
      for (int i = 0; i < 50; ++i) {
        FetchAhead ahead(true);
        ahead.Begin([&, w] {
          const std::lock_guard lock(mutex);
          threads.insert(std::this_thread::get_id());
          return PageOf(w);
        });
        EXPECT_EQ(RetriesOf(ahead.Take()), w);
      }
    });
  }
  workers.clear();
  EXPECT_GE(threads.size(), 1u);
  EXPECT_LE(threads.size(), 4u);
}

TEST(FetchAhead, WaitsForWhatIsOfNoUseAnyMore) {
  int fetched = 0;  // no atomic: leaving the scope waits for the fetch
  {
    FetchAhead ahead(true);
    ahead.Begin([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      ++fetched;
      return PageOf(0);
    });
  }
  EXPECT_EQ(fetched, 1);
}

TEST(FetchAhead, SwitchedOffFetchesWhenItIsTaken) {
  FetchAhead ahead(false);
  int fetched = 0;
  ahead.Begin([&] {
    ++fetched;
    return PageOf(7);
  });
  EXPECT_TRUE(ahead.is_under_way());
  EXPECT_EQ(fetched, 0);
  EXPECT_EQ(RetriesOf(ahead.Take()), 7);
  ahead.Begin([&] { return PageOf(++fetched); });
  ahead.Forget();
  EXPECT_EQ(fetched, 1) << "nobody wanted the second";
}

}  // namespace patra::app::fetch_ahead_test
