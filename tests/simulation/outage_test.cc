// Providers that are away for a while, and lists that do not keep what their definition promises.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/run_harvest.h"
#include "tests/simulation/process.h"

namespace patra::outage_test {

using namespace std::chrono_literals;
using testing::ModelProvider;
using testing::Process;
using testing::Stage;
using testing::StageClock;

const Instant kBegin = testing::kModelBegin;
const Instant kNow = kBegin + 13h;

class OneReader : public ::testing::Test {
 protected:
  // What an executor stores of a harvest, beginning now, that works on until nothing is left.
  void Harvest(const domain::SpecSnapshot& spec, const std::function<bool(std::int64_t)>& stops) {
    stage_.Add([&] {
      Process process(database_, stage_, clock_, provider_, ++incarnations_);
      const auto summary = process.harvest.Run({.spec = spec, .to = kNow - 10min},
                                               {.workers = 0, .patience = 1h, .stall_max = 1h},
                                               [&](const testing::HarvestProgress& progress) {
                                                 if (stops(progress.work.counts.received))
                                                   process.stop.Ask();
                                               });
      ASSERT_TRUE(summary) << summary.error().Describe();
    });
    stage_.Run();
  }

  std::set<std::string> Stored() const {
    std::set<std::string> ids;
    const auto connection =
        infra::sqlite::Connection::Open(database_, infra::sqlite::Connection::Access::kReadOnly);
    auto rows = (*connection)->Query("SELECT provider_item_id FROM ing_item");
    while (rows && rows->Next().value_or(false)) ids.insert(rows->Text(infra::sql::kOnly));
    return ids;
  }

  testing::TemporaryFolder folder_;
  const std::string database_ = testing::EmptyStoreIn(folder_);
  Stage stage_{1, kNow};
  StageClock clock_{stage_};
  ModelProvider provider_{stage_, testing::RecordsEvery(5min, 144), 0};
  std::uint64_t incarnations_ = 0;
};

struct Case {
  std::chrono::seconds away;
  std::chrono::seconds noticed_within;
};

class OutageOf : public OneReader, public ::testing::WithParamInterface<Case> {};

INSTANTIATE_TEST_SUITE_P(Lengths, OutageOf,
                         ::testing::Values(Case{1s, 5s}, Case{3s, 5s}, Case{5s, 5s}, Case{8s, 5s},
                                           Case{10s, 5s}, Case{30s, 20s}, Case{60s, 35s},
                                           Case{120s, 65s}, Case{600s, 70s}),
                         [](const auto& c) { return fmt::format("{}s", c.param.away.count()); });

TEST_P(OutageOf, EndsForUsSoonAfterItEndsForTheProvider) {
  const auto& [away, noticed_within] = GetParam();
  provider_.down_from = kNow;
  provider_.down_to = kNow + away;
  std::optional<Duration> noticed_after;
  provider_.before_page = [&] {
    if (!noticed_after) noticed_after = stage_.Now() - provider_.down_to;
  };
  Harvest(testing::SourceIn("page"), [](auto) { return false; });
  ASSERT_TRUE(noticed_after);
  EXPECT_LE(*noticed_after, noticed_within);
  EXPECT_EQ(Stored().size(), provider_.CountIn(kBegin, kNow - 10min));
  EXPECT_LE(provider_.refused, 40) << "nobody hammers at a closed door";
}

// It takes connections and never answers them; those that come after the outage, it answers.
class SilenceOf : public OneReader, public ::testing::WithParamInterface<Case> {};

INSTANTIATE_TEST_SUITE_P(Lengths, SilenceOf,
                         ::testing::Values(Case{1s, 5s}, Case{3s, 5s}, Case{5s, 5s}, Case{7s, 5s},
                                           Case{8s, 5s}, Case{9s, 5s}, Case{10s, 5s},
                                           Case{120s, 65s}),
                         [](const auto& c) { return fmt::format("{}s", c.param.away.count()); });

TEST_P(SilenceOf, EndsForUsSoonAfterItEndsForAProviderThatUsuallyAnswersAtOnce) {
  const auto& [away, noticed_within] = GetParam();
  provider_.hangs = true;
  int pages = 0;
  std::optional<Duration> noticed_after;
  provider_.before_page = [&] {
    if (++pages == 6) {
      provider_.down_from = stage_.Now();
      provider_.down_to = stage_.Now() + away;
    }
    if (pages > 6 && !noticed_after) noticed_after = stage_.Now() - provider_.down_to;
  };
  Harvest(testing::SourceIn("page"), [](auto) { return false; });
  ASSERT_TRUE(noticed_after);
  EXPECT_GE(provider_.refused, 1);
  EXPECT_LE(*noticed_after, noticed_within);
  EXPECT_EQ(Stored().size(), provider_.CountIn(kBegin, kNow - 10min));
}

TEST_F(OneReader, AProviderThatBecomesSlowIsWaitedForAsLongAsTheDefinitionSays) {
  int pages = 0;
  provider_.before_page = [&] {
    if (++pages == 8) provider_.takes = 25s;
  };
  Harvest(testing::SourceIn("page"), [](auto) { return false; });
  EXPECT_EQ(Stored().size(), provider_.CountIn(kBegin, kNow - 10min));
  EXPECT_LE(provider_.requests, pages + 10) << "what it takes is learned once";
}

// The definition promises that nothing comes into a window any more. A list that breaks this promise while nobody reads it
// keeps its total and loses a record over the edge of a page; the page before the pause tells.
TEST_F(OneReader, ASwapWhileNobodyReadsIsNoticedWhateverTheDefinitionPromises) {
  for (const auto* style : {"page", "offset", "token"}) {
    SCOPED_TRACE(style);
    auto spec = testing::SourceIn(style);
    spec.endpoint = style;
    auto& records = provider_.records();
    records = testing::RecordsEvery(1min, 30);
    for (auto& record : records) record.id = fmt::format("{}-{}", style, record.id);
    Harvest(spec, [](auto received) { return received >= 10; });
    records.erase(records.begin());
    records.push_back({fmt::format("{}-new", style), kBegin + 31min});
    Harvest(spec, [](auto) { return false; });
    const auto stored = Stored();
    for (const auto& record : records) EXPECT_TRUE(stored.contains(record.id)) << record.id;
  }
}

// Where paging ends, what was read of a sorted list counts as proven, unless something speaks against it.
TEST_F(OneReader, AListThatMovedProvesNothingUpToWherePagingEnds) {
  auto spec = testing::SourceIn("page");
  spec.order = {.direction = domain::SortDirection::kAsc, .stable = true};
  spec.response.total.reset();
  spec.response.total_kind = domain::TotalKind::kNone;
  spec.paging.ends = {domain::WalkEnd::kEmptyPage};
  spec.paging.reach = 15;
  auto& records = provider_.records();
  records = testing::RecordsEvery(1min, 40);
  int pages = 0;
  provider_.before_page = [&] {
    if (++pages == 2) records.insert(records.begin() + 1, {"late", kBegin + 30s});
  };
  Harvest(spec, [](auto) { return false; });
  const auto stored = Stored();
  for (const auto& record : records) EXPECT_TRUE(stored.contains(record.id)) << record.id;
}

}  // namespace patra::outage_test
