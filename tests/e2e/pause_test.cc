// Pausing as the command line asks for it: what is paused exists, and until a moment that is still to come.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "boot/plan_application.h"
#include "boot/source_application.h"
#include "tests/temporary_folder.h"

namespace patra {
namespace {

class Pausing : public ::testing::Test {
 protected:
  Result<void> Pause(const std::string& target, std::optional<std::string> until = {}) {
    return sources_.PauseSource({.database = database_,
                                 .sources_folder = folder_name_,
                                 .target = target,
                                 .reason = "moving house",
                                 .until = std::move(until)});
  }

  app::Planned Plan() {
    app::PlanRequest request{.source = {.target = "sim-rest/items"},
                             .sources_folder = folder_name_};
    const auto report = boot::PlanApplication().Plan(database_, "", request);
    EXPECT_TRUE(report) << report.error().Describe();
    return report ? report->planned : app::Planned{};
  }

  testing::TemporaryFolder folder_;
  std::string database_ = fmt::format("sqlite:{}", folder_.Path("patra.db"));
  std::string folder_name_ = PATRA_SOURCE_DIR "/sources";
  boot::SourceApplication sources_;
};

TEST_F(Pausing, HoldsThePlannerUntilSomebodyResumes) {
  ASSERT_TRUE(Pause("sim-rest/items", "+6h"));
  EXPECT_EQ(Plan().kind, app::Planned::Kind::kHeld);
  EXPECT_EQ(sources_.ResumeSource({.database = database_, .target = "sim-rest/items"}), true);
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

}  // namespace
}  // namespace patra
