#include "domain/item/late.h"

#include <gtest/gtest.h>

namespace patra::domain::late_test {

using namespace std::chrono_literals;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

Window Days(int from, int to) { return *Window::Between(kBegin + from * 24h, kBegin + to * 24h); }

// Of one record that is dated `date` and is news, in a walk over `window`.
class OneNews {
 public:
  Instant date = kBegin + 12h + 1s;
  Window window = Days(0, 2);
  Coverage proven{{Days(0, 1)}};
  bool dates_tell = true;
  bool is_new = true;

  bool came_late() const {
    Record record{.id = "a"};
    record.version.updated_at = date;
    Intake intake;
    intake.news.push_back(&record);
    (is_new ? intake.inserted : intake.updated).push_back(record.id);
    return CountLate(intake, {window, proven, dates_tell}) == 1;
  }
};

TEST(Late, ARecordIsLateThatIsDatedIntoAProvenStretch) {
  OneNews news;
  EXPECT_TRUE(news.came_late());
  news.is_new = false;
  EXPECT_TRUE(news.came_late()) << "also a newer version";
  news.date = kBegin + 25h;
  EXPECT_FALSE(news.came_late()) << "that is where the walk begins";
  news.proven = {};
  EXPECT_FALSE(news.came_late());
}

TEST(Late, ADateWithoutATimeOfDayIsLateOnlyWhereAllOfItsDayIsProven) {
  OneNews news;
  news.date = kBegin;
  EXPECT_TRUE(news.came_late());
  news.proven = Coverage({*Window::Between(kBegin, kBegin + 23h)});
  EXPECT_FALSE(news.came_late()) << "it may have come in the last hour";
}

TEST(Late, WhereDatesDoNotTellOnlyWhatIsNewInAWindowThatIsWhollyProvenIsLate) {
  OneNews news;
  news.dates_tell = false;
  EXPECT_FALSE(news.came_late()) << "nobody knows which part of the window it is in";
  news.proven = Coverage({Days(0, 2)});
  EXPECT_TRUE(news.came_late());
  news.is_new = false;
  EXPECT_FALSE(news.came_late()) << "it may have changed since";
}

}  // namespace patra::domain::late_test
