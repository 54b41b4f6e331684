// Pausing as the command line asks for it: what is paused exists, and until a moment that is still to come.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "boot/open_desk.h"
#include "boot/open_engine.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::pause_test {

class Pausing : public ::testing::Test {
 protected:
  app::Holds& Holds() {
    const auto desk = boot::OpenDesk(
        {.database = database_, .sources_folder = folder_name_, .changes = true, .makes = true});
    EXPECT_TRUE(desk) << desk.error().Describe();
    desk_ = *desk;
    return desk_->holds();
  }
  Result<void> Pause(const std::string& target, std::optional<std::string> until = {}) {
    return Holds().Pause({.target = target, .reason = "moving house", .until = std::move(until)},
                         anna_);
  }

  app::Planned Plan() {
    const auto engine = boot::OpenEngine({.database = database_, .sources_folder = folder_name_});
    const auto report = (*engine)->Plan({.source = {.target = "sim-rest/items"}});
    EXPECT_TRUE(report) << report.error().Describe();
    return report ? report->planned : app::Planned{};
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  std::string database_ = stores_.At(folder_.Path("patra.db"));
  std::string folder_name_ = PATRA_SOURCE_DIR "/sources";
  const domain::Actor anna_{.name = "anna"};
  std::shared_ptr<app::Desk> desk_;
};

TEST_F(Pausing, HoldsThePlannerUntilSomebodyResumes) {
  ASSERT_TRUE(Pause("sim-rest/items", "+6h"));
  EXPECT_EQ(Plan().kind, app::Planned::Kind::kHeld);
  EXPECT_EQ(Holds().Resume("sim-rest/items", "", anna_), true);
  EXPECT_EQ(Plan().kind, app::Planned::Kind::kCreated);
}

TEST_F(Pausing, WhatDoesNotExistCannotBePaused) {
  EXPECT_EQ(Pause("sim-rest/item").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(Pause("sim-reest").error().hint, "did you mean 'sim-rest'?");
}

TEST_F(Pausing, APauseThatIsOverAlreadyIsRefused) {
  EXPECT_EQ(Pause("sim-rest", "-1h").error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(Plan().kind, app::Planned::Kind::kCreated);
}

TEST_F(Pausing, TheRegistrySufficesWhereThereAreNoFiles) {
  Plan();
  folder_name_ = folder_.Path("nowhere");
  EXPECT_TRUE(Pause("sim-rest"));
  EXPECT_EQ(Plan().kind, app::Planned::Kind::kHeld);
}

}  // namespace patra::pause_test
