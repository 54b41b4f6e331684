#include "sim/corpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace patra::sim::corpus_test {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::sys_days;
using std::chrono::year;

constexpr Instant kBegin = sys_days{year{2024} / 1 / 1};
constexpr Instant kStart = sys_days{year{2026} / 1 / 1};
constexpr Instant kNever = sys_days{year{2100} / 1 / 1};

Corpus MakeCorpus(std::int64_t size) {
  return Corpus({.seed = 7, .size = size, .begin = kBegin, .start = kStart});
}

std::vector<Entry> All(const View& view) {
  std::vector<Entry> entries;
  view.Collect(view.Between(kBegin, kNever), entries);
  return entries;
}

// What is current, found the slow way: every event in order, the later one wins.
std::map<std::int64_t, Entry> Replay(const Corpus& corpus, Instant now) {
  std::map<std::int64_t, Entry> current;
  const auto groups = corpus.FirstAtOrAfter(now + days(1)) / Corpus::kSlots + 2;
  for (std::int64_t position = 0; position < groups * Corpus::kSlots; ++position) {
    const auto slot = static_cast<int>(position % Corpus::kSlots);
    const auto group = position / Corpus::kSlots;
    if (group >= corpus.VisibleGroups(slot, now) || group < corpus.LagFromBirth(slot)) continue;
    const auto entry = corpus.EntryAt(position);
    auto& known = current[entry.item];
    if (entry.version > known.version || known.updated == Instant{}) known = entry;
  }
  return current;
}

TEST(Corpus, TimesNeverFallAndAreFoundBySearching) {
  const auto corpus = MakeCorpus(20'000);
  for (std::int64_t position = 1; position < 40'000; ++position) {
    ASSERT_LE(corpus.TimeAt(position - 1), corpus.TimeAt(position)) << position;
    const auto found = corpus.FirstAtOrAfter(corpus.TimeAt(position));
    ASSERT_LE(found, position);
    ASSERT_EQ(corpus.TimeAt(found), corpus.TimeAt(position));
  }
}

TEST(Corpus, ShowsExactlyTheNewestVisibleVersionOfEveryItem) {
  for (const std::int64_t size : {1, 30, 500, 9'000}) {
    const auto corpus = MakeCorpus(size);
    for (const auto offset :
         {Duration{}, Duration(hours(7)), Duration(days(3)), Duration(days(400))}) {
      const auto now = kStart + offset;
      const View view(corpus, now, View::Order::kByUpdate, View::Deletions::kListed);
      const auto expected = Replay(corpus, now);
      const auto shown = All(view);
      ASSERT_EQ(shown.size(), expected.size()) << size;
      for (const auto& entry : shown) {
        const auto& right = expected.at(entry.item);
        ASSERT_EQ(entry.version, right.version);
        ASSERT_EQ(entry.updated, right.updated);
        ASSERT_EQ(entry.deleted, right.deleted);
        ASSERT_EQ(view.Find(entry.item)->version, right.version);
      }
    }
  }
}

TEST(Corpus, PagesOfAnySizeJoinToTheWholeWindow) {
  const auto corpus = MakeCorpus(3'000);
  const View view(corpus, kStart, View::Order::kByUpdate, View::Deletions::kHidden);
  const auto window = view.Between(kBegin + days(100), kBegin + days(500));
  std::vector<Entry> whole;
  view.Collect(window, whole);
  ASSERT_EQ(static_cast<std::int64_t>(whole.size()), window.count());
  for (const std::int64_t size : {1, 7, 100, 1'000}) {
    std::vector<Entry> joined;
    for (auto first = window.first; first < window.last; first += size) {
      view.Collect({first, std::min(first + size, window.last)}, joined);
    }
    ASSERT_EQ(joined.size(), whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) ASSERT_EQ(joined[i].item, whole[i].item);
  }
}

TEST(Corpus, NeighbouringWindowsNeitherOverlapNorLeaveAGap) {
  const auto corpus = MakeCorpus(5'000);
  const View view(corpus, kStart, View::Order::kByUpdate, View::Deletions::kListed);
  std::int64_t sum = 0;
  for (auto day = kBegin; day <= kStart; day += days(1)) {
    sum += view.Between(day, day + days(1)).count();
  }
  EXPECT_EQ(sum, view.total());
}

TEST(Corpus, DeletionsAreListedHiddenOrIgnoredAsTheProviderWants) {
  const auto corpus = MakeCorpus(1'200);
  const auto count = [&](View::Deletions deletions) {
    return View(corpus, kStart, View::Order::kByUpdate, deletions).total();
  };
  const auto listed = count(View::Deletions::kListed);
  EXPECT_EQ(listed, count(View::Deletions::kIgnored));
  EXPECT_LT(count(View::Deletions::kHidden), listed);
}

TEST(Corpus, ByBirthEveryItemComesOnceWithItsCurrentVersion) {
  const auto corpus = MakeCorpus(1'200);
  const View by_birth(corpus, kStart, View::Order::kByBirth, View::Deletions::kHidden);
  const View by_update(corpus, kStart, View::Order::kByUpdate, View::Deletions::kHidden);
  std::set<std::int64_t> items;
  for (const auto& entry : All(by_birth)) {
    EXPECT_TRUE(items.insert(entry.item).second);
    EXPECT_EQ(entry.version, by_update.Find(entry.item)->version);
  }
  EXPECT_EQ(static_cast<std::int64_t>(items.size()), by_update.total());
}

TEST(Corpus, AdvancingTheClockBringsNewItemsNewVersionsDeletionsAndLateArrivals) {
  const auto corpus = MakeCorpus(20'000);
  const View before(corpus, kStart, View::Order::kByUpdate, View::Deletions::kListed);
  const View after(corpus, kStart + days(5), View::Order::kByUpdate, View::Deletions::kListed);
  int born = 0;
  int revised = 0;
  int deleted = 0;
  int late = 0;
  for (const auto& entry : All(after)) {
    const auto known = before.Find(entry.item);
    born += !known && entry.updated > kStart;
    late += !known && entry.updated <= kStart;
    revised += known && known->version < entry.version && !entry.deleted;
    deleted += known && !known->deleted && entry.deleted;
  }
  EXPECT_GT(born, 0);
  EXPECT_GT(late, 0);
  EXPECT_GT(revised, 0);
  EXPECT_GT(deleted, 0);
}

TEST(Corpus, ABulkChangePutsMoreItemsIntoOneSecondThanAnyPageHolds) {
  const auto corpus = MakeCorpus(20'000);
  const View view(corpus, kStart, View::Order::kByUpdate, View::Deletions::kHidden);
  std::map<Instant, int> ties;
  for (const auto& entry : All(view)) ++ties[entry.updated];
  const auto most = std::ranges::max_element(ties, {}, &std::pair<const Instant, int>::second);
  EXPECT_GT(most->second, 1'000);
}

TEST(Corpus, TensOfMillionsOfItemsCostNoMemoryAndLittleTime) {
  const auto corpus = MakeCorpus(50'000'000);
  const View view(corpus, kStart, View::Order::kByUpdate, View::Deletions::kListed);
  EXPECT_GT(view.total(), 49'900'000);  // late arrivals are not there yet
  std::vector<Entry> entries;
  view.Collect({view.total() - 10, view.total()}, entries);
  EXPECT_EQ(entries.size(), 10u);
}

}  // namespace patra::sim::corpus_test
