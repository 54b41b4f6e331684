#include "domain/cursor/refresh_progress.h"

#include <gtest/gtest.h>

namespace patra::domain::refresh_progress_test {

const Instant kDay{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

Plan UpdateBy(std::string_view cursor_key, Value params) {
  return {.lane = {"demo", "items", Operation::kUpdate},
          .cursor = {.cursor_key = std::string(cursor_key)},
          .slice_params = std::move(params),
          .window = *Window::Between(kDay, kDay + std::chrono::days(1))};
}

TEST(RefreshProgress, IsTheMomentThatCandidatesWereGatheredFor) {
  const auto plan = UpdateBy(kRefreshCheckedAt, Value::Object{{kCheckedTo, FormatRfc3339(kDay)}});
  EXPECT_EQ(RefreshProgress(plan, std::nullopt), CursorValue(kDay));
}

TEST(RefreshProgress, IsTheLastSignalThatWasTaken) {
  const auto plan = UpdateBy(kSignalId, Value::Object{});
  EXPECT_EQ(RefreshProgress(plan, "4711"), CursorValue(std::int64_t{4711}));
  EXPECT_EQ(RefreshProgress(plan, std::nullopt), std::nullopt);
  EXPECT_EQ(RefreshProgress(plan, "x"), std::nullopt);
}

TEST(RefreshProgress, PlansOverTimeHaveNone) {
  auto plan = UpdateBy(kRefreshCheckedAt, Value::Object{{kCheckedTo, FormatRfc3339(kDay)}});
  plan.lane.operation = Operation::kHarvest;
  EXPECT_EQ(RefreshProgress(plan, std::nullopt), std::nullopt);
}

TEST(RefreshReached, IsTheEndWhereEverythingIsChecked) {
  const auto signals = UpdateBy(kSignalId, Value::Object{});
  EXPECT_EQ(RefreshReached(signals, "9", false, {}), CursorValue(std::int64_t{9}));
  const auto round = UpdateBy(kRefreshCheckedAt, Value::Object{{kCheckedTo, FormatRfc3339(kDay)}});
  EXPECT_EQ(RefreshReached(round, std::nullopt, true, {}), CursorValue(kDay));
  EXPECT_EQ(RefreshReached(round, std::nullopt, false, {}), std::nullopt)
      << "what is in no slice yet was not checked";
}

TEST(RefreshReached, StopsBeforeTheFirstThatIsUnchecked) {
  const auto signals = UpdateBy(kSignalId, Value::Object{});
  EXPECT_EQ(RefreshReached(signals, "9", true, {true, std::int64_t{4}}),
            CursorValue(std::int64_t{4}));
  EXPECT_EQ(RefreshReached(signals, "9", true, {true, std::nullopt}), std::nullopt);
  EXPECT_EQ(RefreshReached(signals, "9", false, {true, std::int64_t{12}}),
            CursorValue(std::int64_t{9}))
      << "never beyond what is in slices";
  const auto round = UpdateBy(kRefreshCheckedAt, Value::Object{{kCheckedTo, FormatRfc3339(kDay)}});
  EXPECT_EQ(RefreshReached(round, std::nullopt, true, {true, kDay - std::chrono::hours(5)}),
            CursorValue(kDay - std::chrono::hours(5)));
}

}  // namespace patra::domain::refresh_progress_test
